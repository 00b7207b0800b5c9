"""A night of one loop: what its agent does in each run, and what log, events and screen tell of it.

The agent is a shell script whose runs are written down beforehand, so that everybody who looks at
the loop can be asked whether they saw the same.
"""

from __future__ import annotations

import json
import re
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.e2e.acting import PROGRAM, Place, Server, Window
from tests.waiting import PATIENCE_S

Json = dict[str, Any]

LAST: Final = 50
"""From this run on the agent hangs."""
TIMEOUT_S: Final = 5
"""Far more than a run takes that does not hang, also on a busy machine."""

_AGENT = """\
#!/bin/sh
echo "run $PPGP_ITERATION begins"
[ "$PPGP_ITERATION" -lt {last} ] || exec sleep {mark}
for step in {desk}/"$PPGP_ITERATION".*; do
    [ -e "$step" ] || break
    does=$(cat "$step")
    rm "$step"
    eval "$does"
    break
done
echo "run $PPGP_ITERATION went well"
"""


class Ended(NamedTuple):
    """One run as somebody saw it end."""

    iteration: int
    outcome: str
    exit_code: int | None
    """None where nobody waited for its end."""
    signal: str | None = None


class Step(NamedTuple):
    """What the agent does in a run, as words of the shell, and how that ends."""

    does: str
    outcome: str
    exit_code: int
    signal: str | None = None


_WORKS = Step("true", "completed", 0)
_COMMITS = Step("echo more >> rows.csv; git add rows.csv; git commit -qm rows", "completed", 0)
_LIMITED = Step("echo 'Usage LIMIT reached, try later' >&2; exit 1", "limited", 1)
_SPEAKS_OF_LIMITS = Step("echo 'usage limit reached'; exit 0", "completed", 0)
_FAILS = Step("echo 'no such table' >&2; exit 1", "error", 1)
_FAILS_OTHERWISE = Step("exit 3", "error", 3)
_IS_KILLED = Step("kill -KILL $$", "error", 137, "SIGKILL")
_IS_ENDED = Step("kill -USR1 $$", "error", 138, "SIGUSR1")
_HANGS = Step("exec sleep {mark}", "truncated", 143, "SIGTERM")

_NIGHT: Final[dict[int, tuple[Step, ...]]] = {
    1: (_HANGS,),
    3: (_FAILS,),
    4: (_LIMITED, _COMMITS),
    6: (_IS_KILLED,),
    7: (_HANGS,),
    8: (_LIMITED, _LIMITED, _FAILS_OTHERWISE),
    9: (_SPEAKS_OF_LIMITS,),
    21: (_FAILS,),
    22: (_IS_ENDED,),
    23: (_FAILS_OTHERWISE,),
    24: (_FAILS,),
    25: (_IS_KILLED,),
    26: (_FAILS,),
    33: (_COMMITS,),
    44: (_FAILS,),
    47: (_IS_KILLED,),
    49: (_COMMITS,),
}
LIMITED: Final = sum(step is _LIMITED for steps in _NIGHT.values() for step in steps)
WAITS_S: Final = {4: (1,), 8: (1, 2), 24: (1,), 25: (2,), 26: (4,)}
"""By run, how long the loop waits after it: it met a limit, or was one failure too many."""


def expected() -> list[Ended]:
    """Every run before the last ones, in order."""
    return [
        Ended(number, *step[1:])
        for number in range(1, LAST)
        for step in _NIGHT.get(number, (_WORKS,))
    ]


class Night:
    """A repository with a goal, its loop, and a person's terminal for each."""

    def __init__(self, place: Place, server: Server, mark: str) -> None:
        """`mark` is a number of seconds that nobody else sleeps."""
        self.place, self._server, self.mark = place, server, mark
        self._home = Path(place.environ["XDG_CONFIG_HOME"]) / "broomva/persist"
        self._desk = place.root.parent / "desk"
        self._desk.mkdir()
        self._agent = self._desk / "agent"
        self._agent.write_text(_AGENT.format(last=LAST, mark=mark, desk=self._desk))
        self._agent.chmod(0o755)
        (place.root / "PROMPT.md").write_text("Don't stop before $(every row) is there.\n")
        with place.process(str(PROGRAM), "init", "--gasp") as init:
            assert init.wait(PATIENCE_S) == 0
        for words in (
            ("config", "user.name", "agent"),
            ("config", "user.email", "agent@example.invalid"),
            ("add", "-A"),
            ("commit", "-qm", "begin"),
        ):
            subprocess.run(["git", *words], cwd=place.root, check=True)

    def starts(self, *, timeout_s: int = 600) -> Window:
        """The person starts the loop in a terminal; its first run is the night's first."""
        for number, steps in _NIGHT.items():
            for attempt, step in enumerate(steps):
                does = step.does.format(mark=self.mark)
                (self._desk / f"{number}.{attempt}").write_text(does)
        pane = self._server.window(100, 30)
        options = (
            f"--goal --agent-cmd {self._agent} --success-condition line:DONE:STATUS"
            f" --max-iterations 99 --iteration-timeout {timeout_s}"
            " --limit-backoff-base 1 --limit-backoff-max 2"
        )
        pane.types(f"{PROGRAM} persist iterate PROMPT.md {options}; echo ended $?")
        return pane

    def looks(self) -> Window:
        """They look at it in the app in another one, and have the loop under the cursor."""
        app = self._server.app(160, 64)
        app.key("6")
        app.sees("Loops", "of 99")
        app.key("j")
        app.sees("P pause", "X abandon")
        return app

    # the log of loops

    def rows(self) -> list[Json]:
        """Every row of the log; none where there is no log yet."""
        log = self._home / "state.jsonl"
        whole = log.read_bytes().rpartition(b"\n")[0] if log.exists() else b""
        return [json.loads(line) for line in whole.splitlines()]

    def logged(self) -> list[Ended]:
        """Every run whose end the log tells: it stands in the row after the run."""
        return [
            Ended(before["iteration"], _outcome(row), extra["exit_code"], extra["signal"])
            for before, row in pairwise(self.rows())
            if "exit_code" in (extra := row["extra"])
        ]

    # the repository's log

    def recorded(self) -> list[Ended | int]:
        """Every run of the repository's log; only its number where it has no end yet."""
        ends = {one["payload"]["run_id"]: one for one in self.place.events("run.finished")}
        began = [one["payload"] for one in self.place.events("run.started")]
        return [
            _recorded(number, ends[one["run_id"]]) if one["run_id"] in ends else number
            for one in began
            for number in (one["metadata"]["iteration"],)
        ]

    def waited_s(self) -> dict[int, tuple[float, ...]]:
        """By run of `WAITS_S`, the seconds between its end and the next start, each time."""
        began, ended = self.place.events("run.started"), self.place.events("run.finished")
        gaps: dict[int, tuple[float, ...]] = {}
        for end, (start, after) in zip(ended, pairwise(began), strict=False):
            number = start["payload"]["metadata"]["iteration"]
            gap = (after["ts_ms"] - end["ts_ms"]) / 1000
            gaps[number] = (*gaps.get(number, ()), gap)
        return {number: gaps[number][: len(waits)] for number, waits in WAITS_S.items()}

    # processes

    def running(self) -> list[str]:
        """The loop's processes: its runner, what keeps its agent, and what the agent started."""
        said = subprocess.run(["ps", "-A", "-o", "args="], capture_output=True, text=True).stdout
        return [line for line in said.splitlines() if str(self._agent) in line] + self.agents()

    def agents(self) -> list[str]:
        """Processes of agents that hang."""
        said = subprocess.run(["ps", "-A", "-o", "args="], capture_output=True, text=True).stdout
        return [line for line in said.splitlines() if line == f"sleep {self.mark}"]


def _outcome(row: Json) -> str:
    extra = row["extra"]
    if row["to_state"] == "PAUSED" and extra["reason"] == "rate_limited":
        return "limited"
    if "cut" in extra:
        assert extra["cut"] == "iteration-timeout"
        return "truncated"
    return "completed" if extra["exit_code"] == 0 else "error"


def _recorded(number: int, event: Json) -> Ended:
    payload = event["payload"]
    about = payload["metadata"]
    return Ended(number, payload["outcome"], about.get("exit_code"), about.get("signal"))


def said_of(ended: Ended) -> str:
    """The words by which the app tells how a run ended."""
    if ended.outcome == "limited":
        return "rate limit, not counted"
    if ended.outcome == "truncated":
        return f"exit {ended.exit_code}, cut: iteration-timeout"
    return f"exit {ended.exit_code}" + (f", {ended.signal}" if ended.signal else "")


_RUN = re.compile(r"run (\d+)  (.+?)  ")


def shown(card: str) -> list[tuple[int, str]]:
    """The runs that a loop's card lists, the newest first, each with the words for its end."""
    listed = card.partition("Runs ")[2].partition("About")[0]
    return [(int(found[1]), found[2]) for found in _RUN.finditer(listed)]
