"""Writing a goal document back: only over the very bytes that were read."""

from __future__ import annotations

import stat
from pathlib import PurePosixPath

from ppgp_tui.session.engine import projections
from ppgp_tui.session.engine.engine import Scene
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.safefiles import Folder, UnsafePathError, components


def replace_document(scene: Scene, changed: bytes) -> None:
    """Publish `changed` over the goal document, keeping its mode.

    Raises `RefusalError` (`stale`) when the document is no longer what the scene read: an edit
    that somebody made meanwhile is never overwritten.
    """
    path = PurePosixPath(scene.document_path)
    try:
        if projections.read_file(scene.root, path) != scene.document:
            text = f"{path} changed while it was being edited; nothing was written to it"
            raise RefusalError("stale", text)
        *folders, name = components(path)
        with Folder.open(scene.root, *folders) as folder:
            found = folder.status(name)
            mode = stat.S_IMODE(found.st_mode) if found else 0o644
            folder.publish(name, changed, mode=mode)
    except UnsafePathError as error:
        raise RefusalError("refused", f"{error.filename} {error.strerror}") from None
    except OSError as error:
        raise RefusalError("disk", f"{path} could not be written: {error.strerror}") from error
