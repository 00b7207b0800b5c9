"""Whatever keys are pressed while whatever arrives: no answer to anything that was not read."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.session.model import Request
from ppgp_tui.ui.acts.deeds import Answer
from tests.ui.desk import Person, answered, choice, other, question

WHY = " ".join(f"reason{number}" for number in range(250))
KINDS = [
    question(),
    question(irreversible=True),
    question(why=WHY),
    choice(),
    choice(irreversible=True),
    choice(9, recommended=None, why=WHY),
]
KEYS = [
    "y", "n", "Y", "a", "b", "c", "d", "g", "i", "r", "m", "u", "p", "enter", "esc", "j", "k", "G",
    "home", "end", "pagedown", "tab", "1", "3", "o", "x", ":", "?", "q",
]  # fmt: skip
CHANGES = ["reword", "answered", "vanish", "newcomer", "other kind"]
OFTEN = [*(["y", "Y", "n", "a", "b"] * 4), *(["enter", "pagedown"] * 3), *(["wait", "long"] * 8)]
steps = st.sampled_from([*KEYS, *OFTEN, *CHANGES])


class Witness:
    """Sees what is painted, by itself: the words on the screen, and since when they stand."""

    def __init__(self, of: Person) -> None:
        self.of = of
        self.hand: tuple[str, str] = ("", "")
        self.since = 0
        self.words: dict[str, set[str]] = {}

    def see(self) -> None:
        seat = self.of.seat
        panes = {place.pane.id: place.pane.about for place in seat.stay.placed}
        key = self.of.cursor if self.of.cursor.startswith("req:") else panes[seat.stay.focus]
        shown = seat.acting.card if self.of.sheet == "card" else key.removeprefix("req:")
        request = next((one for one in seat.snapshot.inbox.value if one.id == shown), None)
        hand = (request.id, request.digest) if request and self.of.sheet in ("", "card") else None
        if hand != self.hand:
            self.hand, self.since = hand or ("", ""), self.of.now
        if hand is not None:
            self.words.setdefault(hand[1], set()).update(self.of.screen.split())

    def allows(self, answer: Answer, key: str, keys: list[str]) -> None:
        inbox = {one.id: one for one in self.of.seat.snapshot.inbox.value}
        request = inbox[answer.request]
        assert request.digest == answer.digest
        assert request.state == "waiting"
        assert key in {"y", "Y", "n", "enter", *"abcdefghi"}
        assert self.hand == (answer.request, answer.digest)
        assert self.of.now - self.since >= 400
        assert set(f"{request.question} {request.why or ''}".split()) <= self.words[answer.digest]
        if answer.text is None:
            letters = [option.key for option in request.options] or ["yes", "no"]
            assert answer.option in letters
        if request.irreversible and answer.option != "no" and answer.text is None:
            assert key == "Y" or keys.count(key) >= 2


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(KINDS),
    st.lists(steps, min_size=4, max_size=30),
    st.sampled_from([(48, 24), (80, 24), (120, 40)]),
    st.sampled_from(["1", "3"]),
)
def test_every_answer_is_to_what_was_read_long_enough_to_be_read(
    request: Request, deeds: list[str], size: tuple[int, int], view: str
) -> None:
    of = Person(request, other(), width=size[0], height=size[1], view=view)
    witness = Witness(of)
    witness.see()
    of.now += 500
    seen = 0
    for at, step in enumerate(deeds):
        do(of, step, at)
        for answer in of.answers[seen:]:
            witness.allows(answer, step, deeds[: at + 1])
        seen = len(of.answers)
        witness.see()


def do(of: Person, step: str, at: int) -> None:
    """One step: a key, a while, or a newer picture."""
    first, *rest = of.seat.snapshot.inbox.value or (question(),)
    if step in ("wait", "long"):
        of.now += 150 if step == "wait" else 450
    elif step == "reword":
        of.change(first._replace(question=f"Do thing {at}?", digest=f"sha256:{at:064d}"), *rest)
    elif step == "answered":
        of.change(answered(first), *rest)
    elif step == "vanish":
        of.change(*rest)
    elif step == "newcomer":
        new = question()._replace(id=f"req_{at:032d}", digest=f"sha256:9{at:063d}")
        of.change(new, first, *rest)
    elif step == "other kind":
        of.change(choice()._replace(id=first.id, digest=f"sha256:8{at:063d}"), *rest)
    else:
        of.press(step)
