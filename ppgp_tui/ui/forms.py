"""Forms: a few questions typed one after the other, then the exact effect to confirm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ppgp_tui.session.model import Events, Lifecycle
from ppgp_tui.session.text import one_line
from ppgp_tui.ui import deeds
from ppgp_tui.ui.deeds import Deed
from ppgp_tui.ui.entry import Entry
from ppgp_tui.ui.rows import Line, Row, Span, blank
from ppgp_tui.ui.views.prose import paragraph
from ppgp_tui.ui.words import count


@dataclass(slots=True)
class Form:
    """What is asked of the person, and what was answered so far."""

    title: str
    prompts: tuple[str, ...]
    make: Callable[[Sequence[str]], Confirmation]
    earlier: tuple[str, ...] = ()
    """What was typed the last time, when nothing came of it."""
    answers: list[str] = field(default_factory=list)

    def entry(self) -> Entry:
        """The line to be typed now."""
        text = next(iter(self.earlier[len(self.answers) :]), "")
        return Entry(text, len(text))

    def take(self, text: str) -> Confirmation | None:
        """Keep an answer; once all are there, what to confirm. A blank one asks again."""
        if text.strip():
            self.answers.append(text.strip())
        if len(self.answers) < len(self.prompts):
            return None
        return self.make(self.answers)

    def rows(self, entry: Entry, width: int) -> tuple[Row, ...]:
        """What is asked now and typed so far, then what was answered before."""
        rows = typed_rows(self.prompts[len(self.answers)], entry, width)
        for number, answer in enumerate(self.answers):
            said = paragraph(answer, width, key=f"answer:{number}")
            rows += [blank(), _soft(self.prompts[number]), said]
        return tuple(rows)


class Confirmation(NamedTuple):
    """The exact effect of a deed; it rests on "no"."""

    title: str
    effects: tuple[str, ...]
    deed: Deed

    def rows(self, width: int, yes: str, no: str) -> tuple[Row, ...]:
        """The two answers with their keys, and what will happen. The cursor starts on the first."""
        effects = (row for text in self.effects for row in (blank(), paragraph(text, width)))
        return (_choice("no", no, "leave it"), _choice("yes", yes, "do it"), *effects)


def typed_rows(label: str, entry: Entry, width: int) -> list[Row]:
    """A line being typed, under what it is for."""
    lines = (Line(spans, indent=1) for spans in entry.lines(width - 2))
    return [_soft(label), Row("", tuple(lines))]


def _soft(text: str) -> Row:
    return Row("", (Line((Span(text, "soft"),), indent=1),))


def _choice(name: str, key: str, label: str) -> Row:
    words = (Span(f"{key}  ", "ink", bold=True), Span(label))
    return Row(name, (Line(words),), opens=label)


def new_goal(_: Lifecycle) -> Form:
    """A person makes a goal."""
    return Form(
        "New goal",
        ("What must be true when it is done?",),
        lambda said: Confirmation(
            "Start this goal?",
            (
                said[0],
                "It is active at once: connected agents may go on with it by themselves.",
                "Recorded as made by you. The goal document is not touched.",
            ),
            deeds.NewGoal(said[0]),
        ),
    )


def tweak(goal: Lifecycle) -> Form:
    """A person changes the objective."""
    return Form(
        "Change the objective",
        ("What must be true instead?",),
        lambda said: Confirmation(
            "Change the objective to this?",
            (
                said[0],
                *_now(goal),
                "Status and pause stay as they are. Recorded as changed by you. The goal document "
                "is not touched.",
            ),
            deeds.Tweak(said[0]),
        ),
        earlier=(one_line(goal.objective or ""),),
    )


def block(goal: Lifecycle) -> Form:
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
                f"Shown by: {said[1]}",
                f"No other way: {said[2]}",
                f"Until: {said[3]}",
                *_now(goal),
                "Agents no longer continue by themselves. Recorded with a blocker of class D.",
            ),
            deeds.Block(*said),
        ),
    )


def abandon(goal: Lifecycle) -> Form:
    """A person gives the goal up."""
    return Form(
        "Give the goal up",
        ("Why?",),
        lambda said: Confirmation(
            "Give the goal up?",
            (
                *_now(goal),
                f"Because: {said[0]}",
                "The goal ends here and cannot be resumed. Plan and files stay as they are.",
            ),
            deeds.Abandon(said[0]),
        ),
    )


def unblock(goal: Lifecycle) -> Confirmation:
    """A paused or blocked goal goes on."""
    effects = (
        *_now(goal),
        f"It is {goal.status} and becomes active again; agents may continue it by themselves. "
        "Blockers that the block raised are cleared. Held calls stay held.",
    )
    return Confirmation("Let the goal go on?", effects, deeds.Unblock())


def _now(goal: Lifecycle) -> tuple[str, ...]:
    return (f"The goal now: {one_line(goal.objective)}",) if goal.objective else ()


def adopt(path: str, revision: int | None) -> Confirmation:
    """The edited plan becomes a revision."""
    number = f"revision {revision + 1}" if revision is not None else "the next revision"
    effects = (f"{path} as it is now becomes {number} of the plan, recorded as adopted by you.",)
    return Confirmation("Adopt the edited plan?", effects, deeds.Adopt())


def drop(path: str, revision: int | None) -> Confirmation:
    """The recorded plan is put back."""
    number = f"revision {revision}" if revision is not None else "the recorded revision"
    effects = (
        f"{path} is set back to {number}.",
        "The edited text is kept in .ppgp/run/torn/.",
    )
    return Confirmation("Drop the edit?", effects, deeds.Adopt(drop=True))


def restore(events: Events) -> Confirmation:
    """Recorded events are put back."""
    known = count(events.cut, "recorded event") if events.cut else "Recorded events that are gone"
    effects = (
        f"{known} that something took out of the log: appended to it again, unchanged, in their "
        "old order.",
    )
    return Confirmation("Put them back?", effects, deeds.Restore())


def init(missing: Sequence[str]) -> Confirmation:
    """A session is made where there is none."""
    effects = (f"Creates {', '.join(missing)}.", "Nothing else is touched.")
    return Confirmation("Begin a session here?", effects, deeds.Init())
