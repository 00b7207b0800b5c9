"""A person before the screen: looks for a while, presses keys, and newer pictures come."""

from __future__ import annotations

from dataclasses import replace

from ppgp_tui.session.model import Answer as Said
from ppgp_tui.session.model import Control, Option, Part, Request, RequestState, SessionSnapshot
from ppgp_tui.ui.acts import acts
from ppgp_tui.ui.acts.deeds import Answer, Deed
from ppgp_tui.ui.seat.asking import note_painted
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from tests.ui import picture
from tests.ui.stand_in import seat, text, told

SESSION, PLAN, INBOX = "1", "2", "3"
NAMED = {"?": "question_mark", "/": "slash", ":": "colon", "esc": "escape"}


class Person:
    """Keys are pressed at a moment, and the screen is painted before and after each of them."""

    def __init__(
        self, *requests: Request, width: int = 80, height: int = 30, view: str = SESSION
    ) -> None:
        self.now = picture.NOW
        shown = replace(picture.full(), inbox=Part(requests))
        self.seat: Seat = seat(shown, width, height, VIEWS, clock=lambda: self.now)
        self.press(view)
        self.look()

    # What happens ---------------------------------------------------------------------------------

    def look(self, ms: int = 500) -> Person:
        """Look at the screen for a while."""
        self.paint()
        self.now += ms
        self.paint()
        return self

    def paint(self) -> None:
        self.seat.arrange()
        text(self.seat)
        note_painted(self.seat)

    def press(self, *keys: str, late_ms: int = 0) -> Person:
        """Press keys at once, one after the other; `late_ms` ago."""
        for key in keys:
            self.seat.acting.late_ms = late_ms
            character = " " if key == "space" else key if len(key) == 1 else None
            acts.press(self.seat, NAMED.get(key, key), character)
            self.paint()
        return self

    def type(self, words: str) -> Person:
        return self.press(*("space" if letter == " " else letter for letter in words))

    def paste(self, words: str) -> Person:
        acts.paste(self.seat, words)
        self.paint()
        return self

    def change(self, *requests: Request, **parts: object) -> Person:
        """A newer picture with these requests is painted."""
        return self.show(replace(self.seat.snapshot, inbox=Part(requests), **parts))  # type: ignore[arg-type]

    def order(self, control: Control) -> Person:
        return self.show(replace(self.seat.snapshot, control=Part(control)))

    def show(self, snapshot: SessionSnapshot) -> Person:
        self.seat.take(snapshot)
        self.paint()
        return self

    # What is to be seen ---------------------------------------------------------------------------

    @property
    def deeds(self) -> list[Deed]:
        return told(self.seat).deeds

    @property
    def answers(self) -> list[Answer]:
        return [deed for deed in self.deeds if isinstance(deed, Answer)]

    @property
    def toast(self) -> str:
        return self.seat.toast

    @property
    def sheet(self) -> str:
        return self.seat.sheet.kind if self.seat.sheet is not None else ""

    @property
    def screen(self) -> str:
        return "\n".join(text(self.seat))

    @property
    def key_line(self) -> str:
        return text(self.seat)[-1]

    def line_with(self, words: str) -> int:
        return next(at for at, line in enumerate(text(self.seat)) if words in line)

    @property
    def cursor(self) -> str:
        return self.seat.row.key if self.seat.row is not None else ""


def question(**changed: object) -> Request:
    """A question of yes or no that its row says whole, asked by an agent that waits."""
    asked = Request(
        id="req_" + "1" * 32,
        state="waiting",
        digest="sha256:" + "a" * 64,
        kind="question",
        klass="C",
        question="Publish 0.2.0?",
        scope="release",
        asker="claude-0f3a",
        created_ms=picture.ago(minutes=6),
        asker_state="waiting_for_you",
        frees=("T8",),
    )
    return asked._replace(**changed)  # type: ignore[arg-type]


def other(**changed: object) -> Request:
    """Another one, that frees more."""
    return question(
        id="req_" + "2" * 32, digest="sha256:" + "b" * 64, question="Rename the command?",
        frees=("T8", "T9"), **changed,
    )  # fmt: skip


def choice(count: int = 3, **changed: object) -> Request:
    """A question with options, of which the second one is advised."""
    letters = "abcdefghi"[:count]
    options = tuple(Option(letter, f"Take way {letter}") for letter in letters)
    asked: dict[str, object] = {"options": options, "recommended": "b"}
    return question(**(asked | changed))


def reworded(request: Request, **changed: object) -> Request:
    """The same request, saying something else."""
    words = {"question": "Publish 1.0.0 to everybody?", "digest": "sha256:" + "c" * 64}
    return request._replace(**(words | changed))  # type: ignore[arg-type]


def answer(request: Request, option: str | None = None, **more: str) -> Answer:
    """The answer to `request` in exactly these words."""
    return Answer(request.id, request.digest, option, **more)


def answered(request: Request, state: RequestState = "answered", option: str = "yes") -> Request:
    """`request` after ann has answered it."""
    return request._replace(state=state, answer=Said("dec_1", 1, "user:ann", option=option))
