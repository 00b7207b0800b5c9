"""What a sentence needs of an event."""

from __future__ import annotations

from typing import Any, Protocol


class Eventful(Protocol):
    """What a sentence is made of: an envelope, or anything with these members of one."""

    @property
    def id(self) -> str:
        """The event's id."""

    @property
    def kind(self) -> str:
        """Its kind, such as `run.started`."""

    @property
    def actor_kind(self) -> str:
        """`agent`, `user`, `system` or `tool`."""

    @property
    def actor_id(self) -> str:
        """Who acted."""

    @property
    def payload(self) -> Any:
        """Any JSON value."""

    @property
    def error(self) -> str | None:
        """What is wrong with the line."""
