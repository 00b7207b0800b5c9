"""What is in the way: class stated or inferred, scope, date, and what is nothing at all."""

import pytest

from tests.ppgp.reader import codes, read, read_field


@pytest.mark.parametrize(
    ("text", "klass", "inferred"),
    [
        ("Type A: flaky test.", "A", False),
        ("(A) lint fails", "A", False),
        ("A: parser crash", "A", False),
        ("Class: B, the window", "B", False),
        ("Type B external asynchronous: elapsed time until 2026-10-23.", "B", False),
        ("Step A only: Type C authority. Owner must create the account.", "C", False),
        ("тип C: бюджет", "C", False),
        ("类型 B：窗口", "B", False),
        ("유형 C: 계약", "C", False),
        ("Typ D: kein Gerät", "D", False),
        ("awaiting CEO merge approval", "C", True),
        ("Needs legal sign-off.", "C", True),
        ("User must choose the plan.", "C", True),
        ("waiting for owner approval", "C", True),
        ("オーナーの承認が必要", "C", True),
        ("Waiting for the vendor's window.", "B", True),
        ("BLOCKED_EXTERNAL: upstream fix", "B", True),
        ("等待供应商的窗口", "B", True),
        ("Credentials are missing.", "D", True),
        ("No access to the build server.", "D", True),
        ("Two tests fail on Windows.", None, False),
        ("Raw quality is unresolved (Gate 1 + Gate 2).", None, False),
    ],
)
def test_a_class_is_stated_inferred_or_unknown(text: str, klass: str, inferred: bool) -> None:
    (blocker,) = read_field("BLOCKERS", f"- {text}").blockers
    assert (blocker.klass, blocker.inferred) == (klass, inferred)


@pytest.mark.parametrize(
    "body",
    [
        "None.", "- None.", "- None currently known.", "None. Merging is the owner's (no blocker).",
        "No open blockers", "n/a", "-", "Нет.", "无", "暂无", "なし", "없음", "Aucun.", "Keine.",
        "yok", "لا يوجد", "- [x] API key arrived", "- ~~DNS~~", "- RESOLVED: DNS",
        "- DNS (resolved)", "Nothing blocks this goal.", "There are no blockers.", "All clear.",
        "- A: none\n- B: n/a", "### Type A\nNone.\n\n### B\nNone", "Currently none.", "",
    ],
)  # fmt: skip
def test_nothing_and_what_is_resolved_are_no_blockers(body: str) -> None:
    assert read_field("BLOCKERS", body).blockers == ()


@pytest.mark.parametrize(
    "body",
    [
        "- None of the keys work",
        "- No access to the cluster",
        "- None except the key",
        "- Нет доступа к серверу",
        "- 没有权限",
    ],
)
def test_words_for_nothing_inside_a_blocker_do_not_hide_it(body: str) -> None:
    assert len(read_field("BLOCKERS", body).blockers) == 1


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("Step A only: Type C. Steps B and C are NOT blocked.", "Step A"),
        ("DoD 3: waiting for DNS", "DoD 3"),
        ("Type B, blocks DoD item 3: window", "DoD item 3"),
        ("Scope: release. Type C: owner must sign", "release"),
        ("Type C (Step B): owner must sign", "Step B"),
        ("Production deploy only — Type C", "Production deploy"),
        ("Type C: owner must sign", None),
        ("Read only: x", None),
    ],
)
def test_the_scope_is_the_documents_word_for_it(text: str, scope: str | None) -> None:
    (blocker,) = read_field("BLOCKERS", f"- {text}").blockers
    assert blocker.scope == scope


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("Type B: elapsed time until 2026-10-23.", "2026-10-23"),
        ("Type B: window ends 2026-10-01", "2026-10-01"),
        ("类型 B：2026年10月8日 才开放", "2026-10-08"),
        ("B 类：观察窗口到 2026-10-18。", "2026-10-18"),
        ("Type B: vendor silent (observed 2026-09-01)", None),
    ],
)
def test_the_date_is_the_one_waited_for(text: str, until: str | None) -> None:
    (blocker,) = read_field("BLOCKERS", f"- {text}").blockers
    assert blocker.until == until


def test_one_line_a_class_counts_only_what_is_there() -> None:
    reading = read_field(
        "BLOCKERS", "- A: none\n- B: window until 2026-10-01\n- C: none\n- D: none"
    )
    assert [(b.klass, b.until) for b in reading.blockers] == [("B", "2026-10-01")]


def test_a_group_gives_its_class() -> None:
    reading = read_field(
        "BLOCKERS", "### Type B\n- window\n\n- Type C (authority):\n  - sign it\n  - pay it"
    )
    assert [b.klass for b in reading.blockers] == ["B", "C", "C"]


def test_without_the_field_a_gate_in_a_heading_is_a_blocker() -> None:
    reading = read(
        "# X Active Goal\n\n## Gate — WAITING ON RELEASE WINDOW\ntext\n\n## Next\nWait.\n"
    )

    (blocker,) = reading.blockers
    assert (blocker.klass, blocker.inferred, blocker.line) == ("B", True, 3)


def test_with_the_field_headings_are_no_blockers() -> None:
    gate = "## Gate — WAITING ON RELEASE WINDOW\ntext"
    assert read_field("BLOCKERS", "None.", gate).blockers == ()


def test_an_owner_gated_block_is_one_blocker_and_as_many_decisions() -> None:
    reading = read("GOAL: Ship it.\n\nOWNER-GATED — NOT PERFORMED:\n- **Merge** it.\n- Deploy.\n")

    assert [b.klass for b in reading.blockers] == ["C"]
    assert [item.text for item in reading.authority.pending] == ["Merge it.", "Deploy."]


def test_non_blocking_headings_block_nothing() -> None:
    sections = "## Known non-blocking follow-ups\n- a\n\n## Unblocked work\n- b\n\n## Next\nGo.\n"
    assert read(f"# X Active Goal\n\n{sections}").blockers == ()


def test_a_blocker_without_class_is_a_finding() -> None:
    assert "no-class" in codes(read_field("BLOCKERS", "- The parser is slow."))
