"""The engine: validate under the lock, record one batch, write what repeats it, give a receipt.

An action is a function of a `Desk`-free draft (see the modules beside this one). Everything an
action needs from outside is in its `Scene`, read under the lock, so nothing can move in between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from ppgp_tui.ppgp.goal import read_goal
from ppgp_tui.ppgp.reading import GoalReading
from ppgp_tui.session.canonical import UnserialisableError, new_id
from ppgp_tui.session.engine import projections, requests
from ppgp_tui.session.engine.draft import Actor, Draft
from ppgp_tui.session.engine.fold import fold
from ppgp_tui.session.engine.ledger import Json, Ledger
from ppgp_tui.session.engine.observed import observe_phase
from ppgp_tui.session.engine.projections import PlanFile
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.journal import Appended, Journal, RefusalError, Refused, View, now_ms
from ppgp_tui.session.places import config_folder, root_folder
from ppgp_tui.session.safefiles import Folder
from ppgp_tui.session.settings import Settings, load_settings
from ppgp_tui.session.sources.goal import goal_path

Act = Callable[["Scene", Draft], Json]
"""Drafts the events of one action; raises `RefusalError` to refuse it. Returns the `data`."""
After = Callable[["Scene", Json], Sequence[str]]
"""Writes files once the batch stands, the lock still held; returns the paths it made."""


@dataclass
class Scene:
    """What an action finds when it has the lock."""

    root: Path
    settings: Settings
    run: Folder
    """The open `.ppgp/run`."""
    ledger: Ledger
    plan_file: PlanFile
    document_path: str
    document: bytes | None
    reading: GoalReading
    now_ms: int
    warnings: list[str] = field(default_factory=list)


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
        self.log = PurePosixPath(self.settings.log)
        self.todo = PurePosixPath(self.settings.todo)
        self.journal = Journal(root, self.state, log=self.log, clock=clock)

    def perform(
        self,
        action: str,
        act: Act,
        *,
        said: str | Callable[[Json], str] = "done",
        changes_plan: bool = False,
        after: After | None = None,
    ) -> Result:
        """Do one action and return its receipt; never raises for anything a caller did.

        `changes_plan` actions are refused while `todo.json` holds an edit nobody recorded.
        """
        scenes: list[Scene] = []
        drafts: list[Draft] = []
        data: Json = {}
        created: list[str] = []

        def decide(view: View) -> Sequence[Json] | Refused:
            scene = self._scene(view)
            draft = Draft(
                scene.ledger,
                self.actor,
                scene.now_ms,
                self.ids,
                citable=lambda event_id: view.where(event_id) in ("log", "outbox"),
            )
            scenes[:], drafts[:] = [scene], [draft]
            try:
                if changes_plan:
                    _must_not_be_edited(scene)
                observe_phase(scene.reading, scene.document_path, draft)
                received = requests.delivered_to(scene.ledger, self.actor.id)
                data.update(act(scene, draft))
                if draft.events:  # the asker went on, so it acts on what it was told
                    for request_id in received:
                        requests.consume(draft, request_id)
            except RefusalError as refusal:
                return refusal.refused
            return draft.events

        def then(view: View, appended: Appended) -> None:
            del view, appended
            created.extend(self._repeat(scenes[0], drafts[0], changes_plan))
            if after is not None:
                created.extend(after(scenes[0], data))

        try:
            outcome = self.journal.append(decide, then)
        except UnserialisableError as error:
            return Result(action, "refused", f"this cannot be recorded: {error}")
        if isinstance(outcome, Refused):
            return Result(action, outcome.code, outcome.message, warnings=outcome.warnings)
        changed = bool(outcome.events) and not data.pop("unchanged", False)
        return Result(
            action,
            "done" if changed else "unchanged",
            said(data) if callable(said) else said,
            events=outcome.events,
            recorded=outcome.recorded,
            revisions=self._revisions(scenes[0]),
            created=tuple(created),
            warnings=(*outcome.warnings, *scenes[0].warnings),
            data=data,
        )

    def _scene(self, view: View) -> Scene:
        ledger = fold(view)
        path, document = self.read_document()
        return Scene(
            root=self.root,
            settings=self.settings,
            run=view.run,
            ledger=ledger,
            plan_file=projections.look_at_plan(self.root, self.todo, ledger),
            document_path=path,
            document=document,
            reading=read_goal(document, path, self.settings.goal_max_bytes),
            now_ms=self.clock(),
        )

    def read_document(self) -> tuple[str, bytes | None]:
        """Path and bytes of the goal document; None where it is absent or unreadable."""
        path = goal_path(self.root, self.settings)
        with suppress(OSError):
            return path, projections.read_file(self.root, PurePosixPath(path))
        return path, None

    def _repeat(self, scene: Scene, draft: Draft, changed_plan: bool) -> list[str]:
        """Write the projections that the recorded batch makes out of date."""
        revised = any(event["kind"] == "todo.revised" for event in draft.events)
        unread = scene.plan_file.state == "damaged"
        wanted = revised or scene.plan_file.state == "missing" or (unread and changed_plan)
        try:
            if unread and (revised or changed_plan):
                self.keep_aside(scene.run, scene.plan_file.data)
            if wanted and draft.ledger.todo["revision"]:
                projections.write_plan(self.root, self.todo, draft.ledger)
            projections.write_goal(self.root, draft.ledger)
        except OSError as error:
            name = error.filename or "a projection"
            scene.warnings.append(f"recorded, but {name} could not be written: {error.strerror}")
        return []

    def keep_aside(self, run: Folder, data: bytes) -> str:
        """Put bytes that are about to be replaced into `torn/`; return the name."""
        name = f"{self.clock()}-{self.ids('event')[6:14]}"
        with run.child("torn", create=True) as torn:
            torn.publish(name, data)
        return f".ppgp/run/torn/{name}"

    def _revisions(self, scene: Scene) -> dict[str, int]:
        control: dict[str, Any] = projections.read_control(scene.run) or {"generation": 0}
        goal = scene.ledger.goal
        return {
            "goal": goal["revision"] if goal else 0,
            "plan": scene.ledger.todo["revision"],
            "control": control["generation"],
        }


def _must_not_be_edited(scene: Scene) -> None:
    if scene.plan_file.state == "edited":
        path = scene.settings.todo
        text = f"{path} was edited by hand since revision {scene.ledger.todo['revision']}"
        mend = "`ppgp-tui todo adopt` records the edit, `todo adopt --drop` sets it back"
        raise RefusalError("hand_edit", f"{text}; nothing was changed. {mend}")
