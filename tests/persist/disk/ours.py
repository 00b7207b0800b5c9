"""Our writer in processes of its own: `python -m … ours HOME LOOPS RUNS NAME...`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.disk.log import LoopLog
from tests.persist.disk.original import ids
from tests.persist.logs import row, spawned


def run(log: LoopLog, loop_id: str, runs: int) -> None:
    """A loop to its end."""
    log.append(spawned(loop_id))
    for number in range(1, runs + 1):
        log.append(row("ITERATING", number, loop_id, elapsed_s=0))
    log.append(row("SUCCESS", runs, loop_id, reason="success_condition matched", exit_code=0))


def write(home: Home, name: str, loops: int, runs: int) -> None:
    """The loops of one process."""
    log = LoopLog(home)
    for loop_id in ids(name, loops):
        run(log, loop_id, runs)


def main(words: list[str]) -> int:
    """Fork a process for each name and wait for them; a single one writes itself."""
    home, loops, runs, names = Home(Path(words[0])), int(words[1]), int(words[2]), words[3:]
    if len(names) == 1:
        write(home, names[0], loops, runs)
        return 0
    children = []
    for name in names:
        child = os.fork()
        if not child:
            write(home, name, loops, runs)
            os._exit(0)
        children.append(child)
    return max(os.waitpid(child, 0)[1] for child in children)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
