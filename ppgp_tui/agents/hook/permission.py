"""A permission prompt as a request in the inbox; the first answer, there or with the agent, wins.

Silence is no answer: when we stop waiting, the agent's own prompt stands. A permission is recorded
only together with its answer; a question of the agent's is recorded like any other question.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from ppgp_tui.agents.adapters.shape import GO_ON, LONG_S, Answer, Decision, Moment, Question
from ppgp_tui.agents.hook import calls
from ppgp_tui.agents.hook.hold import LOOK_S, MARGIN_S
from ppgp_tui.agents.hook.place import AGENTS, Json, Place, now_ms, open_folder
from ppgp_tui.agents.hook.signals import KilledError, Parent, killable, undisturbed
from ppgp_tui.session.actions import asking, turns
from ppgp_tui.session.actions.recorded import recorded
from ppgp_tui.session.authority import answer as answers
from ppgp_tui.session.authority import request_files
from ppgp_tui.session.authority.damage import DamagedError
from ppgp_tui.session.authority.pins import Pins
from ppgp_tui.session.authority.waiter import (
    Delivered,
    DeliveredBefore,
    Stopped,
    TimedOut,
    Waiter,
)
from ppgp_tui.session.canonical import UnserialisableError, canonical, new_id
from ppgp_tui.session.engine import requests
from ppgp_tui.session.files import notes
from ppgp_tui.session.files.places import data_folder
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.process import start_of
from ppgp_tui.session.text import one_line

LINE_MOST: Final = 300
"""Characters of a call that the question shows; the whole input stands beside it."""
OVER: Final = ("Stop", "StopFailure", "UserPromptSubmit", "SessionStart", "SessionEnd", "Interrupt")
"""Events after which an earlier prompt of the session stands no more."""

_CWD_MOST = 2000


def ask(place: Place) -> Answer:
    """Bring the prompt of this moment to the inbox and wait; no answer where there is none."""
    settings = place.settings
    if settings.permission_mode == "off" or place.run is None:
        return GO_ON
    asked = place.adapter.questions(place.moment)
    try:
        with killable():
            if asked:
                return _questions(place, asked) if place.has_log else GO_ON
            if place.moment.tool == "AskUserQuestion":
                return GO_ON  # not as we know it: its user sees it in the agent's own window
            return _permission(place)
    except KilledError:
        return GO_ON


def _permission(place: Place) -> Answer:
    try:
        request = _request(place)
    except (RefusalError, DamagedError, UnserialisableError, OSError) as error:
        place.problem(f"a permission stays with the agent: {error}")
        return GO_ON
    try:
        with undisturbed():
            asked = _put(place, request)
        if not asked:
            return GO_ON
        got = _wait(place, request, lambda: _restore(place, request))
        if isinstance(got, TimedOut):
            asks = {"tool": request["tool"]["name"], "since_ms": now_ms()}
            place.tell(change=lambda said: said.update(asks=asks))
        if not isinstance(got, Delivered | DeliveredBefore):
            return GO_ON
        if place.has_log:
            with place.unhurt("a delivery was not recorded"):
                asking.deliver(place.engine, request["id"])
        return _decided(place, got.answer)
    finally:
        _take_away(place, request["id"])


def _decided(place: Place, answer: answers.Answer) -> Answer:
    allow = answer.option in ("allow_once", "allow_session")
    note = (answer.note or "").strip()
    if allow and note and place.run is not None:  # an agent takes words with a refusal only
        with place.unhurt("the note to a permission was not passed on"):
            notes.send(place.run, note, (place.key,), by=answer.by, at_ms=now_ms())
            turns.notes_taken(place.engine)
    decision = Decision(allow, answer.option == "allow_session", note)
    return place.adapter.permit(place.moment, decision) or GO_ON


def _request(place: Place) -> Json:
    """What a person is shown. Raises where it cannot be shown whole."""
    moment = place.moment
    pid = os.getpid()
    asker: Json = {
        "actor": f"agent:{place.key}",
        "session": place.key,
        "pid": pid,
        "pid_start": start_of(pid),
        "cwd": _plain(moment.cwd)[:_CWD_MOST],
    }
    name = _plain(moment.tool or "a tool")[:200]
    if place.run is None:
        raise FileNotFoundError(".ppgp/run cannot be used")
    return requests.build(
        request_id=new_id("req"),
        repo=request_files.repo_id(place.run),
        question=_line(place, name),
        asker={name: value for name, value in asker.items() if value is not None},
        created_ms=now_ms(),
        kind="permission",
        tool={"name": name, "input": _shown(moment.tool_input), **_for_session(moment)},
    )


def _for_session(moment: Moment) -> Json:
    """What an answer may allow till the session ends; nothing that could not be shown whole."""
    rules = [_plain(rule) for rule in moment.rules]
    fits = 0 < len(rules) <= requests.RULES_MOST and all(
        0 < len(rule) <= requests.RULE_MOST for rule in rules
    )
    return {"session": rules} if fits else {}


def _line(place: Place, tool: str) -> str:
    """Which call it is about, in one line."""
    given = place.moment.tool_input
    words = ""
    if isinstance(given, dict):
        found = (given.get(name) for name in ("command", "file_path", "path", "url", "plan"))
        words = next((text for text in found if isinstance(text, str)), "")
    about = one_line(_plain(words))
    about = about if len(about) <= LINE_MOST else f"{about[: LINE_MOST - 2]} …"
    return f"Allow {tool}: {about}" if about else f"Allow {tool}?"


def _shown(given: Any) -> Any:
    """The input of the call; as JSON text where canonical JSON has no form for it."""
    try:
        canonical(given)
    except UnserialisableError:
        return {"json": _plain(json.dumps(given, ensure_ascii=False))}
    return given


def _plain(text: str) -> str:
    """`text` without half characters."""
    return text.encode("utf-8", "replace").decode()


def _put(place: Place, request: Json) -> bool:
    """Ask, unless its readers would refuse it or it cannot be written."""
    before = len(place.problems)
    with place.unhurt("a permission stays with the agent"):
        if place.run is not None:
            request_files.create_request(place.run, request)
    return len(place.problems) == before


def _restore(place: Place, request: Json) -> None:
    """`.ppgp/run` may be deleted while we wait."""
    path = place.root / ".ppgp" / "run" / request_files.FOLDER / f"{request['id']}.json"
    if os.path.lexists(path):
        return
    place.run = open_folder(place.root)
    if place.run is not None:
        with suppress(OSError, DamagedError):
            request_files.set_repo_id(place.run, request["repo"])
            request_files.create_request(place.run, request)


def _take_away(place: Place, request_id: str) -> None:
    """Nobody waits any more."""
    with (
        suppress(OSError),
        Folder.open(place.root, ".ppgp", "run", request_files.FOLDER) as folder,
    ):
        folder.remove(f"{request_id}.json")


# Questions of the agent's own --------------------------------------------------------------------


def _questions(place: Place, asked: tuple[Question, ...]) -> Answer:
    """Ask everything at once and wait for it all; one that stays open leaves all to the agent."""
    if any(len(one.options) > requests.OPTIONS_MOST for one in asked):
        return GO_ON
    waiting: list[Json] = []
    said: dict[str, str] = {}
    reason = "asker_gone"
    try:
        for one in asked:
            with undisturbed():
                result = asking.ask(place.engine, _question(one), pid=os.getpid())
                if not result.ok:
                    place.problem(f"a question stays with the agent: {result.message}")
                    return GO_ON
                entry = recorded(place.engine).ledger.requests[result.data["request"]]
                waiting.append(entry["request"])
        for one, request in zip(asked, list(waiting), strict=True):
            got = _wait(place, request, lambda: None)
            if isinstance(got, Delivered | DeliveredBefore):
                waiting.remove(request)
                with place.unhurt("a delivery was not recorded"):
                    asking.deliver(place.engine, request["id"])
                said[one.text] = _words(one, got.answer)
            else:
                reason = got.reason if isinstance(got, Stopped) else "handed_back"
                return GO_ON
    finally:
        for request in waiting:
            with place.unhurt("a question was not withdrawn"):
                asking.withdraw(place.engine, request["id"], reason)
    return place.adapter.reply(place.moment, said) or GO_ON


def _question(one: Question) -> asking.Question:
    why = "More than one may be chosen: answer in words then." if one.several else None
    return asking.Question(one.text, why=why, options=one.options)


def _words(one: Question, answer: answers.Answer) -> str:
    if answer.option is None:
        return answer.text or ""
    return one.options[requests.OPTION_KEYS.index(answer.option)]


# Waiting ------------------------------------------------------------------------------------------


def _wait(place: Place, request: Json, every: Callable[[], None]) -> object:
    """Wait for an answer that counts, until the prompt is answered elsewhere or our time is up."""
    waiter = Waiter(
        place.root,
        request,
        Pins(data_folder(), place.root, place.environ),
        f"agent:{place.key}",
        place.problem,
        now_ms,
    )
    elsewhere = _Elsewhere(place, request["created_ms"])

    def stopped() -> str | None:
        every()
        return elsewhere.reason()

    return waiter.wait(_limit_s(place), stopped=stopped, sleep=lambda _: time.sleep(LOOK_S))


def _limit_s(place: Place) -> float:
    entry = place.adapter.hook(place.moment.event)
    most = (entry.timeout_s if entry else LONG_S) - MARGIN_S
    if place.adapter.name == "codex":
        return float(min(place.settings.permission_codex_wait_s, most))
    return float(min(place.settings.hold_limit_s, most))


@dataclass
class _Elsewhere:
    """Notices that the prompt was answered in the agent's own window, or that the agent is gone."""

    place: Place
    since_ms: int
    parent: Parent = field(default_factory=Parent)
    _seen: tuple[int, ...] | None = None
    _call: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        """Find the call the prompt is about: the newest that runs, of this tool and subagent."""
        moment = self.place.moment
        tool, subagent = calls.word(moment.tool), calls.word(moment.subagent)
        running = calls.open_calls(calls.last(self.place), subagent)
        names = [call.name for call in running if call.tool == tool]
        self._call = names[-1] if names else None

    def reason(self) -> str | None:
        """Why nobody needs our answer any more."""
        if self.parent.is_gone:
            return "asker_gone"
        now = tuple(self._stamps())
        if now != self._seen:
            self._seen = now
            if self._is_over() or self._is_answered():
                return "answered_in_agent"
        return None

    def _stamps(self) -> Iterator[int]:
        for end in ("calls", "json"):
            try:
                path = self.place.root / ".ppgp" / "run" / AGENTS / f"{self.place.key}.{end}"
                found = path.lstat()
                yield from (found.st_ino, found.st_size, found.st_mtime_ns)
            except OSError:
                yield 0

    def _is_answered(self) -> bool:
        tool = calls.word(self.place.moment.tool)
        for call in calls.last(self.place):
            if call.what == "pre" or call.ms < self.since_ms:
                continue
            if call.name == self._call or (self._call is None and call.tool == tool):
                return True
        return False

    def _is_over(self) -> bool:
        said = self.place.told()
        return said.get("last_event") in OVER and not self.place.moment.subagent
