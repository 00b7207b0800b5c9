"""A model provider on the loopback that says what a test tells it to say.

A request that offers no tools is the agent's own business (titles and the like): it gets `SIDE`
and is not counted. Every other one is answered with the next turn of the script, or with `OVER`.
"""

from __future__ import annotations

import gzip
import json
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import repeat
from typing import Any, NamedTuple

from tests.e2e.real.dialects import Call, Json, Turn, anthropic, google, openai
from tests.waiting import until

SIDE = Turn("ok")
OVER = Turn("There is nothing left to do.")

_STREAMS = {
    "/v1/messages": anthropic, "/v1/responses": openai,
    "/v1beta/models/fake-model:streamGenerateContent": google,
}  # fmt: skip


class Request(NamedTuple):
    """One thing an agent asked of the model."""

    at: float
    """Monotonic seconds."""
    body: Json

    @property
    def text(self) -> str:
        """All of it, as JSON with every character as it is."""
        return json.dumps(self.body, ensure_ascii=False)

    @property
    def said(self) -> list[Json]:
        """The conversation: messages, input items or contents, as the provider calls them."""
        names = ("messages", "input", "contents")
        return list(next(filter(None, (self.body.get(name) for name in names)), []))

    def words(self) -> str:
        """The texts of the conversation in order, as they are and not as JSON."""
        return "\n".join(_texts(self.said))


class Model:
    """The provider; `with Model() as model`."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        """Those that were answered from the script, in order."""
        self.side: list[Request] = []
        self.odd: list[str] = []
        """Whatever else was asked of us: `METHOD PATH`."""
        self._script: list[Turn] = []
        self._else: Iterator[Turn] = repeat(OVER)
        self._lock = threading.Lock()
        self._open = threading.Event()
        self._open.set()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]

    def __enter__(self) -> Model:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def will(self, *turns: Turn) -> None:
        """Say these things next."""
        with self._lock:
            self._script.extend(turns)

    def then(self, turns: Iterator[Turn]) -> None:
        """Say these things after that; there must be no end of them."""
        self._else = turns

    def keep_waiting(self) -> None:
        """Answer nothing until `answer`."""
        self._open.clear()

    def answer(self) -> None:
        self._open.set()

    def asked(self, count: int) -> Request:
        """Wait for the request of that number (from 1)."""
        until(lambda: len(self.requests) >= count, 40)
        return self.requests[count - 1]

    def asked_with(self, words: str) -> Request:
        """Wait for a request with these words in its conversation."""
        found: Request = until(
            lambda: next((one for one in self.requests if words in one.words()), None), 40
        )
        return found

    # ----------------------------------------------------------------------------------------------

    def take(self, body: Json) -> tuple[int, Turn]:
        """Note a request; the answer to it and its number."""
        request = Request(time.monotonic(), body)
        with self._lock:
            if not body.get("tools"):
                self.side.append(request)
                return 9000 + len(self.side), SIDE
            self.requests.append(request)
            number = len(self.requests)
            turn = self._script.pop(0) if self._script else next(self._else)
        self._open.wait()
        return number, turn

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                path, body = self.path.partition("?")[0], self._body()
                stream = _STREAMS.get(path)
                if stream is None:
                    model.odd.append(f"POST {path}")
                    self._send(404, b"{}")
                    return
                number, turn = model.take(body)
                events = list(stream(turn, number, str(body.get("model"))))
                lines = (
                    (f"event: {one['type']}\n" if "type" in one else "")
                    + f"data: {json.dumps(one)}\n\n"
                    for one in events
                )
                self._send(200, "".join(lines).encode(), "text/event-stream")

            def do_GET(self) -> None:
                model.odd.append(f"{self.command} {self.path}")
                self._send(200 if self.command == "HEAD" else 404, b"")

            do_HEAD = do_GET  # noqa: N815

            def _body(self) -> Json:
                data = self.rfile.read(int(self.headers.get("content-length") or 0))
                if self.headers.get("content-encoding") == "gzip":
                    data = gzip.decompress(data)
                found: Json = json.loads(data or b"{}")
                return found

            def _send(self, status: int, data: bytes, kind: str = "application/json") -> None:
                with suppress(OSError):  # the agent has hung up
                    self.send_response(status)
                    self.send_header("content-type", kind)
                    self.send_header("content-length", str(len(data)))
                    self.send_header("connection", "close")
                    self.end_headers()
                    self.wfile.write(data)

            def log_message(self, *_: Any) -> None:
                pass

        return Handler


def shell(command: str) -> Call:
    """Claude Code's shell."""
    return Call("Bash", {"command": command, "description": "Do the next step"})


def exec_command(command: str, **more: str) -> Call:
    """Codex's shell."""
    return Call("exec_command", {"cmd": command, **more})


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
