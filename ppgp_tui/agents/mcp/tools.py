"""The tools by name: what each takes, what it does through the engine, and how it is described.

Every call ends in a `Reply`: the result as every door gives it, and the same in words. Nothing a
client sends can end the server, and no reply tells of places outside the repository.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ppgp_tui.agents.mcp import acts
from ppgp_tui.agents.mcp.acts import Act, Call
from ppgp_tui.agents.mcp.arguments import (
    Ask,
    AsModel,
    AsPi,
    BadArgumentsError,
    Checkpoint,
    Clear,
    Nothing,
    Raise,
    Request,
    Takes,
)
from ppgp_tui.agents.mcp.discreet import discreet
from ppgp_tui.agents.mcp.picture import Picture, plain
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.text import safe


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. `looks`: it changes nothing. `undoes`: something is given up by it."""

    name: str
    description: str
    takes: Takes
    act: Act
    looks: bool = False
    undoes: bool = False


TOOLS: Final = (
    Tool(
        "propose_goal",
        "Propose a Goal to the person. It begins only when they confirm it: this returns the id of "
        "a request at once, get_answer tells what they decided. Refused while a Goal exists.",
        AsPi("propose_goal", {"objective": "The whole outcome wanted, verifiable by others."}),
        acts.propose_goal,
    ),
    Tool(
        "tweak_goal",
        "Propose another wording of the current Goal to the person. Returns the id of a request; "
        "the Goal stays as it is until they confirm.",
        AsPi("tweak_goal", {"objective": "The whole new objective, not the difference."}),
        acts.tweak_goal,
    ),
    Tool(
        "set_goal_blocked",
        "State that no autonomous progress on the Goal is possible, with the proof. Exceptional: "
        "not a way to defer work, to ask for review or to hand back an unfinished Goal.",
        AsPi(
            "set_goal_blocked",
            {
                "blocker": "What stops the Goal.",
                "evidence": "What you observed that proves it.",
                "whyNoAutonomousPathRemains": "Why nothing else in scope can advance it.",
                "unblockCondition": "What would end the block.",
            },
        ),
        acts.set_goal_blocked,
    ),
    Tool(
        "resume_goal",
        "End a block of the Goal once its unblock condition holds. A pause by the person is theirs "
        "to end.",
        AsPi("resume_goal"),
        acts.resume_goal,
    ),
    Tool(
        "abandon_goal",
        "Give the Goal up, with the reason. Only when it should be abandoned, not when it is done.",
        AsPi("abandon_goal", {"reason": "Why it is given up."}),
        acts.abandon_goal,
        undoes=True,
    ),
    Tool(
        "complete_goal",
        "Claim that the Goal is done. This records a claim and nothing more: the Goal stays open "
        "until an independent audit has verified it. After a rejection the same claim is refused "
        "while nothing moved, unless it disputes the verdict.",
        AsPi(
            "complete_goal",
            {"summary": "What was done and how each condition was verified."},
            {"dispute": "Why the verdict that rejected the last claim is wrong, with evidence."},
        ),
        acts.complete_goal,
    ),
    Tool(
        "get_todo",
        "Read the plan with its revision.",
        AsPi("get_todo"),
        acts.get_todo,
        looks=True,
    ),
    Tool(
        "todo",
        "Replace the whole plan. Give the baseRevision you read; a stale one changes nothing. An "
        "unfinished task may be left out only with its key and the reason under remove.",
        AsPi(
            "todo",
            {
                "baseRevision": "The revision this plan was made from.",
                "tasks": "Every task of the new plan, in order.",
                "remove": "Tasks that leave the plan, each with the reason.",
            },
        ),
        acts.todo,
    ),
    Tool(
        "request_authority",
        "Ask the person for a decision that only they may take. Returns a request id at once and "
        "never waits: go on with what does not depend on it and call get_answer with the id later.",
        AsModel("request_authority", Ask),
        acts.request_authority,
    ),
    Tool(
        "get_answer",
        "Tell what became of a request: waiting, answered, expired or withdrawn. Only answered, "
        "with its option or text, is a decision. The first time an answer is told it is delivered.",
        AsModel("get_answer", Request),
        acts.answer_of,
    ),
    Tool(
        "raise_blocker",
        "Record something in the way, with its class and the smallest scope it stops.",
        AsModel("raise_blocker", Raise),
        acts.raise_blocker,
    ),
    Tool(
        "clear_blocker",
        "Record that a blocker no longer stands.",
        AsModel("clear_blocker", Clear),
        acts.clear_blocker,
    ),
    Tool(
        "checkpoint",
        "Vouch that the goal document tells the verified state now, so that a fresh agent could "
        "go on from it. Update the document first.",
        AsModel("checkpoint", Checkpoint),
        acts.checkpoint,
    ),
    Tool(
        "get_session",
        "Read the session: Goal, document, plan, what waits for a person, blockers, whether the "
        "person asked everybody to wait, problems.",
        AsModel("get_session", Nothing),
        acts.get_session,
        looks=True,
    ),
)
_BY_NAME: Final = {tool.name: tool for tool in TOOLS}


@dataclass(frozen=True, slots=True)
class Reply:
    """What the client gets: the result as JSON, the same in words, and whether it is an error."""

    result: Json
    text: str
    error: bool


@dataclass
class Desk:
    """What the server keeps between calls. One call at a time."""

    root: Path
    clock: Callable[[], int]
    asked: dict[str, str] = field(default_factory=dict)
    """Digest of each request asked here, by id: an answer must be to exactly that."""

    def __post_init__(self) -> None:
        self.picture = Picture(self.root, self.clock)

    def call(self, actor: Actor, name: str, received: Mapping[str, Any]) -> Reply:
        """Call the tool `name` as `actor`. Raises KeyError when there is no such tool."""
        tool = _BY_NAME[name]
        try:
            result = self._result(tool, actor, received)
        except BadArgumentsError as error:
            result = Result(name, "usage", str(error))
        except RefusalError as refusal:
            result = Result(name, refusal.refused.code, refusal.refused.message)
        except Exception as error:  # whatever it is, the client is told and the server goes on
            result = Result(name, "refused", _unforeseen(error))
        return self._reply(result)

    def _result(self, tool: Tool, actor: Actor, received: Mapping[str, Any]) -> Result:
        engine = Engine(self.root, actor, clock=self.clock)
        arguments = tool.takes.check(received, engine.settings.plan_max_tasks)
        return tool.act(Call(engine, self.picture, self.asked, received), arguments)

    def _reply(self, result: Result) -> Reply:
        told: Json = plain(result.as_json())
        if not result.ok:
            told["message"] = discreet(told["message"], self.root)
        told["warnings"] = [discreet(text, self.root) for text in told["warnings"]]
        lines = [told["message"], *(f"Warning: {text}" for text in told["warnings"])]
        return Reply(told, safe("\n".join(lines)), not result.ok)


def _unforeseen(error: Exception) -> str:
    """An exception nobody foresaw, in words that give no place away."""
    why = error.strerror if isinstance(error, OSError) and error.strerror else ""
    said = f"{type(error).__name__}{f': {why.lower()}' if why else ''}"
    return f"this failed inside the server ({said}); get_session shows what is recorded"
