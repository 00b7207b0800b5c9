"""Actions on the plan."""

from __future__ import annotations

from dataclasses import replace

from ppgp_tui.pi.plan import Limits, TodoState, read_state
from ppgp_tui.pi.todo import find_circle
from ppgp_tui.session.engine import plans
from ppgp_tui.session.engine.draft import Draft
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.engine.scene import Scene
from ppgp_tui.session.journal import RefusalError


def revise(engine: Engine, call: object, *, as_tool: bool = False) -> Result:
    """Replace the plan by the call `{baseRevision?, tasks, remove?}`.

    `as_tool` checks the arguments as Pi checks a model's call before its rules see them.
    """
    limits = Limits(engine.settings.plan_max_tasks, engine.settings.plan_max_bytes)

    def act(_: Scene, draft: Draft) -> Json:
        return plans.revise(draft, call, limits, as_tool=as_tool)

    return engine.perform("todo.set", act, changes_plan=True, said=lambda data: str(data["text"]))


def adopt(engine: Engine, *, drop: bool = False) -> Result:
    """Record a plan that was edited by hand, or put the recorded one back.

    The file with the edit is kept in `torn/` when it is dropped.
    """

    def act(scene: Scene, draft: Draft) -> Json:
        edit = scene.plan_file
        if edit.state in ("same", "outdated", "missing"):
            return {"text": f"{scene.settings.todo} holds no edit"}
        if drop:
            scene.plan_file = replace(edit, state="dropped")
            return {"text": "the edit is dropped"}
        return plans.adopt(draft, _readable(scene))

    def after(scene: Scene, data: Json) -> list[str]:
        if not drop or not scene.kept:
            return []
        data["kept"] = scene.kept
        data["text"] = f"the edit is dropped; it is kept in {scene.kept}"
        return [scene.kept]

    return engine.perform("todo.adopt", act, after=after, said=lambda data: str(data["text"]))


def _readable(scene: Scene) -> TodoState:
    """The edited plan, if Pi would accept it as a stored one and its tasks hang together."""
    path, edit = scene.settings.todo, scene.plan_file
    if edit.state == "damaged":
        raise RefusalError(
            "hand_edit", f"{path} is {edit.why}; mend it, or drop it with `todo adopt --drop`"
        )
    limits = Limits(scene.settings.plan_max_tasks, scene.settings.plan_max_bytes)
    state = read_state(edit.value, limits)
    if state is None:
        raise RefusalError(
            "hand_edit", f"{path} is no plan of the shape Pi stores; mend or drop it"
        )
    keys = [task.key for task in state.tasks]
    for key in keys:
        if keys.count(key) > 1:
            raise RefusalError("hand_edit", f"{path} holds the key {key} twice; mend or drop it")
    for task in state.tasks:
        for other in task.depends_on:
            if other not in keys:
                text = f"{path}: {task.key} depends on {other}, which is not in it"
                raise RefusalError("hand_edit", f"{text}; mend or drop it")
    if circle := find_circle({task.key: task for task in state.tasks}):
        raise RefusalError("hand_edit", f"{path}: dependencies in a circle: {' -> '.join(circle)}")
    return state
