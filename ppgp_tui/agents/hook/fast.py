#!python
"""`ppgp-hook AGENT`: what a coding agent runs at its hook points, with the event as JSON on stdin.

This file alone is enough for an ordinary tool call while nobody wants anything of the agent: one
look at `control.json`, one line in the session's calls. It is installed twice, as a script and as
`hook.py` in the user's data folder, and so it imports nothing of the package and nothing slow: no
json, no re, no pathlib, no typing. Whatever is not as it should be is left to the package
(`ppgp_tui.agents.hook.main`), which the same interpreter then runs with the same event.

Without a folder `.ppgp` nothing is done and nothing is made.
"""

import os
import sys
import time

PROJECT = {"claude": b"CLAUDE_PROJECT_DIR", "gemini": b"GEMINI_PROJECT_DIR"}
"""Variables in which agents name the folder they work for."""

WORDS = {
    b"PreToolUse": b"pre",
    b"PostToolUse": b"post",
    b"PostToolUseFailure": b"fail",
    b"BeforeTool": b"pre",
    b"AfterTool": b"post",
}
"""Events around a tool call, as the calls name them."""

WANTED = (
    b"hook_event_name", b"session_id", b"cwd", b"tool_name", b"tool_use_id", b"agent_id", b"status",
)  # fmt: skip

PLAIN = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
WORD = PLAIN + b":"
LONGEST = 96
CONTROL_MOST = 65536
STDIN_LIMIT_S = 60
BLANKS = b" \t\r\n"
VALUES = BLANKS + b":0123456789+-.eEtrufalsn"
COMMA = ord(",")
BACKSLASH = ord("\\")

PACKAGE = """import sys
try:
    from ppgp_tui.agents.hook.main import main
except ImportError as error:
    if "--strict" in sys.argv and b'"PreToolUse"' in sys.stdin.buffer.read():
        print(f"ppgp-tui is not installed for this Python any more: {error}", file=sys.stderr)
        sys.exit(2)
    sys.exit(0)
main(sys.argv[1:])
"""


class Surprise(Exception):  # noqa: N818 - no error: somebody else knows what to do
    """Something that this file leaves to the package."""


def scan(data: bytes) -> dict[bytes, bytes]:
    """Return the texts of the WANTED members of the JSON object `data`, as they are written.

    Members inside other members do not count; one that is null is absent. Raises `Surprise` for
    what is no plain JSON object, and where a wanted one is escaped, given twice or no text.
    """
    found: dict[bytes, bytes] = {}
    key = b""  # the wanted member whose value comes next
    is_key = False  # whether a text that begins here names a member of the object itself
    depth = at = 0
    while True:
        quote = data.find(b'"', at)
        between = data[at:] if quote < 0 else data[at:quote]
        signs = between.translate(None, VALUES)
        if key and between.strip(BLANKS) != b":":
            if between.replace(b"}", b",").partition(b",")[0].strip(BLANKS + b":") != b"null":
                raise Surprise
            key = b""
        for sign in signs:
            if sign in b"{[":
                depth += 1
                is_key = depth == 1
            elif sign in b"}]":
                depth -= 1
                is_key = False
            elif sign == COMMA:
                is_key = depth == 1
            else:
                raise Surprise
        if quote < 0:
            if depth or not data.lstrip(BLANKS).startswith(b"{"):
                raise Surprise
            return found
        end = end_of_text(data, quote + 1)
        if depth == 1 and (is_key or key):
            text = data[quote + 1 : end]
            if b"\\" in text:
                raise Surprise
            if is_key:
                key = text if text in WANTED else b""
                is_key = False
            elif key in found:
                raise Surprise
            else:
                found[key] = text
                key = b""
        at = end + 1


def end_of_text(data: bytes, at: int) -> int:
    """Return where the quote is that ends the text beginning at `at`."""
    end = data.find(b'"', at)
    while end > 0 and data[end - 1] == BACKSLASH:
        back = end - 2
        while data[back] == BACKSLASH:
            back -= 1
        if (end - back) % 2:  # an even number of them: none is left for the quote
            break
        end = data.find(b'"', end + 1)
    if end < 0:
        raise Surprise
    return end


def root_of(agent: str, cwd: bytes | None) -> bytes | None:
    """Return the folder that holds `.ppgp`, or None. `cwd` is the agent's working directory."""
    named = os.environb.get(b"PPGP_ROOT")
    if named:
        named = os.path.realpath(os.path.expanduser(named))
        return named if os.path.isdir(named + b"/.ppgp") else None
    project = os.environb.get(PROJECT[agent]) if agent in PROJECT else None
    folder = os.path.realpath(project or cwd or os.getcwdb())
    while not os.path.isdir(folder + b"/.ppgp"):
        above = os.path.dirname(folder)
        if above == folder or is_top(folder + b"/.git"):
            return None
        folder = above
    return folder


def is_top(git: bytes) -> bool:
    """Whether `git` is the folder of a Git repository, or the file that stands for one."""
    return os.path.isfile(git) or os.path.lexists(git + b"/HEAD")


def opened(name: bytes, flags: int, folder: int) -> int:
    """Open `name` in the open `folder`, never through a link and only what is the user's own."""
    descriptor = os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, dir_fd=folder)
    if os.fstat(descriptor).st_uid != os.geteuid():
        raise Surprise
    return descriptor


def generation_of(control: bytes) -> bytes:
    """Return the generation of an order that wants nothing of anybody; canonical JSON."""
    quiet = b'"hold":null' in control and b'"slow":false' in control and b'"schema":1' in control
    before, name, after = control.partition(b'"generation":')
    digits = after.partition(b",")[0]
    if not (quiet and name and before[:1] == b"{" and control[-2:] == b"}\n" and digits.isdigit()):
        raise Surprise
    return digits


def word(text: bytes) -> bytes:
    """Return `text` as a word of the calls."""
    if text.translate(None, WORD):
        raise Surprise
    return text[:LONGEST] or b"-"


def fast(agent: str, strict: bool, data: bytes) -> None:
    """Deal with an ordinary call; anything else raises `Surprise` or OSError."""
    event = scan(data)
    root = root_of(agent, event.get(b"cwd"))
    if root is None:
        return
    name = event[b"hook_event_name"]
    what = WORDS.get(name)
    silent = name == b"PostToolBatch" or (
        name == b"PostModelRequest" and event.get(b"status") == b"completed"
    )
    session = event[b"session_id"]
    if (what is None and not silent) or session.translate(None, PLAIN):
        raise Surprise
    if not 0 < len(session) <= LONGEST:
        raise Surprise
    key = agent.encode() + b"-" + session
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    for part in (b".ppgp", b"run"):
        folder = opened(part, os.O_RDONLY | os.O_DIRECTORY, folder)
    try:
        control = os.read(opened(b"control.json", os.O_RDONLY, folder), CONTROL_MOST)
        generation = generation_of(control)
    except FileNotFoundError:
        if strict:
            raise
        generation = b"0"
    if silent:
        return
    line = b"%d %s %s go %s %s %s\n" % (
        time.time_ns() // 1000000,
        what,
        generation,
        word(event.get(b"tool_use_id", b"-")),
        word(event.get(b"agent_id", b"-")),
        word(event[b"tool_name"]),
    )
    folder = opened(b"agents", os.O_RDONLY | os.O_DIRECTORY, folder)
    calls = opened(key + b".calls", os.O_WRONLY | os.O_APPEND, folder)
    if os.write(calls, line) != len(line):
        raise Surprise


def run_package(words: list[str], data: bytes) -> None:
    """Become the package's own program, with the event on stdin. Never returns."""
    if hasattr(os, "memfd_create"):
        again = os.memfd_create("event", 0)
    else:
        import tempfile

        again = os.dup(tempfile.TemporaryFile().fileno())
    with open(again, "wb", closefd=False) as file:
        file.write(data)
    os.lseek(again, 0, os.SEEK_SET)
    os.dup2(again, 0)
    os.execv(sys.executable, [sys.executable, "-E", "-P", "-c", PACKAGE, *words])


def read_stdin() -> bytes:
    """Return all of stdin. An agent that never closes it must not be held up for ever."""
    from _signal import alarm  # type: ignore[import-not-found]  # `signal` is slow to import

    alarm(STDIN_LIMIT_S)
    pieces = []
    while piece := os.read(0, 1 << 20):
        pieces.append(piece)
    alarm(0)
    return b"".join(pieces)


def main(words: list[str]) -> None:
    """Answer one event; an empty answer means that the agent goes on."""
    strict = "--strict" in words
    data = b""
    try:
        data = read_stdin()
        try:
            fast(words[0], strict, data)
        except (Surprise, OSError, KeyError, IndexError, ValueError):
            run_package(words, data)
    except Exception as error:
        if strict and b'"PreToolUse"' in data:  # anything else that is refused would begin anew
            os.write(2, b"ppgp-tui could not look at the pause: %s\n" % repr(error).encode())
            os._exit(2)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
