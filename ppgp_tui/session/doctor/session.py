"""The session of a root: is everything there that watching and acting need?"""

from __future__ import annotations

import os
import re
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ppgp_tui.session import git
from ppgp_tui.session.authority.keys import KEY
from ppgp_tui.session.authority.pins import Pins, UnusablePinsError
from ppgp_tui.session.doctor.finding import Finding
from ppgp_tui.session.files import places
from ppgp_tui.session.files.mounts import deaf_mount
from ppgp_tui.session.files.root import git_top
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.settings.settings import REPOSITORY_FILE, Settings, load_settings

OLDEST_GIT: Final = (2, 31)
_VERSION = re.compile(r"(\d+)\.(\d+)")
_INIT: Final = "ppgp-tui init"


def session(root: Path) -> Iterator[Finding]:
    """Root, session folder, settings, documents, log, watching, keys, own folders, Git."""
    settings = load_settings(root, places.config_folder() / "config.toml")
    yield _root(root)
    yield from _session_folder(root)
    yield from _settings(settings)
    yield from _documents(root)
    yield from _watching(root, settings)
    yield from _keys(root, settings)
    yield from _own_folders(root)
    yield from _git(root)


def _root(root: Path) -> Finding:
    top = git_top(root)
    if top is None:
        why = "without Git nothing tells what changed, and check 4 cannot pass"
        return Finding("note", f"root {root}, in no Git repository", why, f"git init {root}")
    below = "" if top == root else f", below the Git work tree {top}"
    return Finding("ok", f"root {root}{below}")


def _session_folder(root: Path) -> Iterator[Finding]:
    try:
        with Folder.open(root, ".ppgp") as folder:
            found = folder.status("run")
            writable = os.access(folder.path, os.W_OK)
    except FileNotFoundError:
        why = "agents are not connected, and nothing can be recorded or answered"
        yield Finding("warning", "no session here: there is no folder .ppgp", why, _INIT)
        return
    except OSError as error:
        why = "a session folder must be a real folder of your own"
        yield Finding("error", f".ppgp {error.strerror}", why, "move it away, then " + _INIT)
        return
    if not writable:
        why = "orders, requests and answers are written there"
        mend = "chmod u+w .ppgp"
        yield Finding("error", ".ppgp cannot be written to", why, mend, ".ppgp")
    elif found is not None and not stat.S_ISDIR(found.st_mode):
        why = "orders, requests and answers are written there"
        yield Finding("error", ".ppgp/run is not a folder", why, "move it away", ".ppgp/run")
    else:
        yield Finding("ok", "the session folder .ppgp is here and can be written to")
    if _is_tracked(root, ".ppgp/run"):
        why = "it belongs to this machine: another clone would read stale orders from it"
        mend = "git rm -r --cached .ppgp/run"
        yield Finding("warning", ".ppgp/run is committed", why, mend, ".ppgp/run")


def _is_tracked(root: Path, path: str) -> bool:
    """Whether Git holds something at that path; False where it cannot be asked."""
    try:
        return git_top(root) is not None and bool(git.ask(root, "ls-files", "--", path).out)
    except git.GitUnknownError:
        return False


def _settings(settings: Settings) -> Iterator[Finding]:
    for problem in settings.problems:
        why = "the line has no effect"
        yield Finding("warning", problem.text, why, problem.mend, problem.path, problem.line)
    if not settings.problems:
        user = places.config_folder() / "config.toml"
        yield Finding("ok", f"settings can be read ({REPOSITORY_FILE}, {user})")


def _documents(root: Path) -> Iterator[Finding]:
    """What the app itself would complain of: goal document, plan, orders, end of the log."""
    live = LiveSession(root)
    try:
        seen = live.open()
    finally:
        live.close()
    goal = seen.goal.value
    if goal.health == "MISSING":
        why = "the app has no goal, phase or criteria to show"
        mend = "let the agent write one, or name yours in paths.goal of .ppgp/config.toml"
        yield Finding("note", f"no goal document (looked for {goal.path})", why, mend)
    else:
        yield Finding("ok", f"the goal document is {goal.path} ({goal.health.lower()})")
    for problem in seen.problems:
        if problem.code != "settings":
            why = "the app shows it as a problem too"
            mend = problem.mend or "see the app, key o"
            yield Finding("warning", problem.text, why, mend, problem.path, problem.line)
    log = next((source for source in seen.sources if source.name == "events"), None)
    if log is not None and log.state in ("found", "reading"):
        yield Finding("ok", f"the log {log.path} can be read")


def _watching(root: Path, settings: Settings) -> Iterator[Finding]:
    poll = f"files are looked at every {settings.poll_s:g} s instead"
    if kind := deaf_mount(root):
        text = f"{root} is on {kind}, which does not tell of changes made elsewhere"
        yield Finding("note", text, f"{poll}; watch.poll_s sets how often", "nothing")
        return
    from ppgp_tui.session.live.watch import Pace, watch_folders

    try:
        folders = ((root, root.stat().st_ino),)
        events = watch_folders(folders, Pace(5, 20), threading.Event())
        next(events, None)
    except Exception as error:  # the library raises whatever the system said
        mend = "raise fs.inotify.max_user_watches and max_user_instances, or go on polling"
        yield Finding("warning", f"the system does not tell of changes: {error}", poll, mend)
    else:
        yield Finding("ok", "changes are told by the system as they happen")


def _keys(root: Path, settings: Settings) -> Iterator[Finding]:
    pins = Pins(places.data_folder(), root)
    program = pins.program()
    if program is None:
        why = "answers cannot be signed, so an agent could write one itself"
        yield Finding("warning", "ssh-keygen is not installed", why, "install OpenSSH")
    try:
        pinned = pins.pinned()
    except UnusablePinsError as error:
        why = "no answer can be given or verified while that is so"
        yield Finding("error", str(error), why, f"see {pins.path}", str(pins.path))
        return
    if pinned is None:
        if program is not None:
            why = "a key is made and pinned with the first answer"
            yield Finding("note", "no key is pinned yet", why, "ppgp-tui authority")
        return
    yield Finding("ok", f"answers are signed; {len(pinned)} pinned in {pins.path}")
    if settings.authority_key == "file" and not (pins.folder / KEY).is_file():
        why = "answers must be signed by the pinned key, and no other can be used"
        mend = f"put it back, or remove {pins.path} to begin anew"
        yield Finding("error", f"the key {pins.folder / KEY} is not there", why, mend)


def _own_folders(root: Path) -> Iterator[Finding]:
    state = places.root_folder(root)
    for what, folder in (("safe copy of the log", state), ("keys", places.data_folder())):
        there = next(one for one in (folder, *folder.parents) if one.exists())
        if os.access(there, os.W_OK | os.X_OK):
            yield Finding("ok", f"the {what} can be written to {folder}")
        else:
            why = f"there is no {what} then" if what != "keys" else "no answer can be signed then"
            yield Finding("warning", f"{there} cannot be written to", why, f"chmod u+wx {there}")


def _git(root: Path) -> Iterator[Finding]:
    try:
        said = git.ask(root, "--version").text
    except git.GitUnknownError as error:
        why = "nothing tells what changed, and what is committed is unknown"
        yield Finding("warning", str(error), why, "install git")
        return
    found = _VERSION.search(said)
    if found is not None and (int(found[1]), int(found[2])) < OLDEST_GIT:
        why = "the guard of the log and some questions need 2.31 or newer"
        yield Finding("warning", said, why, "install a newer git")
    else:
        yield Finding("ok", said)
