"""What `persist iterate` refuses as wrong usage, and what settings and options change."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from ppgp_tui.cli.persist.group import main
from ppgp_tui.session.files import places
from tests.cli.persist.loops import Loops

Iterate = Callable[..., tuple[int, str, str]]


@pytest.fixture
def iterate(loops: Loops, capfd: pytest.CaptureFixture[str]) -> Iterate:
    """`persist iterate PROMPT.md WORDS` in this process."""
    (loops.work / "PROMPT.md").write_text("go on\n")

    def call(*words: str) -> tuple[int, str, str]:
        try:
            code = main(["iterate", "PROMPT.md", *words])
        except SystemExit as ended:
            code = int(ended.code or 0)
        return (code, *capfd.readouterr())

    return call


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--max-iterations", "0"], "argument --max-iterations: must be at least 1, not 0"),
        (["--max-iterations", "-4"], "argument --max-iterations: must be at least 1, not -4"),
        (["--max-wall-clock", "0"], "argument --max-wall-clock: must be at least 1, not 0"),
        (["--max-wall-clock", "1.5"], "argument --max-wall-clock: invalid int value: '1.5'"),
        (["--limit-backoff-base", "0"], "--limit-backoff-base: must be at least 1, not 0"),
        (["--max-wall-clock", "1" + "0" * 400], "must be at most 1000000000000"),
        (["--limit-backoff-base", "9", "--limit-backoff-max", "8"], "must not be above"),
        (["--iteration-timeout", "0"], "--iteration-timeout: must be at least 1, not 0"),
        (["--quick-failures", "-1"], "--quick-failures: must be at least 0, not -1"),
        (["--prompt-via", "post"], "invalid choice: 'post'"),
        (["--success-condition", "exit-code-zero"], "there are exit-code-0, file-exists:PATH"),
        (["--success-condition", "file-exists:"], "write file-exists:PATH"),
        (["--success-condition", "goal-verified"], "goal-verified needs --goal"),
    ],
)
def test_f12_and_f15_wrong_words_are_2_and_nothing_is_written(
    iterate: Iterate, loops: Loops, words: list[str], told: str
) -> None:
    code, out, err = iterate(*words)
    assert (code, out) == (2, "")
    assert told in err.splitlines()[-1]
    assert err.splitlines()[-1].startswith("persist iterate: error: argument ")
    assert not loops.home.path.exists()


@pytest.mark.parametrize("command", ["", "sh 'unclosed", "a\0b"])
def test_a_command_that_cannot_be_understood_is_1(
    iterate: Iterate, loops: Loops, command: str
) -> None:
    code, out, err = iterate("--agent-cmd", command)
    assert (code, out) == (1, "")
    assert err.startswith("persist: the agent command ")
    assert not loops.home.path.exists()


def test_with_compat_a_mistyped_condition_is_taken_and_never_holds(iterate: Iterate) -> None:
    code, _, _ = iterate(
        "--compat", "--success-condition", "exit-code-zero", "--max-iterations", "5",
        "--agent-cmd", "false",
    )  # fmt: skip
    assert code == 5


LIMITED = (
    "--agent-cmd", "sh -c 'echo Come back TOMORROW; exit 1'", "--max-iterations", "1",
    "--max-wall-clock", "1",
)  # fmt: skip


def states(loops: Loops) -> list[str]:
    return [json.loads(line)["to_state"] for line in loops.home.log.read_text().splitlines()]


def test_the_person_s_own_settings_say_how_limits_are_said(
    iterate: Iterate, loops: Loops, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = loops.work.parent / "config" / "ppgp-tui"
    config.mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(config.parent))
    assert places.config_folder() == config
    (config / "config.toml").write_text('[persist]\nlimit_phrases = ["come back tomorrow"]\n')
    assert iterate(*LIMITED)[0] == 5
    assert states(loops) == ["SPAWNED", "ITERATING", "PAUSED", "BUDGET_EXHAUSTED"]


def test_those_of_a_repository_do_not(iterate: Iterate, loops: Loops) -> None:
    own = loops.work / ".ppgp"
    own.mkdir()
    (own / "config.toml").write_text('[persist]\nlimit_phrases = ["come back tomorrow"]\n')
    assert iterate(*LIMITED)[0] == 5
    assert states(loops) == ["SPAWNED", "ITERATING", "BUDGET_EXHAUSTED"]


def test_what_a_prompt_s_name_holds_reaches_no_terminal_raw(iterate: Iterate, loops: Loops) -> None:
    code, out, err = iterate("--dry-run", "--agent-cmd", "true \x1b[31m")
    assert code == 0
    assert "\x1b" not in out + err
    assert "agent_cmd: true ␛[31m" in out


def test_a_longest_wait_below_the_usual_first_one_is_the_first_one(
    loops: Loops, iterate: Iterate
) -> None:
    code, _, _ = iterate("--limit-backoff-max", "3", "--agent-cmd", "true", "--dry-run")
    assert code == 0
    spawned = loops.reading().loops[0].spawned
    assert (spawned["limit_backoff_base_s"], spawned["limit_backoff_max_s"]) == (3, 3)


def test_a_folder_that_is_gone_is_said_to_be_gone(iterate: Iterate, loops: Loops) -> None:
    (loops.work / "PROMPT.md").unlink()
    loops.work.rmdir()
    code, _, err = iterate()
    assert (code, err[:64]) == (
        1,
        "persist: the folder that this was started in is gone: No such fi",
    )
