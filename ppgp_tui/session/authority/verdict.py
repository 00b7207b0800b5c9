"""Whether an answer counts: the checks of a waiter, in order (README, "Signed answers").

Pure but for the `check` of the signature that is passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from ppgp_tui.session.authority import answer as answers
from ppgp_tui.session.authority.answer import Answer
from ppgp_tui.session.authority.damage import DamagedError
from ppgp_tui.session.authority.pins import Checked
from ppgp_tui.session.canonical import digest
from ppgp_tui.session.engine.requests import answers_of

CheckSignature = Callable[[bytes, str | None], Checked]
Reason = Literal[
    "damaged",
    "other_request",
    "other_attempt",
    "other_repository",
    "altered",
    "expired",
    "unsigned",
    "forged",
    "unverifiable",
]

SHOWN: Final[Mapping[Reason, str]] = {
    "damaged": "forged or damaged",
    "other_request": "other request",
    "other_attempt": "other attempt",
    "other_repository": "other repository",
    "altered": "altered",
    "expired": "expired",
    "unsigned": "unsigned",
    "forged": "forged or damaged",
    "unverifiable": "not verified",
}
"""How a person is told."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The answer counts. `signed` is False where nothing could be checked: show it `unsigned`."""

    answer: Answer
    signed: bool


@dataclass(frozen=True, slots=True)
class Rejected:
    """The answer does not count; `why` is for a person."""

    reason: Reason
    why: str

    @property
    def shown(self) -> str:
        """The reason in the words of the screen."""
        return SHOWN[self.reason]


def judge(
    request: Mapping[str, Any], attempt: int, data: bytes, check: CheckSignature
) -> Accepted | Rejected:
    """Say whether the bytes of attempt `attempt` answer `request`.

    `request` is the waiter's own copy of what it asked, with the repository it asked in; `attempt`
    is the one in the name of the file.
    """
    try:
        answer = answers.parse(data)
    except DamagedError as error:
        return Rejected("damaged", f"the answer is {error}")
    if answer.request != request["id"]:
        return Rejected("other_request", f"it answers {answer.request}")
    if answer.digest != digest(request):
        return Rejected("other_request", "it answers another text of this request")
    if answer.attempt != attempt:
        return Rejected("other_attempt", f"it is attempt {answer.attempt} under another name")
    try:
        repo = answers.repo_signed_for(answer.signed)
    except DamagedError as error:
        return Rejected("damaged", f"the signed text is {error}")
    if repo != request["repo"]:
        return Rejected("other_repository", "it was given in another repository")
    if answer.signed != answers.signed_text_of(answer, repo):
        return Rejected("altered", "the signed text says something else")
    if not _offered(answer, request):
        return Rejected("damaged", "its option was not offered")
    expires_ms = request.get("expires_ms")
    if expires_ms is not None and answer.answered_ms > expires_ms:
        return Rejected("expired", "it was given after the request expired")
    checked = check(answer.signed.encode(), answer.signature)
    if checked.word == "verified" or checked.word == "unsigned_allowed":
        return Accepted(answer, checked.word == "verified")
    return Rejected(checked.word, checked.why)


def _offered(answer: Answer, request: Mapping[str, Any]) -> bool:
    if answer.option is None:
        return answer.text is not None and request["kind"] != "permission"
    return answer.option in answers_of(request)
