"""Hook entries in the text of a settings file: whatever the file looks like, all of it stays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.agents.connect import merge
from ppgp_tui.agents.connect.merge import UnfitError

HOOK = "/home/me/.local/share/ppgp-tui/hook.py"


def ours(agent: str = "claude", timeout: int = 60) -> dict[str, Any]:
    """One handler as it is written for Claude Code."""
    words = ["-I", "-S", HOOK, agent]
    return {"type": "command", "command": "/usr/bin/python3", "args": words, "timeout": timeout}


WANTED = {event: {"hooks": [ours()]} for event in ("PreToolUse", "Stop", "SessionStart")}
ENTRY = json.dumps({"hooks": [ours()]})
DENSE = json.dumps({"hooks": [ours()]}, separators=(",", ":"))

FILES = {
    "nothing": "",
    "blank lines": " \n\n",
    "an empty object": "{}",
    "an empty object and a line's end": "{}\n",
    "an empty object on two lines": "{\n}\n",
    "two blanks": '{\n  "model": "opus"\n}\n',
    "four blanks": '{\n    "a": {\n        "b": 1\n    }\n}\n',
    "tabs": '{\n\t"a": [\n\t\t1,\n\t\t2\n\t]\n}\n',
    "odd indentation": '{\n   "a": 1,\n     "b" :2\n }',
    "Windows line ends": '{\r\n  "a": 1\r\n}\r\n',
    "one line": '{"a": 1, "b": [1, 2]}',
    "dense": '{"a":1,"b":{"c":[]}}',
    "the first member beside the bracket": '{"a": 1,\n "b": 2}\n',
    "no newline at the end": '{\n  "a": 1\n}',
    "empty hooks": '{\n  "hooks": {}\n}\n',
    "empty hooks, dense": '{"hooks":{}}',
    "an event without entries": '{\n  "hooks": {\n    "Stop": []\n  }\n}\n',
    "foreign hooks": (
        '{\n  "hooks": {\n    "PreToolUse": [\n      {\n        "matcher": "Bash",\n'
        '        "hooks": [{"type": "command", "command": "lint"}]\n      }\n    ],\n'
        '    "Notification": [{"hooks": []}]\n  },\n  "model": "opus"\n}\n'
    ),
    "foreign hooks on one line": '{"hooks": {"Stop": [{"hooks": [{"type": "command"}]}]}}',
    "foreign hooks on one line of many": (
        '{\n  "a": 1,\n  "hooks": {"Stop": [{"hooks": []}], "Other": []}\n}\n'
    ),
    "words that look like ours": '{"note": "{\\"hooks\\": [\\\\]}", "b": "}{][,:"}',
    "duplicate names elsewhere": '{"a": 1, "a": 2, "env": {"X": "1", "X": "2"}}',
    "numbers nobody can keep": '{"a": 1.10, "b": 1e400, "c": 123456789012345678901234567890}',
    "other scripts": '{"название": "值 🦀", "\\ud83e\\udd80": "\\u00e9"}',
    "deep": '{"a": ' + '{"b": [' * 60 + "1" + "]}" * 60 + "}",
}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES.keys())
def test_what_is_put_in_can_be_cut_out_to_the_byte(text: str) -> None:
    merged = merge.merge(text, WANTED)
    assert merge.is_complete(merged.text, WANTED)
    assert merge.cut(merged.text, merged.pieces) == text


@pytest.mark.parametrize("text", FILES.values(), ids=FILES.keys())
def test_nothing_that_was_there_is_another(text: str) -> None:
    merged = json.loads(merge.merge(text, WANTED).text)
    before = json.loads(text) if text.strip() else {}
    for name in {*before} - {"hooks"}:
        assert merged[name] == before[name]
    assert list(merged)[: len(before)] == list(before)
    for event, groups in before.get("hooks", {}).items():
        assert merged["hooks"][event][: len(groups)] == groups


@pytest.mark.parametrize("text", FILES.values(), ids=FILES.keys())
def test_without_a_receipt_the_rest_says_the_same(text: str) -> None:
    merged = merge.merge(text, WANTED)
    left = merge.remove(merged.text, (), merged.made)
    assert merge.entries(left) == []
    assert json.loads(left) == (json.loads(text) if text.strip() else {})


GOLDEN = {
    '{\n    "a": 1\n}\n': (
        '{\n    "a": 1,\n    "hooks": {\n        "Stop": [\n            @\n        ]\n    }\n}\n'
    ),
    '{\r\n\t"a": 1\r\n}\r\n': (
        '{\r\n\t"a": 1,\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t@\r\n\t\t]\r\n\t}\r\n}\r\n'
    ),
    '{"a":1}': '{"a":1,"hooks":{"Stop":[@]}}',
    '{"a": 1}': '{"a": 1, "hooks": {"Stop": [@]}}',
    '{\n  "hooks": {"Stop": [{"hooks": []}]}\n}': ('{\n  "hooks": {"Stop": [{"hooks": []}, @]}\n}'),
    '{\n  "hooks": {\n    "Stop": [\n      1\n    ]\n  }\n}': (
        '{\n  "hooks": {\n    "Stop": [\n      1,\n      @\n    ]\n  }\n}'
    ),
    "": '{\n  "hooks": {\n    "Stop": [\n      @\n    ]\n  }\n}\n',
}


@pytest.mark.parametrize("text", GOLDEN, ids=repr)
def test_it_is_written_as_the_file_is_written(text: str) -> None:
    entry = DENSE if text == '{"a":1}' else ENTRY
    assert merge.merge(text, {"Stop": WANTED["Stop"]}).text == GOLDEN[text].replace("@", entry)


REFUSED = {
    '{\n  // mine\n  "a": 1\n}': "line 2: a comment; the agent ignores the whole file for it",
    '{"a": 1 /* one */}': "line 1: a comment",
    '{\n  "a": 1,\n}': "a comma before the closing bracket",
    '{"hooks": {}, "hooks": {}}': '"hooks" is given 2 times',
    '{"hooks": {"Stop": [], "Stop": []}}': '"Stop" is given 2 times',
    '{"hooks": []}': '"hooks" is no object',
    '{"hooks": {"Stop": {}}}': '"Stop" is no array',
    "[1]": "it is no JSON object",
    '{"a": NaN}': "NaN is no JSON",
    "{": "line 1: ",
    "[" * 100_000: "it is nested too deep",
}


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: text[:40])
def test_what_an_agent_would_not_read_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(UnfitError) as refusal:
        merge.merge(text, WANTED)
    assert REFUSED[text] in str(refusal.value)


# Edited in between --------------------------------------------------------------------------------


def test_an_edit_elsewhere_leaves_everything_else_to_the_byte() -> None:
    text = FILES["foreign hooks"]
    merged = merge.merge(text, WANTED)
    edited = merged.text.replace('"opus"', '"sonnet",\n  "more":   [1,2 ]')
    left = merge.remove(edited, merged.pieces, merged.made)
    assert left == text.replace('"opus"', '"sonnet",\n  "more":   [1,2 ]')


def test_entries_with_the_same_words_are_each_found_at_their_own_place() -> None:
    text = '{"a": 1, "hooks": {"Stop": [ ], "PreToolUse": [1], "SessionStart": [\t]}}'
    merged = merge.merge(text, WANTED)
    for was, now in (('"a": 1', '"a": 2'), ('"a": 1', '"a": "longer"'), ("[1", "[7, 8")):
        edited = merged.text.replace(was, now, 1)
        left = merge.remove(edited, merged.pieces, merged.made)
        assert left == text.replace(was, now, 1)


def test_somebody_may_add_hooks_beside_ours() -> None:
    merged = merge.merge('{\n  "a": 1\n}\n', WANTED)
    mine = '{"hooks": [{"type": "command", "command": "lint"}]}'
    edited = merged.text.replace(ENTRY, f"{ENTRY},\n      {mine}", 1)
    left = merge.remove(edited, merged.pieces, merged.made)
    assert json.loads(left) == {"a": 1, "hooks": {"PreToolUse": [json.loads(mine)]}}


def test_a_handler_moved_into_a_foreign_group_goes_alone() -> None:
    lint = {"type": "command", "command": "lint"}
    text = json.dumps({"hooks": {"Stop": [{"matcher": "x", "hooks": [ours(), lint, ours()]}]}})
    left = merge.remove(text)
    assert json.loads(left) == {"hooks": {"Stop": [{"matcher": "x", "hooks": [lint]}]}}


def test_entries_that_stand_there_twice_both_go() -> None:
    merged = merge.merge("{}", WANTED)
    twice = json.loads(merged.text)
    for event in WANTED:
        twice["hooks"][event] *= 2
    text = json.dumps(twice, indent=3)
    assert not merge.is_complete(text, WANTED)
    assert merge.entries(merge.remove(text)) == []


def test_a_file_written_anew_by_its_agent_loses_only_ours() -> None:
    text = FILES["an event without entries"]
    merged = merge.merge(text, WANTED)
    anew = json.dumps({**json.loads(merged.text), "permissions": {"allow": ["Bash"]}}, indent=2)
    left = merge.remove(anew, merged.pieces, merged.made)
    assert json.loads(left) == {**json.loads(text), "permissions": {"allow": ["Bash"]}}


def test_an_entry_of_another_time_is_not_complete() -> None:
    merged = merge.merge("{}", {**WANTED, "Stop": {"hooks": [ours(timeout=5)]}})
    assert not merge.is_complete(merged.text, WANTED)
    assert not merge.is_complete(merge.merge("{}", {"Stop": WANTED["Stop"]}).text, WANTED)


def test_programs_of_others_are_not_ours() -> None:
    for handler in (
        {"type": "command", "command": "/opt/other/hook.py"},
        {"type": "command", "command": "python", "args": ["/ppgp-tui/hook.pyc"]},
        {"type": "command", "command": "'unclosed /ppgp-tui/hook.py"},
        {"type": "command", "command": 7},
        "hook",
    ):
        assert not merge.is_ours(handler)
    assert merge.is_ours({"command": "'/a b/python' -I -S '/a b/ppgp-tui/hook.py' codex"})


# Any settings -------------------------------------------------------------------------------------

_leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
_json = st.recursive(
    _leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
_handlers = st.fixed_dictionaries({"type": st.just("command"), "command": st.text(max_size=9)})
_groups = st.fixed_dictionaries(
    {"hooks": st.lists(_handlers, max_size=2)}, optional={"matcher": st.text(max_size=5)}
)
_hooks = st.dictionaries(
    st.sampled_from(["Stop", "PreToolUse", "Notification", "hooks"]),
    st.lists(_groups, max_size=3),
    max_size=4,
)
_rest = st.dictionaries(st.text(max_size=6).filter(lambda name: name != "hooks"), _json)
_settings = st.one_of(
    _rest,
    st.builds(lambda rest, hooks: {"hooks": hooks, **rest}, _rest, _hooks),
    st.builds(lambda rest, hooks: {**rest, "hooks": hooks}, _rest, _hooks),
)
_blank = st.text(" \t\r\n", max_size=4)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Settings, written in any way JSON allows: any blanks anywhere."""
    value = draw(_settings)
    style = draw(st.sampled_from(["pretty", "dense", "wild"]))
    ascii_only = draw(st.booleans())
    if style == "pretty":
        indent = draw(st.sampled_from([0, 1, 2, 3, 4, "\t", " \t"]))
        said = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
        said += draw(st.sampled_from(["", "\n"]))
        return said.replace("\n", "\r\n") if draw(st.booleans()) else said
    if style == "dense":
        return json.dumps(value, separators=(",", ":"), ensure_ascii=ascii_only)

    def written(one: Any) -> str:
        if isinstance(one, dict):
            parts = [
                f"{draw(_blank)}{json.dumps(k)}{draw(_blank)}:{draw(_blank)}{written(v)}"
                for k, v in one.items()
            ]
            return "{" + ",".join(parts) + draw(_blank) + "}"
        if isinstance(one, list):
            parts = [f"{draw(_blank)}{written(v)}{draw(_blank)}" for v in one]
            return "[" + ",".join(parts) + draw(_blank) + "]"
        return json.dumps(one, ensure_ascii=ascii_only)

    return f"{draw(_blank)}{written(value)}{draw(_blank)}"


@given(texts())
def test_connecting_and_disconnecting_is_the_identity_on_any_settings(text: str) -> None:
    merged = merge.merge(text, WANTED)
    assert merge.is_complete(merged.text, WANTED)
    assert merge.cut(merged.text, merged.pieces) == text
    assert merge.remove(merged.text, merged.pieces, merged.made) == text
    assert json.loads(merge.remove(merged.text, (), merged.made)) == json.loads(text)


@given(texts())
def test_whatever_rewrites_the_file_in_between_loses_nothing(text: str) -> None:
    merged = merge.merge(text, WANTED)
    anew = json.dumps({**json.loads(merged.text), "new": [1]}, indent=2)
    left = merge.remove(anew, merged.pieces, merged.made)
    assert json.loads(left) == {**json.loads(text), "new": [1]}


@given(st.text())
def test_any_text_at_all_is_taken_or_refused(text: str) -> None:
    try:
        merged = merge.merge(text, WANTED)
    except UnfitError:
        return
    assert merge.cut(merged.text, merged.pieces) == text
