"""An agent that `ppgp-tui run` started: its process group, which can be frozen, thawed and ended.

The launcher leaves `.ppgp/run/agents/KEY.json` in the shape of a heartbeat, with the member
`launch` besides. The agent's own sessions name that KEY as `launched` (it is in their
environment), so each of them is found to belong to that process. Cheap to import: the status line
joins them as well.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.members import text, whole
from ppgp_tui.session.process import is_alive

if TYPE_CHECKING:
    from collections.abc import Mapping


class Launch(NamedTuple):
    """What a launcher recorded of the agent it started."""

    pid: int
    pid_start: int | None
    group: int
    """Its process group, of which it is the leader."""
    terminal_session: int
    """The session of processes it was started in."""
    launcher: int
    launcher_start: int | None
    program: str
    exit_code: int | None
    """128 and the number of the signal where one ended it; None: not known to have ended."""
    frozen_ms: int | None
    """Since when it is frozen by a person; None: it is not."""

    @property
    def is_there(self) -> bool:
        """Whether the agent still runs."""
        return self.exit_code is None and is_alive(self.pid, self.pid_start)

    @property
    def has_launcher(self) -> bool:
        """Whether the launcher still waits for it."""
        return is_alive(self.launcher, self.launcher_start)


def launch_of(said: Mapping[str, Any]) -> Launch | None:
    """The launch that a session's file tells of; None where it tells of none."""
    launch = said.get("launch")
    pid = whole(said.get("pid"))
    if not isinstance(launch, dict) or pid is None:
        return None
    group, session = whole(launch.get("group")), whole(launch.get("session"))
    launcher = whole(launch.get("pid"))
    if group is None or session is None or launcher is None:
        return None
    return Launch(
        pid=pid,
        pid_start=whole(said.get("pid_start")),
        group=group,
        terminal_session=session,
        launcher=launcher,
        launcher_start=whole(launch.get("pid_start")),
        program=text(launch.get("program")),
        exit_code=whole(launch.get("exit")),
        frozen_ms=whole(launch.get("frozen_ms")),
    )


def why_not_its_group(launch: Launch) -> str | None:
    """Why no signal may go to that group; None where it is the agent's, and the agent lives."""
    if not launch.is_there:
        return "it has ended"
    try:
        same = (os.getpgid(launch.pid), os.getsid(launch.pid)) == (
            launch.group,
            launch.terminal_session,
        )
    except OSError:
        return "it has ended"
    if not same or launch.group != launch.pid or launch.group in (0, 1, os.getpgrp()):
        return "its process is no longer in the group it was started in"
    return None
