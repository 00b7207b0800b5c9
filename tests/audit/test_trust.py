"""Which commands a person has let run."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.audit.trust import NAME, trust, trusted, untrusted

MAKE, TESTS = ("make", "test"), ("pytest", "-q")


def test_a_command_is_trusted_by_its_exact_words(tmp_path: Path) -> None:
    trust([MAKE], tmp_path, at_ms=1)
    others = [("make", "test", "-k"), ("make test",), ("make",), ("./make", "test")]
    assert untrusted([MAKE, *others, others[0]], tmp_path) == others


def test_trust_adds_to_what_was_trusted(tmp_path: Path) -> None:
    trust([MAKE], tmp_path / "new", at_ms=1)
    trust([TESTS, MAKE], tmp_path / "new", at_ms=2)
    assert len(trusted(tmp_path / "new")) == 2
    assert untrusted([MAKE, TESTS], tmp_path / "new") == []


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"commands": 1}', '{"commands": [{"argv": "make test"}, 1]}']
)
def test_a_file_that_cannot_be_read_trusts_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / NAME).write_text(text)
    assert untrusted([MAKE], tmp_path) == [MAKE]
    trust([MAKE], tmp_path, at_ms=1)
    assert untrusted([MAKE], tmp_path) == []


def test_a_linked_file_is_not_followed(tmp_path: Path) -> None:
    trust([MAKE], tmp_path / "one", at_ms=1)
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / NAME).symlink_to(tmp_path / "one" / NAME)
    assert untrusted([MAKE], tmp_path / "two") == [MAKE]
