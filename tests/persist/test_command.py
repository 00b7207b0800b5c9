"""The prompt reaches the agent byte for byte, and no shell reads what stands in it."""

from __future__ import annotations

import re
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.persist.command import LARGEST_ARGUMENT, CommandError, Via, understand

PATH = "/tmp/prompt"
NASTY = b"$(touch a) `touch b` ' \" ; > c | & * ~ \\ {} {file} $1\n"
PRINTER = "printf %s"


def argv(text: str, prompt: bytes = b"go", via: Via = "arg", **how: bool) -> tuple[str, ...]:
    return understand(text, via, shell=how.pop("shell", False), **how).call(prompt, PATH).argv


def test_the_prompt_is_one_argument() -> None:
    assert argv("claude -p '{}'") == ("claude", "-p", "go")
    assert argv("codex {}") == ("codex", "go")


def test_f1_nothing_in_the_prompt_is_read_by_a_shell() -> None:
    """F1: `$(…)` ran as a command, and an apostrophe used up the whole budget."""
    assert argv("claude -p '{}'", NASTY) == ("claude", "-p", NASTY.decode())


@given(
    st.binary(max_size=60).filter(lambda data: not re.match(rb"-|.*\0", data, re.S)), st.booleans()
)
def test_f1_the_same_bytes_reach_the_program_with_a_shell_or_without(
    prompt: bytes, shell: bool
) -> None:
    call = understand(f"{PRINTER} '{{}}'", "arg", shell=shell).call(prompt, PATH)
    assert prompt == call.argv[-2 if shell else -1].encode("utf-8", "surrogateescape")


def test_f1_a_shell_that_was_asked_for_gets_the_prompt_as_a_parameter() -> None:
    for text in (f"{PRINTER} {{}}", f"{PRINTER} '{{}}'", f'{PRINTER} "{{}}"', PRINTER):
        ran = subprocess.run(argv(text, NASTY, shell=True), capture_output=True, check=True)
        assert ran.stdout == NASTY


@pytest.mark.parametrize("text", [f"{PRINTER} 'see {{}} there'", f'{PRINTER} "see {{}} there"'])
def test_a_shell_that_was_asked_for_loses_no_prompt_whose_place_stands_in_quotes(text: str) -> None:
    """No parameter is read between single quotes: the agent got the two signs that name it."""
    ran = subprocess.run(argv(text, NASTY, shell=True), capture_output=True, check=True)
    assert ran.stdout == b"see {} there" + NASTY


def test_f2_a_prompt_that_is_too_large_for_an_argument_is_refused_in_plain_words() -> None:
    """F2: 200,000 bytes ended in a traceback."""
    assert len(argv("a {}", b"x" * LARGEST_ARGUMENT)[1]) == LARGEST_ARGUMENT
    with pytest.raises(CommandError, match="200000 bytes, and one argument holds at most 131071"):
        argv("a {}", b"x" * 200_000)
    call = understand("a", "stdin", shell=False).call(b"x" * 200_000, PATH)
    assert call.stdin == b"x" * 200_000


def test_f2_the_largest_argument_really_can_be_handed_over() -> None:
    ran = subprocess.run(argv("echo {}", b"x" * LARGEST_ARGUMENT), capture_output=True, check=True)
    assert len(ran.stdout) == LARGEST_ARGUMENT + 1


def test_f3_without_a_place_the_prompt_comes_last_as_one_argument() -> None:
    """F3: words, `>` and `;` of the prompt became shell syntax."""
    assert argv("claude -p", b"a > out.txt; b") == ("claude", "-p", "a > out.txt; b")


def test_f4_braces_inside_another_argument_stay() -> None:
    """F4: every `{}` was replaced, also in JSON."""
    assert argv("""a --json '{"x":{}}' {}""") == ("a", "--json", '{"x":{}}', "go")
    assert argv("""a '{"x":{}}'""", everywhere=True) == ("a", '{"x":go}')


def test_f5_a_nul_byte_is_refused_where_it_cannot_be_handed_over() -> None:
    with pytest.raises(CommandError, match="NUL byte"):
        argv("a {}", b"x\0y")
    assert understand("a", "stdin", shell=False).call(b"x\0y", PATH).stdin == b"x\0y"


@pytest.mark.parametrize("shell", [False, True])
def test_by_stdin_and_by_file_nothing_stands_where_the_argument_would(*, shell: bool) -> None:
    by_stdin = argv("claude -p '{}'", via="stdin", shell=shell)
    by_file = argv("claude -p '{}' --from {file}", via="file", shell=shell)
    if shell:
        assert by_stdin[2].split() == ["claude", "-p"]
        assert by_file[2].split() == ["claude", "-p", "--from", '"$2"']
    else:
        assert by_stdin == ("claude", "-p")
        assert by_file == ("claude", "-p", "--from", PATH)


def test_by_file_the_path_comes_last_where_it_has_no_place() -> None:
    assert argv("claude", via="file") == ("claude", PATH)
    assert argv("claude", via="file", shell=True)[2] == 'claude "$2"'


@pytest.mark.parametrize(
    ("text", "said"), [("", "is empty"), ("claude 'x", "close the quote"), ("a\0b", "NUL byte")]
)
def test_a_command_that_is_none_says_what_to_do(text: str, said: str) -> None:
    with pytest.raises(CommandError, match=said):
        understand(text, "arg", shell=False)


@pytest.mark.parametrize("shell", [False, True])
def test_a_prompt_that_an_agent_could_take_for_an_option_is_refused(*, shell: bool) -> None:
    """The prompt is often written by the agent itself, which must not choose its own options."""
    agent = understand("claude -p {}", "arg", shell=shell)
    with pytest.raises(CommandError, match=r"begins with -, .*put -- before"):
        agent.call(b"--dangerously-skip-permissions", "p")
    assert agent.call(b"Do - this", "p").argv[-1 if not shell else -2] == "Do - this"


@pytest.mark.parametrize("text", ["claude -p -- {}", "claude -p --"])
def test_after_two_dashes_a_prompt_may_begin_as_it_likes(text: str) -> None:
    assert understand(text, "arg", shell=False).call(b"- one", "p").argv[-2:] == ("--", "- one")


def test_where_no_argument_is_the_place_the_end_of_options_counts_too() -> None:
    assert argv("""claude --json '{"a":"{}"}' --""", b"- one")[-2:] == ("--", "- one")
    with pytest.raises(CommandError, match="begins with -"):
        argv("claude 'a -- b' {}", b"- one", shell=True)


def test_by_stdin_a_prompt_may_begin_as_it_likes() -> None:
    assert understand("claude -p", "stdin", shell=False).call(b"---", "p").stdin == b"---"
