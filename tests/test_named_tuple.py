"""Our named tuples are what typing's are, whatever is asked of them."""

import copy
import pickle
import typing

from ppgp_tui.named_tuple import NamedTuple


class Ours(NamedTuple):
    """A place."""

    line: int
    path: str = ""
    """Relative."""

    @property
    def told(self) -> str:
        return f"{self.path}:{self.line}"


class Theirs(typing.NamedTuple):
    """A place."""

    line: int
    path: str = ""
    """Relative."""

    @property
    def told(self) -> str:
        return f"{self.path}:{self.line}"


def test_fields_defaults_and_members_are_those_of_typing() -> None:
    ours, theirs = Ours(3, path="a"), Theirs(3, path="a")
    assert ours == theirs == (3, "a")
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert (ours.told, Ours(1)) == ("a:3", (1, ""))
    assert ours._replace(line=4)._asdict() == {"line": 4, "path": "a"}
    for name in ("__doc__", "__module__", "__match_args__", "_fields", "_field_defaults"):
        assert getattr(Ours, name) == getattr(Theirs, name)


def test_they_are_copied_pickled_and_asked_for_their_types() -> None:
    place = Ours(3)
    assert pickle.loads(pickle.dumps(place)) == copy.deepcopy(place) == place
    assert typing.get_type_hints(Ours) == typing.get_type_hints(Theirs)
