"""What a person chose on the screen is there the next time, and nowhere in the repository."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.ui.seat import memory
from ppgp_tui.ui.seat.memory import Choices, Memory, read_choices, write_choices
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from tests.ui import picture
from tests.ui.pressing import press
from tests.ui.stand_in import seat

ROOT = picture.full().root


def sitting(folder: Path) -> tuple[Seat, Memory]:
    """A seat as the app has it after its first paint."""
    kept = Memory(folder, ROOT)
    of = seat(views=VIEWS, width=120, height=40)
    kept.restore(of)
    of.arrange()
    kept.begin(of)
    return of, kept


def choose(of: Seat, kept: Memory, *keys: str) -> None:
    for key in keys:
        press(of, key)
        kept.note(of)
    kept.finish()


def test_view_density_clock_motion_theme_and_the_look_of_the_plan_come_back(tmp_path: Path) -> None:
    of, kept = sitting(tmp_path)
    choose(of, kept, "2", "z", ",", "d", ",", "c", ",", "m", ",", "t", "j", "enter")
    again, _ = sitting(tmp_path)
    assert again.views[again.current].name == "plan"
    assert again.density == of.density == "roomy"
    assert again.manner.clock == "times"
    assert again.manner.motion == "reduced"
    assert again.stay.plan.look == of.stay.plan.look
    assert read_choices(tmp_path / "layout.json")[0].theme == "paper"


def test_quiet_hours_outlast_a_restart(tmp_path: Path) -> None:
    of, kept = sitting(tmp_path)
    choose(of, kept, ",", "q", "enter")
    again, _ = sitting(tmp_path)
    assert again.manner.quiet(again.clock())
    assert again.manner.quiet_until_ms == of.manner.quiet_until_ms


def test_looking_writes_nothing(tmp_path: Path) -> None:
    of, kept = sitting(tmp_path / "state")
    choose(of, kept, "j", "k", "o", "escape", "enter", "escape", "c", "?", "escape", "1")
    assert not (tmp_path / "state").exists()


def test_a_theme_that_is_only_looked_at_is_not_kept(tmp_path: Path) -> None:
    of, kept = sitting(tmp_path)
    choose(of, kept, ",", "t", "j", "escape")
    assert not (tmp_path / "layout.json").exists()


def test_only_what_was_changed_is_kept_so_that_settings_hold_for_the_rest(tmp_path: Path) -> None:
    of, kept = sitting(tmp_path)
    of.density = "compact"  # as the settings have it
    kept.begin(of)
    choose(of, kept, ",", "c")
    assert json.loads((tmp_path / "layout.json").read_text()) == {"clock": "times"}


def test_it_is_the_users_alone_and_of_one_repository(tmp_path: Path) -> None:
    of, kept = sitting(tmp_path / "one")
    choose(of, kept, ",", "m")
    assert (tmp_path / "one" / "layout.json").stat().st_mode & 0o777 == 0o600
    kept.root = Path("/another")
    choose(of, kept, ",", "m")
    assert read_choices(tmp_path / "one" / "layout.json")[0].motion == "reduced"


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "7", '{"density": "huge"}', '{"plan_tree": 1}', '{"quiet_until_ms": "x"}',
     '{"view": 3}', "[" * 100_000, '{"theme": "' + "x" * 70_000 + '"}'],
)  # fmt: skip
def test_a_damaged_file_is_ignored_said_and_replaced_by_the_next_choice(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "layout.json"
    path.write_text(text)
    of, kept = sitting(tmp_path)
    assert kept.kept == Choices()
    assert str(path) in kept.wrong
    assert "nothing of it is used" in kept.wrong
    assert path.read_text() == text
    choose(of, kept, ",", "d")
    assert read_choices(path) == (Choices(density="roomy"), "")


def test_no_file_is_no_choice_and_no_complaint(tmp_path: Path) -> None:
    assert read_choices(tmp_path / "layout.json") == (Choices(), "")


def test_what_a_newer_version_kept_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "layout.json").write_text('{"clock": "times", "wallpaper": "cats"}')
    assert read_choices(tmp_path / "layout.json") == (Choices(clock="times"), "")


def test_a_view_that_is_gone_leaves_the_first_one(tmp_path: Path) -> None:
    write_choices(tmp_path / "layout.json", Choices(view="radar"))
    assert sitting(tmp_path)[0].current == 0


def test_a_theme_that_is_gone_is_said_and_another_one_is_used(tmp_path: Path) -> None:
    write_choices(tmp_path / "layout.json", Choices(theme="mine"))
    _, kept = sitting(tmp_path)
    assert kept.usable_theme(tmp_path) is None
    assert "the theme you chose cannot be used: " in kept.wrong
    (tmp_path / "themes").mkdir()
    write_choices(tmp_path / "layout.json", Choices(theme="tide"))
    assert sitting(tmp_path)[1].usable_theme(tmp_path) == "tide"


def test_what_cannot_be_kept_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("in the way")
    of, kept = sitting(tmp_path / "state")
    said: list[str] = []
    kept.failed = said.append
    choose(of, kept, ",", "m")
    choose(of, kept, ",", "m")
    assert len(said) == 1
    assert "what you chose is not kept" in said[0]


_WORDS = {name: st.sampled_from(words) for name, words in memory._WORDS.items()}
_CHOICES = st.builds(
    Choices,
    view=st.none() | st.text(max_size=9),
    theme=st.none() | st.text(max_size=9),
    quiet_until_ms=st.none() | st.integers(0, 2**62),
    plan_tree=st.none() | st.booleans(),
    **{name: st.none() | words for name, words in _WORDS.items()},
)


@given(choices=_CHOICES)
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, choices: Choices
) -> None:
    path = tmp_path_factory.mktemp("state") / "layout.json"
    write_choices(path, choices)
    assert read_choices(path) == (choices, "")
