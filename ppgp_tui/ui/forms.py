"""Forms: a few questions typed one after the other, then the exact effect to confirm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ppgp_tui.ui import deeds
from ppgp_tui.ui.deeds import Deed
from ppgp_tui.ui.rows import Line, Row, Span, blank
from ppgp_tui.ui.views.prose import paragraph


@dataclass(slots=True)
class Form:
    """What is asked of the person, and what was answered so far."""

    title: str
    prompts: tuple[str, ...]
    make: Callable[[Sequence[str]], Confirmation]
    answers: list[str] = field(default_factory=list)

    @property
    def prompt(self) -> str:
        """What is being asked now."""
        return self.prompts[len(self.answers)]

    def take(self, text: str) -> Confirmation | None:
        """Keep an answer; once all are there, what to confirm. A blank one asks again."""
        if text.strip():
            self.answers.append(text.strip())
        if len(self.answers) < len(self.prompts):
            return None
        return self.make(self.answers)

    def rows(self, width: int) -> tuple[Row, ...]:
        """The answers so far."""
        rows: list[Row] = []
        for number, answer in enumerate(self.answers):
            said = paragraph(answer, width, key=f"answer:{number}")
            rows += [_soft(self.prompts[number]), said, blank()]
        return (*rows, _soft(self.prompt))


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The exact effect of a deed; it rests on "no"."""

    title: str
    effects: tuple[str, ...]
    deed: Deed

    def rows(self, width: int) -> tuple[Row, ...]:
        """What will happen, and the two answers."""
        effects = [
            paragraph(text, width, key=f"effect:{at}") for at, text in enumerate(self.effects)
        ]
        return (*effects, blank(), _choice("y", "do it"), _choice("n", "leave it, as Esc does"))


def _soft(text: str) -> Row:
    return Row("", (Line((Span(text, "soft"),), indent=1),))


def _choice(key: str, label: str) -> Row:
    return Row("", (Line((Span(f"{key}  ", "ink", bold=True), Span(label)), indent=1),))


def new_goal() -> Form:
    """A person makes a goal."""
    return Form(
        "New goal",
        ("What must be true when it is done?",),
        lambda said: Confirmation(
            "Start this goal?",
            (
                said[0],
                "It is active at once: connected agents may go on with it by themselves.",
                "Recorded: goal.created, by you.",
            ),
            deeds.NewGoal(said[0]),
        ),
    )


def tweak() -> Form:
    """A person changes the objective."""
    return Form(
        "Change the objective",
        ("What must be true instead?",),
        lambda said: Confirmation(
            "Change the objective to this?",
            (said[0], "Status and pause stay. Recorded: goal.tweaked, by you."),
            deeds.Tweak(said[0]),
        ),
    )


def block() -> Form:
    """A person says, with proof, that the goal cannot go on."""
    return Form(
        "Block the goal",
        (
            "What stands in the way?",
            "What shows that?",
            "Why is there no other way?",
            "What would unblock it?",
        ),
        lambda said: Confirmation(
            "Block the goal?",
            (
                f"In the way: {said[0]}",
                f"Until: {said[3]}",
                "Agents no longer continue by themselves. Goal and blocker are recorded.",
            ),
            deeds.Block(*said),
        ),
    )


def abandon() -> Form:
    """A person gives the goal up."""
    return Form(
        "Give the goal up",
        ("Why?",),
        lambda said: Confirmation(
            "Give the goal up?",
            (
                f"Because: {said[0]}",
                "The goal ends here and cannot be resumed. Files and plan stay as they are.",
            ),
            deeds.Abandon(said[0]),
        ),
    )


def unblock() -> Confirmation:
    """A paused or blocked goal goes on."""
    effects = ("A paused or blocked goal is active again; agents may go on with it.",)
    return Confirmation("Let the goal go on?", effects, deeds.Unblock())


def adopt(path: str) -> Confirmation:
    """The edited plan becomes a revision."""
    effects = (f"{path} becomes the next revision of the plan, recorded as adopted by you.",)
    return Confirmation("Adopt the edited plan?", effects, deeds.Adopt())


def drop(path: str) -> Confirmation:
    """The recorded plan is put back."""
    effects = (
        f"{path} is set back to the recorded revision.",
        "The edited text is kept in .ppgp/run/torn/.",
    )
    return Confirmation("Drop the edit?", effects, deeds.Adopt(drop=True))


def restore(cut: int) -> Confirmation:
    """Recorded events are put back."""
    noun = "event" if cut == 1 else "events"
    effects = (f"{cut} recorded {noun} are appended to the log again, unchanged.",)
    return Confirmation("Put them back?", effects, deeds.Restore())


def init(missing: Sequence[str]) -> Confirmation:
    """A session is made where there is none."""
    effects = (f"Creates {', '.join(missing)}.", "Nothing else is touched.")
    return Confirmation("Begin a session here?", effects, deeds.Init())
