"""Editing the goal document: in a fresh read, and never over what somebody else wrote."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Final

from ppgp_tui.ppgp.edits import NoSuchSpanError
from ppgp_tui.ppgp.goal import read_goal
from ppgp_tui.ppgp.reading import GoalReading
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.scene import Scene
from ppgp_tui.session.files.safe import Folder, components
from ppgp_tui.session.files.swap import replace_known
from ppgp_tui.session.picture.inbox import Bullet, pending_bullets

Edit = Callable[[bytes], bytes]
"""The document with one span changed. Raises `NoSuchSpanError`."""

_TRIES: Final = 5


class NotEditedError(Exception):
    """The document stays as it is; the message says why."""


def edit_recorded(scene: Scene, data: Json, edit: Edit) -> None:
    """Edit the document after the act is recorded; the result says so if that is not possible."""
    try:
        edit_document(scene, edit)
        data["document"] = scene.document.path
    except NotEditedError as error:
        data["document_refused"] = str(error)
        scene.warnings.append(f"recorded, but not written into the document: {error}")


def edit_document(scene: Scene, edit: Edit) -> None:
    """Publish the edited document with its old mode. Raises `NotEditedError`.

    Each try reads it afresh, so that what an agent wrote meanwhile is edited and not overwritten.
    """
    path = PurePosixPath(scene.document.path)
    *folders, name = components(path)
    try:
        with Folder.open(scene.root, *folders) as folder:
            folder.sweep()
            for _ in range(_TRIES):
                found = folder.status(name)
                known = folder.read(name)
                mode = stat.S_IMODE(found.st_mode) if found else 0o644
                if replace_known(folder, name, known, edit(known), mode=mode):
                    return
    except NoSuchSpanError as error:
        raise NotEditedError(str(error)) from None
    except OSError as error:
        raise NotEditedError(f"{error.filename or path} {error.strerror}".lower()) from None
    raise NotEditedError(f"{path} keeps changing; nothing was written to it")


def bullet_in(reading: GoalReading, request_id: str) -> Bullet | None:
    """The pending entry with that id, if it stands in the document."""
    return next((one for one in pending_bullets(reading) if one.id == request_id), None)


def read_again(scene: Scene, data: bytes) -> GoalReading:
    """What other bytes of the same document say."""
    return read_goal(data, scene.document.path, scene.settings.goal_max_bytes)
