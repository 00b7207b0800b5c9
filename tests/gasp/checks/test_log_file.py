"""How the log is read before anything is checked (reference sections 4 and 11)."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.gasp.checks.agent_repository import LOG, AgentRepository, as_line, event
from tests.gasp.checks.said import Said, check

Check = Callable[..., Said]
NO_LOG = ["FAIL", "log unavailable (see check 1)"]
UNPARSED = ["FAIL", "log does not fully parse; see check 1"]


def cannot_read(why: str, path: str = "repo") -> list[str]:
    return ["FAIL", f"{LOG}: cannot read {path}/{LOG}: {why}"]


def test_a_missing_log_fails_every_check_but_the_one_of_the_history(
    repo: AgentRepository, said: Check
) -> None:
    repo.delete(LOG)
    repo.commit()
    outcome = said()
    assert outcome.of(1) == cannot_read("No such file or directory (os error 2)")
    assert [outcome.of(number) for number in (2, 3, 5, 6, 7)] == [NO_LOG] * 5
    assert outcome.of(4) == ["PASS"]


def test_a_folder_above_the_log_that_is_a_file_is_named_by_the_system(
    repo: AgentRepository, said: Check
) -> None:
    repo.delete("state")
    repo.write("state", "x")
    assert said().of(1) == cannot_read("Not a directory (os error 20)")


def test_a_log_that_is_a_link_is_followed(repo: AgentRepository, said: Check) -> None:
    (repo.root / LOG).rename(repo.root / "state/elsewhere")
    (repo.root / LOG).symlink_to("elsewhere")
    assert said().code == 0


def test_a_log_that_links_to_itself_is_told(repo: AgentRepository, said: Check) -> None:
    repo.delete(LOG)
    (repo.root / LOG).symlink_to("events.jsonl")
    assert said().of(1) == cannot_read("Too many levels of symbolic links (os error 40)")


def test_a_log_that_nobody_may_read_is_told(repo: AgentRepository, said: Check) -> None:
    (repo.root / LOG).chmod(0)
    if os.access(repo.root / LOG, os.R_OK):
        pytest.skip("this user reads everything")
    assert said().of(1) == cannot_read("Permission denied (os error 13)")


@pytest.mark.parametrize("make", ["pipe", "socket", "device"])
def test_what_would_never_end_is_not_opened(
    repo: AgentRepository, said: Check, make: str, tmp_path: Path
) -> None:
    repo.delete(LOG)
    if make == "pipe":
        os.mkfifo(repo.root / LOG)
    elif make == "socket":
        (repo.root / "state").mkdir(exist_ok=True)
        os.chdir(repo.root / "state")
        socket.socket(socket.AF_UNIX).bind("events.jsonl")
        os.chdir(tmp_path)
    else:
        (repo.root / LOG).symlink_to("/dev/zero")
    assert said().of(1) == cannot_read("not a regular file")


@pytest.mark.parametrize("word", ["repo", "repo/", "./repo", "repo/.", "repo//"])
def test_the_path_is_shown_as_it_was_typed(
    repo: AgentRepository, capsys: pytest.CaptureFixture[str], word: str
) -> None:
    repo.delete(LOG)
    shown = os.path.join(word, LOG)  # noqa: PTH118 - keeps what was typed
    why = "No such file or directory (os error 2)"
    assert check(capsys, word).of(1) == ["FAIL", f"{LOG}: cannot read {shown}: {why}"]


def test_an_empty_word_is_the_working_directory(
    repo: AgentRepository, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.root)
    assert check(capsys, "").code == 0
    assert check(capsys, ".").code == 0


@pytest.mark.parametrize(
    "bad", [b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82"]
)
def test_bytes_that_are_no_utf8_make_the_log_unreadable_wherever_they_stand(
    repo: AgentRepository, said: Check, bad: bytes
) -> None:
    why = cannot_read("stream did not contain valid UTF-8")
    text = repo.read()
    for broken in (text + bad, bad + text, text.replace(b"persist", b"per" + bad + b"sist", 1)):
        repo.write(LOG, broken)
        outcome = said()
        assert outcome.of(1) == why
        assert [outcome.of(number) for number in (2, 3, 5, 6, 7)] == [NO_LOG] * 5


def test_lines_end_at_newlines_only_and_blank_ones_are_not_counted(
    repo: AgentRepository, said: Check
) -> None:
    blank = (
        "\n\t \x0b\x0c\r\n\u0085\n\u00a0\u1680\u2000\u200a\n\u2028\u2029\n\u202f\u205f\u3000\r\n"
    )
    odd = event(11, "tool.called", {"text": "a\u2028b\u0085c\x7f"}, None)
    repo.append(blank.encode() + as_line(odd))
    assert said().of(5) == [
        "FAIL",
        "line 11: root event (null causation) has kind `tool.called`, "
        "expected *.created / *.started / state.ops_applied",
    ]


@pytest.mark.parametrize(
    "sign", ["\x1c", "\x1d", "\x1e", "\x1f", "\u200b", "\ufeff", "\u180e", "\x00"]
)
def test_a_line_of_what_is_no_white_space_is_no_blank_line(
    repo: AgentRepository, said: Check, sign: str
) -> None:
    repo.insert_line(4, sign)
    outcome = said()
    assert outcome.of(1) == ["FAIL", "line 4: not JSON: expected value at line 1 column 1"]
    assert [outcome.of(number) for number in (2, 3, 5, 6, 7)] == [UNPARSED] * 5


def test_only_one_carriage_return_belongs_to_the_line_end(
    repo: AgentRepository, said: Check
) -> None:
    repo.write(LOG, repo.read().replace(b"\n", b"\r\r\n"))
    assert said().code == 0


def test_the_last_line_counts_without_a_newline(repo: AgentRepository, said: Check) -> None:
    repo.append(as_line(event(11, "goal.created", {"id": "goal_2"}, None)))
    assert said().of(7) == [
        "FAIL",
        "line 11: goal.created `goal_2` has no paired state.ops_applied",
    ]


def test_nothing_but_blank_lines_is_an_empty_log(repo: AgentRepository, said: Check) -> None:
    repo.write(LOG, "\n\n \n")
    assert said().code == 0
