"""After whatever happens to it, the live verdict is what a check of the whole repository says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.gasp.checks.agent_repository import DATA, LOG, AgentRepository, as_line, event
from tests.session.sources.verdicts import Live, Said, whole

MUTATIONS = json.loads((DATA / "mutations.json").read_text("utf-8"))["cases"][::5]


@pytest.mark.parametrize("case", MUTATIONS, ids=lambda case: case["name"])
def test_after_any_recorded_mutation_it_says_what_a_whole_check_says(
    made: AgentRepository, case: dict[str, Any]
) -> None:
    live = Live(made.root)
    live.look()
    for step in case["steps"]:
        made.follow([step])
        if made.root.is_dir():
            live.look()
    assert live.says() == whole(made.root)


_LINES = st.sampled_from(
    [
        as_line(event(11, "run.started", {}, None)),
        as_line(event(12, "goal.created", {"id": "g"}, None)),
        as_line(event(13, "tool.called", {}, "event_11")),
        as_line(event(14, "tool.called", {}, "event_99")),
        as_line(
            event(
                15,
                "state.ops_applied",
                [{"CreateNode": {"id": "g", "kind": "goal", "props": {}}}],
                "event_12",
            )
        ),
        as_line(event(16, "state.ops_applied", {"no": "list"}, "event_12")),
        b"",
        b"  \r",
        b"{",
        b"\xff",
        "\N{GRINNING FACE}".encode(),
    ]
)
_Act = tuple[str, Any]
_ACTS: st.SearchStrategy[_Act] = st.one_of(
    st.tuples(st.just("append"), _LINES),
    st.tuples(st.just("half"), _LINES),
    st.tuples(st.just("cut"), st.integers(1, 400)),
    st.tuples(st.just("replace"), st.lists(_LINES, max_size=3)),
    st.tuples(st.just("spoil"), st.integers(0, 3_000)),
    st.tuples(st.just("delete"), st.none()),
)


def _act(repository: AgentRepository, act: _Act) -> None:
    name, value = act
    path = repository.root / LOG
    data = path.read_bytes() if path.exists() else b""
    if name == "append":
        repository.write(LOG, data + value + b"\n")
    elif name == "half":
        repository.write(LOG, data + value[: len(value) // 2])
    elif name == "cut":
        repository.write(LOG, data[:-value])
    elif name == "replace":
        path.unlink(missing_ok=True)
        repository.write(LOG, b"".join(line + b"\n" for line in value))
    elif name == "spoil":
        at = value % (len(data) + 1)
        repository.write(LOG, data[:at] + b"!" + data[at + 1 :])
    else:
        path.unlink(missing_ok=True)


@settings(max_examples=80)
@given(acts=st.lists(st.tuples(_ACTS, st.booleans()), max_size=8), old=st.booleans())
def test_after_any_appends_cuts_and_replacements_it_says_what_a_whole_check_says(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[_Act, bool]], old: bool
) -> None:
    root = tmp_path_factory.mktemp("any") / "repo"
    repository = AgentRepository(root)
    live = Live(root, torn_is_old=old)
    live.look()
    for act, looks in acts:
        _act(repository, act)
        if looks:
            live.look()
    said, path = live.says(), root / LOG
    if not old and path.exists():  # a line in flight is left out
        data = path.read_bytes()
        path.write_bytes(data[: data.rfind(b"\n") + 1])
    assert _without_git(said) == _without_git(whole(root))


def _without_git(said: Said) -> Said:
    return {number: told for number, told in said.items() if number != 4}
