"""What each tool takes: one declaration gives the schema a client sees and the check of a call.

Pi's tools are checked as Pi checks them (`ppgp_tui.pi.tools`), ours by pydantic models. Whatever
the check lets through, the acts behind it have the last word on bounds and say so themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ppgp_tui.pi import tools
from ppgp_tui.pi.arguments import Fields, Listed, Node, Text, Whole

Schema = dict[str, Any]


class BadArgumentsError(ValueError):
    """A call that does not fit its tool; the message names every member that does not."""


class Takes(Protocol):
    """The arguments of one tool."""

    def schema(self, max_tasks: int) -> Schema:
        """The JSON schema of the arguments, always that of an object."""
        ...

    def check(self, received: Mapping[str, Any], max_tasks: int) -> Any:
        """The arguments as the tool gets them. Raises `BadArgumentsError`."""
        ...


class AsPi:
    """The arguments of one of Pi's tools, by its name, and perhaps texts of our own."""

    def __init__(
        self,
        tool: str,
        said: Mapping[str, str] | None = None,
        more: Mapping[str, str] | None = None,
    ) -> None:
        """`said` describes members to whoever fills them in; `more` are texts Pi does not have."""
        self.tool = tool
        self.said = said or {}
        self.more = more or {}

    def schema(self, max_tasks: int) -> Schema:
        """See `Takes`."""
        made = _schema(tools.parameters(self.tool, max_tasks=max_tasks))
        for name, text in self.said.items():
            made["properties"][name]["description"] = text
        for name, text in self.more.items():
            made["properties"][name] = {"type": "string", "maxLength": _TEXT, "description": text}
        return made

    def check(self, received: Mapping[str, Any], max_tasks: int) -> Mapping[str, Any]:
        """See `Takes`; the refusal is Pi's."""
        own = {name: value for name, value in received.items() if name in self.more}
        for name, value in own.items():
            if not isinstance(value, str) or len(value) > _TEXT:
                text = f"  - {name}: must be text of at most {_TEXT} characters"
                raise BadArgumentsError(f'Validation failed for tool "{self.tool}":\n{text}')
        pis = {name: value for name, value in received.items() if name not in self.more}
        checked = tools.check(self.tool, pis, max_tasks=max_tasks)
        if isinstance(checked, tools.Rejection):
            raise BadArgumentsError(checked.text)
        return {**checked, **own}


class AsModel:
    """The arguments of one of our tools, as a model."""

    def __init__(self, tool: str, model: type[BaseModel]) -> None:
        self.tool = tool
        self.model = model

    def schema(self, max_tasks: int) -> Schema:
        """See `Takes`."""
        del max_tasks
        made: Schema = _tidied(self.model.model_json_schema(by_alias=True))
        made.pop("description", None)  # the model's docstring, which is for us
        return made

    def check(self, received: Mapping[str, Any], max_tasks: int) -> BaseModel:
        """See `Takes`; the refusal is worded as Pi's, one line for each fault."""
        del max_tasks
        try:
            return self.model.model_validate(dict(received))
        except ValidationError as error:
            faults = error.errors(include_url=False, include_input=False, include_context=False)
            lines = [f"  - {_path(fault['loc'])}: {fault['msg']}" for fault in faults]
            text = "\n".join([f'Validation failed for tool "{self.tool}":', *lines])
            raise BadArgumentsError(text) from None


def _path(where: tuple[int | str, ...]) -> str:
    return ".".join(map(str, where)) or "root"


def _schema(node: Node) -> Schema:
    """The JSON schema that lets through what Pi's own schema does."""
    match node:
        case Text():
            made: Schema = {"type": "string"}
            if node.one_of:
                return made | {"enum": list(node.one_of)}
            made |= {"minLength": node.least} if node.least else {}
            return made | ({} if node.most is None else {"maxLength": node.most})
        case Whole():
            made = {"type": "integer", "minimum": node.least}
            return made | ({} if node.most is None else {"maximum": node.most})
        case Listed():
            made = {"type": "array", "items": _schema(node.item)}
            made |= {} if node.most is None else {"maxItems": node.most}
            return made | ({"uniqueItems": True} if node.unique else {})
        case Fields():
            return {
                "type": "object",
                "properties": {member.name: _schema(member.node) for member in node.members},
                "required": [member.name for member in node.members if member.required],
                "additionalProperties": not node.closed,
            }


def _tidied(value: Any) -> Any:
    """A schema without titles made of Python's names, and without null where absent is meant."""
    if isinstance(value, list):
        return [_tidied(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {name: _tidied(item) for name, item in value.items()}
    if isinstance(value.get("title"), str):
        del kept["title"]
    if kept.get("anyOf", [{}])[-1] == {"type": "null"}:
        kept = {**kept.pop("anyOf")[0], **kept}
        del kept["default"]
    return kept


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=False)


_TEXT: Final = 4000
Key = Annotated[str, Field(min_length=1, max_length=261)]
"""The key of a task, or its node id `todo:KEY`."""


class Nothing(_Arguments):
    """For tools that take nothing."""


class Ask(_Arguments):
    """Of `request_authority`."""

    question: str = Field(
        min_length=1,
        max_length=_TEXT,
        description="The smallest decision you need, whole: a person reads only this card.",
    )
    options: list[Annotated[str, Field(min_length=1, max_length=500)]] = Field(
        default=[],
        max_length=9,
        description="Choices, in order: they become a, b, c … Without any it is yes or no.",
    )
    recommended: str | None = Field(
        default=None, description="The option you advise: its letter, or yes or no."
    )
    klass: Literal["A", "B", "C", "D"] = Field(
        default="C",
        alias="class",
        description="Blocker class of PPGP: B external, C a person's authority, D hard dependency. "
        "A (technical, reversible) is refused: solve it yourself.",
    )
    scope: str = Field(
        default="", max_length=_TEXT, description="What waits for it, as small as is true."
    )
    why: str | None = Field(
        default=None, max_length=_TEXT, description="Why a person has to decide this, and why now."
    )
    evidence: str | None = Field(
        default=None, max_length=8000, description="What you observed that bears on it."
    )
    irreversible: bool = Field(default=False, description="It cannot be undone afterwards.")
    frees: list[Key] = Field(
        default=[], max_length=200, description="Keys of the tasks that wait for the answer."
    )
    expires_s: int | None = Field(
        default=None,
        alias="expiresInSeconds",
        ge=1,
        le=365 * 24 * 3600,
        description="When the question is pointless. Nobody answering in time is not a no.",
    )


class Request(_Arguments):
    """Of `get_answer`."""

    request: str = Field(description="The id that asking gave: req_ and 32 hex digits.")


class Raise(_Arguments):
    """Of `raise_blocker`."""

    text: str = Field(min_length=1, max_length=_TEXT, description="What stands in the way.")
    klass: Literal["A", "B", "C", "D"] = Field(
        alias="class",
        description="A agent-solvable, B external, C a person's authority, D hard dependency.",
    )
    scope: str = Field(
        default="", max_length=_TEXT, description="What it stops, as small as is true."
    )
    until: str | None = Field(
        default=None,
        pattern=r"^\d{4}-\d{2}-\d{2}$",
        description="The date it ends by itself (YYYY-MM-DD), if one is known.",
    )
    tasks: list[Key] = Field(
        default=[], max_length=200, description="Keys of the tasks it stops, or the goal's id."
    )


class Clear(_Arguments):
    """Of `clear_blocker`."""

    blocker: str = Field(description="The id that raising gave: blk_ and 32 hex digits.")
    reason: str = Field(min_length=1, max_length=_TEXT, description="Why it no longer stands.")


class Checkpoint(_Arguments):
    """Of `checkpoint`."""

    summary: str = Field(
        min_length=1, max_length=_TEXT, description="In one line, what you verified and wrote down."
    )
