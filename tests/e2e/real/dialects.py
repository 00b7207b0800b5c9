"""How three providers stream an answer: as many of their events as the agents need, and no more.

All stream server-sent events. `anthropic` is the Messages stream that Claude Code and Pi read,
`openai` the Responses stream that Codex reads, `google` the stream of contents for Gemini CLI.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

Json = dict[str, Any]


class Call(NamedTuple):
    """A tool that the model wants used."""

    name: str
    input: Json


class Turn(NamedTuple):
    """One answer of the model."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    tokens: int = 100
    """How much was read, as it tells the agent."""


def anthropic(turn: Turn, number: int, model: str) -> Iterator[Json]:
    """The events of one answer; `number` makes ids of messages and calls unique."""
    blocks: list[tuple[Json, Json]] = []
    if turn.text:
        blocks.append(({"type": "text", "text": ""}, {"type": "text_delta", "text": turn.text}))
    for at, call in enumerate(turn.calls):
        use = {"type": "tool_use", "id": f"toolu_{number:04}{at}", "name": call.name, "input": {}}
        words = {"type": "input_json_delta", "partial_json": json.dumps(call.input)}
        blocks.append((use, words))
    usage = {"input_tokens": turn.tokens, "output_tokens": 10}
    message: Json = {
        "id": f"msg_{number:06}", "type": "message", "role": "assistant", "model": model,
        "content": [], "stop_reason": None, "stop_sequence": None, "usage": usage,
    }  # fmt: skip
    yield {"type": "message_start", "message": message}
    for index, (block, delta) in enumerate(blocks):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    why = "tool_use" if turn.calls else "end_turn"
    ended = {"stop_reason": why, "stop_sequence": None}
    yield {"type": "message_delta", "delta": ended, "usage": usage}
    yield {"type": "message_stop"}


def openai(turn: Turn, number: int, model: str) -> Iterator[Json]:
    """The events of one answer."""
    items: list[Json] = []
    if turn.text:
        said = {"type": "output_text", "text": turn.text, "annotations": []}
        items.append({"type": "message", "id": f"msg_{number:06}", "role": "assistant",
                      "status": "completed", "content": [said]})  # fmt: skip
    for at, call in enumerate(turn.calls):
        items.append({"type": "function_call", "id": f"fc_{number:04}{at}", "status": "completed",
                      "call_id": f"call_{number:04}{at}", "name": call.name,
                      "arguments": json.dumps(call.input)})  # fmt: skip
    response = {"id": f"resp_{number:06}", "object": "response", "model": model}
    yield {"type": "response.created", "response": {**response, "status": "in_progress"}}
    for index, item in enumerate(items):
        yield {"type": "response.output_item.added", "output_index": index, "item": item}
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    usage = {
        "input_tokens": turn.tokens, "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 10, "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": turn.tokens + 10,
    }  # fmt: skip
    done = {**response, "status": "completed", "output": items, "usage": usage}
    yield {"type": "response.completed", "response": done}


def google(turn: Turn, number: int, model: str) -> Iterator[Json]:
    """The one event of one answer."""
    parts: list[Json] = [{"text": turn.text}] if turn.text else []
    for at, call in enumerate(turn.calls):
        said = {"id": f"call_{number:04}{at}", "name": call.name, "args": call.input}
        parts.append({"functionCall": said})
    yield {
        "candidates": [
            {"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": parts}}
        ],
        "usageMetadata": {
            "promptTokenCount": turn.tokens, "candidatesTokenCount": 10,
            "totalTokenCount": turn.tokens + 10,
        },
        "modelVersion": model,
        "responseId": f"resp_{number:06}",
    }  # fmt: skip
