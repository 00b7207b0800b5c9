"""Which field a heading names, through decorations and in other words."""

import pytest

from ppgp_tui.ppgp.names import name_of

CANONICAL = [
    "GOAL", "Goal", "goal", "🎯 GOAL", "GOAL 🎯", "1. GOAL", "2) GOAL", "3.1 GOAL", "[GOAL]",
    "**GOAL**", "`GOAL`", "GOAL:", "GOAL：", "GOAL（目标）", "目标（GOAL）", "GOAL / 目标",
    "目标 / GOAL", "【GOAL】", "(1) GOAL",
]  # fmt: skip

ALIASES = {
    "PHASE": "CURRENT_PHASE|Current phase|current-phase",
    "DEFINITION_OF_DONE": "DoD|DOD",
    "FROZEN_DECISIONS": "FROZEN",
    "BLOCKERS": "Blocker",
    "HUMAN_AUTHORITY_REQUIRED": "AUTHORITY|Human authority",
    "VERIFICATION_EVIDENCE": "Evidence",
    "VERIFIED_CURRENT_STATE": "Verified state",
    "NEXT_EXECUTABLE_ACTION": "NEXT|Next action|NEXT_STEP|Next executable actions|Next task"
    "|Next executable sequence|Next step (only one)",
}

SYNONYMS = {
    "GOAL": "Objective|Mission|Outcome|Task|The goal|Current goal|Главная цель|目标|ゴール|목표"
    "|Objectif|Objetivo|Ziel|Hedef|الهدف",
    "WHY": "Why now|Rationale|Motivation|Зачем|为什么|이유",
    "PHASE": "Status|Stage|Mode|Фаза|阶段|ステータス|상태|État|Estado|Stand|Durum|الحالة",
    "DEFINITION_OF_DONE": "Success criteria|Acceptance criteria|Acceptance evidence required"
    "|Done when|DONE_WHEN（M1 验收）|Stop condition|Immediate Definition of Done"
    "|Критерии готовности|完成标准|完了条件|완료 조건"
    "|Critères d'acceptation|Criterios de aceptación|Abnahmekriterien",
    "FROZEN_DECISIONS": "Frozen assumptions (do not relitigate)|Decisions|Accepted decisions"
    "|Принятые решения|冻结决策|決定事項",
    "INVARIANTS": "Constraints|Protected areas|Инварианты|约束|制約",
    "VERIFIED_CURRENT_STATE": "Current reality|Verified state on 2026-09-20|Exact proof status",
    "COMPLETED": "Delivered|Done|Progress|What is done|✅ Завершённые шаги (до шага 0)|已完成",
    "REMAINING": "Remaining work|Open gaps|Next steps|⬜ Следующие шаги|In progress|残作業",
    "BLOCKERS": "Exact current bottleneck|Current known issue|Known blockers|Блокеры|阻塞"
    "|ブロッカー",
    "HUMAN_AUTHORITY_REQUIRED": "Escalate when|OWNER-GATED — NOT PERFORMED (stop conditions)"
    "|Open PRs awaiting approval|Open PRs (awaiting CEO merge approval)|Needs owner approval",
    "VERIFICATION_EVIDENCE": "Round-trip evidence|Verification|Доказательства|验证证据",
    "NEXT_EXECUTABLE_ACTION": "Exact next action|Resume starting point|Текущая подзадача|下一步"
    "|推奨|次の作業|다음 작업|Prochaine action|Próximo paso|Nächster Schritt",
}

OTHERS = [
    "Non-goals", "NON_GOALS", "Out of scope", "Scope", "Milestone Themes", "Next release gate",
    "What happens next", "Delivery progress and next implementation slice", "Evidence required",
    "Required evidence", "Stop conditions", "Hard stop / checkpoint conditions",
    "Forbidden during execution", "Active track", "Known non-blocking follow-up",
    "Phase 1: Setup", "Phase 2 — Build", "Stage A", "Step 1 (COMPLETED)", "Milestone 1 — DONE",
    "T31 — fix login", "Notes", "Risks", "Open questions", "Open decisions", "Goal candidates",
    "ゴール候補", "目标信息", "完了したら", "Future goals", "Previous goal", "Goal 2",
    "Verification plan", "Unblocked work", "Next.js upgrade", "Decision log",
    "Current gate — September: WAITING ON RELEASE WINDOW", "Execution order and evidence",
    "Empirical evidence", "Current local target",
]  # fmt: skip


@pytest.mark.parametrize("heading", CANONICAL)
def test_decorations_do_not_hide_a_canonical_name(heading: str) -> None:
    name = name_of(heading.strip())
    assert name is not None
    assert (name.field, name.match) == ("GOAL", "canonical")


@pytest.mark.parametrize(
    ("field", "heading"), [(f, h) for f, hs in ALIASES.items() for h in hs.split("|")]
)
def test_aliases_count_as_the_field(field: str, heading: str) -> None:
    name = name_of(heading)
    assert name is not None
    assert (name.field, name.match) == (field, "alias")


@pytest.mark.parametrize(
    ("field", "heading"), [(f, h) for f, hs in SYNONYMS.items() for h in hs.split("|")]
)
def test_synonyms_are_mapped_and_marked_so(field: str, heading: str) -> None:
    name = name_of(heading.strip())
    assert name is not None
    assert (name.field, name.match) == (field, "mapped")


@pytest.mark.parametrize("heading", OTHERS)
def test_headings_that_only_look_alike_name_nothing(heading: str) -> None:
    assert name_of(heading.strip()) is None


def test_text_behind_a_colon_is_the_value_and_words_in_brackets_are_a_note() -> None:
    value, note = name_of("PHASE: EXECUTE"), name_of("BLOCKERS (none)")

    assert value is not None
    assert value.value == "EXECUTE"
    assert note is not None
    assert (note.value, note.note) == ("", "none")
