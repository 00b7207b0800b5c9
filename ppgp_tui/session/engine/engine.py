"""The engine: validate under the lock, record one batch, write what repeats it, give a receipt.

An action is a function of a `Scene` and a `Draft`. Everything it needs from outside is in the
scene, read under the lock, so nothing can move in between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from ppgp_tui.session.authority.damage import DamagedError
from ppgp_tui.session.canonical import UnserialisableError, new_id
from ppgp_tui.session.engine import observed, orders, projections, requests
from ppgp_tui.session.engine.draft import Actor, Draft
from ppgp_tui.session.engine.fold import fold
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.engine.scene import Document, Scene, read_document
from ppgp_tui.session.files.places import config_folder, root_folder
from ppgp_tui.session.journal import (
    Appended,
    Decide,
    Journal,
    RefusalError,
    Refused,
    Then,
    View,
    now_ms,
)
from ppgp_tui.session.settings.settings import Settings, load_settings

Act = Callable[[Scene, Draft], Json]
"""Drafts the events of one action; raises `RefusalError` to refuse it. Returns the `data`."""
After = Callable[[Scene, Json], Sequence[str]]
"""Writes files once the batch stands, the lock still held; returns the paths it made."""


class Engine:
    """The one door for changes to a root. Holds nothing open between two actions."""

    def __init__(
        self,
        root: Path,
        actor: Actor,
        *,
        clock: Callable[[], int] = now_ms,
        ids: Callable[[str], str] = new_id,
        state: Path | None = None,
        settings: Settings | None = None,
    ) -> None:
        """`state` is the root's folder in the user's state folder; found when not given."""
        self.root = root
        self.actor = actor
        self.clock = clock
        self.ids = ids
        self.state = state if state is not None else root_folder(root)
        self.settings = settings or load_settings(root, config_folder() / "config.toml")
        self.todo = PurePosixPath(self.settings.todo)
        log = PurePosixPath(self.settings.log)
        self.journal = Journal(root, self.state, log=log, clock=clock)

    def perform(
        self,
        action: str,
        act: Act,
        *,
        said: str | Callable[[Json], str] = "done",
        changes_plan: bool = False,
        is_deed: bool = True,
        after: After | None = None,
    ) -> Result:
        """Do one action and return its receipt; never raises for anything a caller did.

        `changes_plan` actions are refused while `todo.json` holds an edit nobody recorded.
        `is_deed`: the actor goes on with its work, and so acts on the answers it has received.
        """
        turns: list[_Turn] = []

        def decide(view: View) -> Sequence[Json] | Refused:
            turn = self._turn(view)
            turns.append(turn)
            draft = turn.draft
            try:
                observed.reconcile(turn.scene, draft)
                if changes_plan:
                    _must_not_be_edited(turn.scene)
                received = requests.delivered_to(draft.ledger, self.actor.id) if is_deed else []
                before = len(draft.events)
                turn.data = act(turn.scene, draft)
                turn.changed = len(draft.events) > before
                for request_id in received if turn.changed else ():
                    requests.consume(draft, request_id)
            except RefusalError as refusal:
                return refusal.refused
            return draft.events

        def then(_: View, __: Appended) -> None:
            (turn,) = turns
            self._repeat(turn)
            if after is not None:
                made = after(turn.scene, turn.data)
                turn.changed = turn.changed or bool(made)
                turn.created.extend(made)

        outcome = self._append(decide, then)
        if isinstance(outcome, Refused):
            return _refused(action, outcome, turns)
        (turn,) = turns
        return Result(
            action,
            "done" if turn.changed else "unchanged",
            said(turn.data) if callable(said) else said,
            events=outcome.events,
            recorded=outcome.recorded,
            revisions=turn.scene.revisions(),
            created=tuple(turn.created),
            warnings=(*outcome.warnings, *turn.scene.warnings),
            data=turn.data,
        )

    def look(self, action: str, act: Act) -> Result:
        """Find out under the lock whether an action would be refused; nothing is recorded."""
        turns: list[_Turn] = []

        def decide(view: View) -> Sequence[Json] | Refused:
            turn = self._turn(view)
            turns.append(turn)
            try:
                observed.reconcile(turn.scene, turn.draft)
                turn.data = act(turn.scene, turn.draft)
            except RefusalError as refusal:
                return refusal.refused
            return ()

        outcome = self._append(decide, None)
        if isinstance(outcome, Refused):
            return _refused(action, outcome, turns)
        return Result(action, "unchanged", "nothing was recorded", data=turns[0].data)

    def _append(self, decide: Decide, then: Then | None) -> Appended | Refused:
        try:
            return self.journal.append(decide, then)
        except UnserialisableError as error:
            return Refused("refused", f"this cannot be recorded: {error}")
        except OSError as error:
            text = f"nothing was recorded: {error.filename or self.root}: {error.strerror}"
            return Refused("disk", text)

    def read_document(self) -> Document:
        """The goal document as it is now; no lock is held."""
        return read_document(self.root, self.settings)

    def _scene(self, view: View) -> Scene:
        ledger, warnings = fold(view), []
        try:
            standing = orders.mend(view.run, view.state, ledger)
        except OSError as error:
            standing = orders.look(view.run, view.state)
            warnings.append(f"the order to the agents is not what it should be: {error.strerror}")
        if view.cut:
            noun = "event was" if len(view.cut) == 1 else "events were"
            text = f"{len(view.cut)} recorded {noun} removed from the log, perhaps by Git"
            warnings.append(f"{text}; what they say still counts, and they can be put back")
        if standing.mended:
            warnings.append(f".ppgp/run/{orders.CONTROL} had lost what was ordered; written again")
        elif standing.damage:
            warnings.append(standing.damage)
        return Scene(
            root=self.root,
            settings=self.settings,
            run=view.run,
            state=view.state,
            ledger=ledger,
            plan_file=projections.look_at_plan(self.root, self.todo, ledger),
            document=self.read_document(),
            orders=standing,
            now_ms=self.clock(),
            warnings=warnings,
        )

    def _turn(self, view: View) -> _Turn:
        def citable(event_id: str) -> bool:
            return view.where(event_id) in ("log", "outbox")

        scene = self._scene(view)
        draft = Draft(scene.ledger, self.actor, scene.now_ms, self.ids, citable)
        return _Turn(scene, draft, scene.revisions())

    def _repeat(self, turn: _Turn) -> None:
        """Bring every file that repeats the log up to date; one that fails stops no other."""
        scene = turn.scene
        with _told(scene, str(self.todo)):
            self._repeat_plan(turn)
        with _told(scene, str(projections.GOAL_FILE)):
            if projections.write_goal(self.root, scene.ledger):
                scene.rewritten.append(str(projections.GOAL_FILE))
        with _told(scene, "requests"):
            names = projections.write_requests(scene.run, scene.ledger)
            scene.rewritten.extend(f".ppgp/run/{name}" for name in names)

    def _repeat_plan(self, turn: _Turn) -> None:
        scene, file = turn.scene, turn.scene.plan_file
        revision = scene.ledger.todo["revision"]
        if file.state == "edited" and revision == turn.revisions["plan"]:
            return
        if file.data == projections.pretty(scene.ledger.todo):
            return
        if not revision and file.state != "dropped":
            return
        if file.state in ("damaged", "dropped"):
            scene.kept = projections.keep_aside(self.root, self.todo, scene.run, scene.now_ms)
        projections.write_plan(self.root, self.todo, scene.ledger)
        scene.rewritten.append(str(self.todo))
        if file.state == "damaged":
            text = f"{self.todo} was {file.why}; it is written again from the log"
            scene.warnings.append(f"{text}, what lay there is in {scene.kept}")


@dataclass
class _Turn:
    """One action under the lock."""

    scene: Scene
    draft: Draft
    revisions: dict[str, int]
    """Before the action."""
    data: Json = field(default_factory=dict)
    changed: bool = False
    created: list[str] = field(default_factory=list)


def _refused(action: str, refused: Refused, turns: Sequence[_Turn]) -> Result:
    """The receipt of an action that did nothing; without a turn it did not even get the lock."""
    revisions, warnings = {}, refused.warnings
    for turn in turns:
        revisions, warnings = turn.revisions, (*warnings, *turn.scene.warnings)
    return Result(action, refused.code, refused.message, revisions=revisions, warnings=warnings)


@contextmanager
def _told(scene: Scene, name: str) -> Iterator[None]:
    """A file that repeats the log and cannot be written is no reason to refuse an act."""
    try:
        yield
    except (OSError, DamagedError) as error:
        scene.warnings.append(f"{name} could not be written: {projections.said(error)}")


def _must_not_be_edited(scene: Scene) -> None:
    if scene.plan_file.state == "edited":
        path = scene.settings.todo
        text = f"{path} was edited by hand since revision {scene.ledger.todo['revision']}"
        mend = "`ppgp-tui todo adopt` records the edit, `todo adopt --drop` sets it back"
        raise RefusalError("hand_edit", f"{text}; nothing was changed. {mend}")
