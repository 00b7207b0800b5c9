"""What is no program is said so, with the code a shell would exit with."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.agents.launcher.launch import NoProgramError, run


@pytest.mark.parametrize(
    ("word", "text", "code"),
    [
        ("nosuchprogram", "nosuchprogram is not installed, or not on PATH", 127),
        ("", "an empty word is not installed, or not on PATH", 127),
        ("/etc/passwd", "/etc/passwd is no program that you may run", 126),
    ],
)
def test_what_is_no_program_is_not_begun(tmp_path: Path, word: str, text: str, code: int) -> None:
    with pytest.raises(NoProgramError) as said:
        run([word], tmp_path, {"PATH": "/usr/bin:/bin"}, print)
    assert (str(said.value), said.value.code) == (text, code)
    assert list(tmp_path.iterdir()) == []
