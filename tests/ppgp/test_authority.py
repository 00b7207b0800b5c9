"""Decisions a person owes now, limits that stand, permissions already given."""

import pytest

from tests.ppgp.reader import read, read_field

FIELD = "HUMAN_AUTHORITY_REQUIRED"
PENDING = """Owner: create provider account.
Merge to main, tag, release: owner only, after review.
Sign-off for the data contract.
Production deployment.
Publishing needs explicit approval.
Not yet approved: cloud spend.
To be approved by the owner: new vendor.
May we delete the legacy bucket?
[ ] Confirm the wording.
PENDING: approve the wording.
Deploy only after the owner approved.
Владелец: выбрать тариф.
需要负责人批准预算。
Le propriétaire doit choisir le fournisseur.""".splitlines()
STANDING = """Do NOT deploy before the freeze ends.
Never delete user data.
No deploy without owner approval.
Standing: no deploy on Friday.
Any change of the frozen API needs the owner.
If costs exceed 50, stop and ask.
Publishing is not allowed.
[refused 2026-09-03] Use a paid tier.
Не публиковать без согласования.
未经批准不得部署。
本番へのデプロイは禁止。
Ne pas publier sans accord.""".splitlines()
GRANTED = """Authorised delivery: create the private repository and push.
Approved 2026-09-02: up to 20 USD.
Owner approved the schema change on 2026-09-01.
[granted 2026-09-10] Publish 0.2.0?
[answered 2026-09-12: B] Which plan?
[x] Approve the text.
✅ Budget approved.
已授权：创建私有仓库。
Livraison autorisée : créer le dépôt.""".splitlines()
NOTHING = """None.
No decisions pending.
There is nothing pending.
Owner: none.
N/A
No human authority required.
Not required for this goal.
None — all within delegated authority.
Нет.
无
なし
Aucune.""".splitlines()


def kinds(text: str) -> list[str]:
    authority = read_field(FIELD, f"- {text}").authority
    return [kind for kind in ("pending", "standing", "granted") if getattr(authority, kind)]


@pytest.mark.parametrize("text", PENDING)
def test_a_decision_owed_is_pending(text: str) -> None:
    assert kinds(text) == ["pending"]


@pytest.mark.parametrize("text", STANDING)
def test_a_limit_or_condition_is_standing(text: str) -> None:
    assert kinds(text) == ["standing"]


@pytest.mark.parametrize("text", GRANTED)
def test_what_was_permitted_or_answered_is_granted(text: str) -> None:
    assert kinds(text) == ["granted"]


@pytest.mark.parametrize("text", NOTHING)
def test_nothing_is_owed_where_the_document_says_so(text: str) -> None:
    assert kinds(text) == []


def test_pending_text_has_no_marker_emphasis_or_leading_state() -> None:
    reading = read_field(FIELD, "- **PENDING — budget.** Release *1,200*\n  for the house.")
    assert [(i.text, i.line) for i in reading.authority.pending] == [
        ("budget. Release 1,200 for the house.", 7)
    ]


def test_a_table_of_decisions_is_read_by_its_status() -> None:
    table = (
        "| Decision | Status |\n|---|---|\n| Choose | pending |\n| Sign | approved 2026-09-01 |\n"
    )
    authority = read_field(FIELD, table).authority

    assert [item.text for item in authority.pending] == ["Choose"]
    assert [item.text for item in authority.granted] == ["Sign"]


def test_conditions_for_escalation_are_no_decisions() -> None:
    authority = read(
        "## GOAL\nShip it.\n\n## ESCALATE_WHEN (to the owner)\n- the API changes\n"
    ).authority

    assert [item.text for item in authority.standing] == ["the API changes"]
    assert authority.pending == ()


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("Owner: drop the column? Scope: T8.", "T8"),
        ("PENDING: approve the wording (scope: T8, T9 and T10)", "T8, T9 and T10"),
        ("Owner: set the scope of the release?", None),
        ("Owner: publish?", None),
    ],
)
def test_what_a_decision_is_about_is_read_only_where_it_is_written(
    text: str, scope: str | None
) -> None:
    (item,) = read_field(FIELD, text).authority.pending
    assert item.scope == scope
