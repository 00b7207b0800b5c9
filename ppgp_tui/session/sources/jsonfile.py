"""JSON files of a session, read with a place for every complaint."""

from __future__ import annotations

import json
from typing import Any

from ppgp_tui.session.sources.document import DamagedError


def json_object(data: bytes, path: str, mend: str = "") -> dict[str, Any]:
    """The object within `data`; raises `DamagedError` naming line and reason."""
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise DamagedError(f"{path} is not UTF-8", line, mend) from None
    except json.JSONDecodeError as error:
        said = error.msg[:1].lower() + error.msg[1:]
        raise DamagedError(f"{path} is not JSON: {said}", error.lineno, mend) from None
    except (ValueError, RecursionError):
        raise DamagedError(f"{path} is JSON nobody can hold", None, mend) from None
    if not isinstance(value, dict):
        raise DamagedError(f"{path} holds no JSON object", 1, mend)
    return value
