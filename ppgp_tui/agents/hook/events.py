"""What is done at each kind of event. Each handler takes the session's place and returns an answer.

The session's file is brought up to date at every one of them. Nothing here waits but the calls,
model requests and permission prompts that a person wants to wait.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ppgp_tui.agents.adapters.shape import GO_ON, Answer, Kind
from ppgp_tui.agents.hook import calls, control, hold
from ppgp_tui.agents.hook.place import Json, Place, now_ms
from ppgp_tui.session.files import notes

TOLD_AGAIN_MS: Final = 30_000
"""A compaction that ends so soon after its start of a session is the same one."""
STOPPED: Final = "Stopped by the operator. Do not retry; end your turn."


def _before_tool(place: Place) -> Answer:
    hold.sweep(place)
    order = control.read(place.run, place.key)
    if hold.is_wanted(place, order):
        place.tell("working")
        outcome, order = hold.wait(place, order)
        if outcome != "resumed":
            return place.adapter.deny(place.moment, hold.REFUSED) or GO_ON
    elif not order.stop:
        calls.write(place, "pre", order.generation, "go")
    place.tell("working")
    if order.stop:
        calls.write(place, "pre", order.generation, "deny")
        return place.adapter.deny(place.moment, STOPPED) or GO_ON
    return _told(place)


def _after_tool(place: Place) -> Answer:
    order = control.read(place.run, place.key)
    failed = place.moment.kind == "after_failure"
    calls.write(place, "fail" if failed else "post", order.generation, "go")
    place.tell()
    if place.settings.events_tools:
        from ppgp_tui.agents.hook import observe

        observe.tool_called(place, success=not failed)
    return _ended(place, order) or _told(place)


def _after_batch(place: Place) -> Answer:
    return _ended(place, control.read(place.run, place.key)) or GO_ON


def _before_model(place: Place) -> Answer:
    hold.sweep(place)
    place.tell("working")
    order = control.read(place.run, place.key)
    if hold.is_wanted(place, order):
        hold.wait(place, order)
        place.tell("working")
    return GO_ON


def _after_model(place: Place) -> Answer:
    place.tell()
    return GO_ON


def _permission(place: Place) -> Answer:
    place.tell("working")
    from ppgp_tui.agents.hook import permission

    answer = permission.ask(place)
    if place.problems:
        place.tell()
    return answer


def _start(place: Place) -> Answer:
    from ppgp_tui.agents.hook import memory, observe, upkeep

    hold.sweep(place)
    upkeep.at_start(place)
    before = place.told()
    packet = ""
    with place.unhurt("the boot packet was not made"):
        packet = memory.packet(place)
    if place.moment.detail == "compact":
        _compacted(place, before, packet)
        place.tell(change=_told_again)
    else:
        resumed = before.get("run") if isinstance(before.get("run"), str) else ""
        run = observe.run_started(
            place,
            injected=memory.injected(packet),
            told=memory.told(packet, memory.facts(place)) if place.has_log else {},
            resumed_from=resumed or "",
        )

        def began(said: Json) -> None:
            _forget(said)
            said.update(run=run or None, continued=0, problems=list(place.problems))
            for name in ("rounds", "still", "progress", "last_answer", "went_on_ms", "rests"):
                said.pop(name, None)

        place.tell("idle", began)
    if not packet:
        return GO_ON
    return place.adapter.tell(place.moment, packet) or GO_ON


def _prompt(place: Place) -> Answer:
    from ppgp_tui.agents.hook import observe

    hold.sweep(place)
    calls.close_open(place)
    _over(place)
    before, words = place.told(), []
    if place.moment.by_person:
        observe.interrupted(place, "prompt")
    if before.get("compacted"):
        from ppgp_tui.agents.hook import memory

        with place.unhurt("the boot packet was not made"):
            words.append(memory.packet(place))
        _compacted(place, before, words[0] if words else "")
    words += _notes(place)

    def prompted(said: Json) -> None:
        _forget(said)
        if place.moment.by_person:
            said["continued"] = said["rounds"] = said["still"] = 0
            said.pop("last_answer", None)
        said.pop("rests", None)
        said.pop("error", None)

    place.tell("working", prompted)
    text = "\n\n".join(filter(None, words))
    return (place.adapter.tell(place.moment, text) if text else None) or GO_ON


def _stop(place: Place) -> Answer:
    from ppgp_tui.agents.hook import round as rounds
    from ppgp_tui.agents.hook import upkeep

    hold.sweep(place)
    calls.close_open(place)
    order = control.read(place.run, place.key)
    with place.unhurt("what ends with the turn was not recorded"):
        upkeep.consume_permissions(place)
        if place.has_log:
            upkeep.settle(place)
    said = "\n\n".join(_notes(place)) if order.hold is None and not order.stop else ""
    if said and (answer := place.adapter.keep_going(place.moment, said)):
        place.tell("working", lambda told: told.update(rounds=told.get("rounds", 0) + 1))
        return answer
    found = rounds.Round("", "it could not be decided", {})
    with place.unhurt("whether to go on was not decided"):
        found = rounds.next_round(place, order)
    answer = place.adapter.keep_going(place.moment, found.words) if found.words else None

    def stopped(told: Json) -> None:
        told.update(found.said)
        told.pop("rests", None)
        told.pop("error", None)
        if answer is None:
            told["rests"] = found.why

    _over(place)
    place.tell("idle" if answer is None else "working", stopped)
    return answer or GO_ON


def _failure(place: Place) -> Answer:
    from ppgp_tui.agents.hook import observe

    error = place.moment.detail or "unknown"
    calls.close_open(place)
    observe.limited(place, error[:200])
    _over(place)
    place.tell("idle", lambda said: said.update(error=error[:200]))
    return GO_ON


def _interrupt(place: Place) -> Answer:
    from ppgp_tui.agents.hook import observe

    calls.close_open(place)
    place.tell("idle")
    observe.interrupted(place, "esc", wait_s=observe.SHORT_S)
    hold.sweep(place)  # a call that waited was killed with the turn
    _over(place)
    return GO_ON


def _end(place: Place) -> Answer:
    from ppgp_tui.agents.hook import observe

    place.tell("ended")
    hold.sweep(place)
    observe.run_finished(place, "completed", wait_s=observe.SHORT_S)
    _over(place)
    if place.problems:
        place.tell("ended")
    return GO_ON


def _before_compaction(place: Place) -> Answer:
    from ppgp_tui.agents.hook import memory

    known = {"trigger": place.moment.detail or "unknown", "before": memory.facts(place).whole}
    place.tell(change=lambda said: said.update(compacting=known))
    return GO_ON


def _after_compaction(place: Place) -> Answer:
    """Remember that the agent must be told anew, unless a start has done so already."""

    def due(said: Json) -> None:
        known = said.get("compacting") or {"trigger": place.moment.detail, "before": ""}
        if now_ms() - said.get("told_again_ms", 0) > TOLD_AGAIN_MS:
            said["compacted"] = known

    place.tell(change=due)
    return GO_ON


# What several of them do --------------------------------------------------------------------------


def _compacted(place: Place, told: Json, packet: str) -> None:
    """Record one compaction, when the agent is told anew."""
    from ppgp_tui.agents.hook import memory, observe

    known = told.get("compacted") or told.get("compacting")
    known = known if isinstance(known, dict) else {}
    trigger, before = (str(known.get(name) or "") for name in ("trigger", "before"))
    now, injected = memory.facts(place), memory.injected(packet)
    about = memory.told(packet, now)
    observe.compacted(place, trigger or "unknown", before, now.whole, injected, about)


def _forget(said: Json) -> None:
    said.pop("compacting", None)
    said.pop("compacted", None)


def _told_again(said: Json) -> None:
    _forget(said)
    said["told_again_ms"] = now_ms()


def _ended(place: Place, order: control.Control) -> Answer | None:
    """The turn ends here, where a person wants that and the agent can.

    After one call of several the wish stands until the batch of them is over.
    """
    if not order.stop:
        return None
    answer = place.adapter.end_turn(place.moment, STOPPED)
    if answer is not None and not place.moment.subagent:
        if place.moment.kind == "after_batch":
            _over(place)
        place.tell("idle")
    return answer


def _over(place: Place) -> None:
    """The turn is over: it need not be ended any more."""
    if control.read(place.run, place.key).stop:
        from ppgp_tui.session.actions import turns

        with place.unhurt("that the turn ended was not noted"):
            turns.turn_ended(place.engine, place.key)


def _told(place: Place) -> Answer:
    """Whatever a person had to say, with a call that goes on."""
    moment = place.moment
    if place.adapter.tell(moment, "-") is None:
        return GO_ON
    words = "\n\n".join(_notes(place))
    return (place.adapter.tell(moment, words) if words else None) or GO_ON


def _notes(place: Place) -> list[str]:
    """Take the notes for this session, so that nobody else delivers them."""
    if place.run is None or place.moment.subagent or not notes.waiting(place.run):
        return []
    taken: list[notes.Note] = []
    with place.unhurt("a note was not delivered"):
        taken = notes.claim(place.run, place.key)
    if taken:
        from ppgp_tui.session.actions import turns

        with place.unhurt("that a note was delivered was not noted"):
            turns.notes_taken(place.engine)
    return [_said(note) for note in taken]


def _said(note: notes.Note) -> str:
    """A note as the agent reads it; what an audit says is no word of a person."""
    by_person = not note.by.startswith("tool:")
    return f"A note from the operator: {note.text}" if by_person else note.text


HANDLERS: Final[Mapping[Kind, Callable[[Place], Answer]]] = {
    "start": _start,
    "end": _end,
    "prompt": _prompt,
    "before_tool": _before_tool,
    "after_tool": _after_tool,
    "after_failure": _after_tool,
    "after_batch": _after_batch,
    "before_model": _before_model,
    "after_model": _after_model,
    "permission": _permission,
    "stop": _stop,
    "failure": _failure,
    "interrupt": _interrupt,
    "before_compaction": _before_compaction,
    "after_compaction": _after_compaction,
}
