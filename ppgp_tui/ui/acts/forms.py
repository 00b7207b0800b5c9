"""Forms: a few questions typed one after the other, then the exact effect to confirm."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ppgp_tui.session.model import Agent, Events, Lifecycle
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.acts import deeds
from ppgp_tui.ui.acts.deeds import Deed, Edit, Leave
from ppgp_tui.ui.looks.look import Role
from ppgp_tui.ui.looks.words import count
from ppgp_tui.ui.rows.row import Line, Row, Span, blank
from ppgp_tui.ui.seat.entry import Entry
from ppgp_tui.ui.views.prose import exact_pieces, paragraph

if TYPE_CHECKING:
    from ppgp_tui.ui.seat.seat import Seat

BACK: Final = "Shift+Tab"
"""A key of the line that is typed, as Ctrl+U is: it is in no table."""
NOTHING: Final = "nothing was typed"


@dataclass(slots=True)
class Form:
    """What is asked of the person, and what was answered so far."""

    title: str
    prompts: tuple[str, ...]
    make: Callable[[Sequence[str]], Confirmation | Deed | Callable[[Seat], None]]
    """What to confirm, what is done at once, or what the seat itself does with it."""
    earlier: tuple[str, ...] = ()
    """What was typed the last time, when nothing came of it."""
    answers: list[str] = field(default_factory=list)
    check: Callable[[Sequence[str], str], str] = lambda *_: ""
    """What is wrong with an answer, after those before it; empty where nothing is."""
    settled: Callable[[Sequence[str]], bool] = lambda _: False
    """Whether these answers leave nothing more to ask."""
    wrong: str = ""
    """What was wrong with the answer given last: it is asked for again."""

    def entry(self) -> Entry:
        """The line to be typed now."""
        text = next(iter(self.earlier[len(self.answers) :]), "")
        return Entry(text, len(text))

    def take(self, text: str) -> Confirmation | Deed | Callable[[Seat], None] | None:
        """Keep an answer; once all are there, what it is for. A blank or wrong one asks again."""
        said = text.strip()
        self.wrong = self.check(self.answers, said) if said else NOTHING
        if said and self.wrong:
            self.earlier = (*self.answers, said, *self.earlier[len(self.answers) + 1 :])
        elif said:
            self.answers.append(said)
        asked = len(self.answers) < len(self.prompts) and not self.settled(self.answers)
        if self.wrong or asked:
            return None
        return self.make(self.answers)

    def back(self, typed: str) -> None:
        """Ask the question before again; what was `typed` here stands there when it comes again."""
        later = self.earlier[len(self.answers) + 1 :]
        self.earlier = (*self.answers, typed, *later)
        self.answers.pop()
        self.wrong = ""

    def rows(self, entry: Entry, width: int) -> tuple[Row, ...]:
        """What is asked now and typed so far, then what was answered before."""
        rows = typed_rows(self.prompts[len(self.answers)], entry, width)
        if self.wrong:
            rows.append(paragraph(f"! {self.wrong}", width, "stop"))
        if self.answers:
            rows.append(paragraph(f"{BACK} asks the question before again", width, "soft"))
        for number, answer in enumerate(self.answers):
            said = paragraph(answer, width, key=f"answer:{number}")
            rows += [blank(), _soft(self.prompts[number]), said]
        return tuple(rows)


class Confirmation(NamedTuple):
    """The exact effect of a deed; it rests on "no"."""

    title: str
    effects: tuple[str, ...]
    deed: Deed | Edit | Leave
    exact: tuple[str, ...] = ()
    """Lines that are shown as they are, such as a change of a file."""
    read_whole: bool = False
    """It counts only once every line of it was on the screen."""

    def rows(self, width: int, yes: str, no: str) -> tuple[Row, ...]:
        """The two answers with their keys, and what will happen. The cursor starts on the first."""
        effects = (row for text in self.effects for row in (blank(), paragraph(text, width)))
        exact = (_exact(line, width) for line in self.exact)
        gap = (blank(),) if self.exact else ()
        return (_choice("no", no, "leave it"), _choice("yes", yes, "do it"), *effects, *gap, *exact)


def _exact(line: str, width: int) -> Row:
    roles: dict[str, Role] = {"+": "ok", "-": "stop", "@": "soft"}
    role = roles.get(line[:1], "text")
    pieces = exact_pieces(line, width - 2)
    return Row("", tuple(Line((Span(piece, role, exact=True),), indent=1) for piece in pieces))


def typed_rows(label: str, entry: Entry, width: int) -> list[Row]:
    """A line being typed, under what it is for."""
    lines = (Line(spans, indent=1) for spans in entry.lines(width - 2))
    return [paragraph(label, width, "soft"), Row("", tuple(lines))]


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


# --- agents -------------------------------------------------------------------------------------


def note(session: str, name: str) -> Form:
    """A person says something to an agent; it goes at once."""
    return Form(
        f"Note to {name}",
        ("It reads this with its next call, prompt or end of turn:",),
        lambda said: deeds.Note(session, said[0]),
    )


def freeze(agent: Agent, name: str, key: str) -> Confirmation:
    """The processes of an agent stop where they are; what that costs is said first."""
    process = f" {agent.pid}" if agent.pid is not None else ""
    return Confirmation(
        f"Freeze {name}?",
        (
            f"Process{process} and what it started in its group stop where they are, in the "
            "middle of a call.",
            "A model request under way may fail for it, and what such a request had brought is "
            "lost. Its clocks go on: time-outs may be over when it wakes.",
            "To let it finish the call under way, hold it instead.",
            f"{key} thaws it. Recorded as done by you.",
        ),
        deeds.Freeze(agent.session),
    )


def kill(agent: Agent, name: str) -> Confirmation:
    """The processes of an agent end."""
    process = f" {agent.pid}" if agent.pid is not None else ""
    return Confirmation(
        f"End {name}?",
        (
            f"Process{process} and what it started in its group are asked to end, and made to "
            "after five seconds.",
            "What it had not written to a file is lost. The session can be resumed as far as the "
            "agent itself has kept it.",
            "Recorded as done by you.",
        ),
        deeds.Kill(agent.session),
    )


def connect(found: Mapping[str, Any]) -> Confirmation:
    """Our hooks come into the settings of agents: exactly this change."""
    files = found["files"]
    names = " and ".join(file["agent"] for file in files)
    return Confirmation(
        f"Connect {names}?",
        (
            *found["about"],
            *found["refused"],
            *found["still_to_do"],
            "Nothing else in these files is touched; ppgp-tui disconnect takes it out again:",
        ),
        deeds.Connect(found["shown"]),
        tuple(line for file in files for line in file["diff"]),
    )
