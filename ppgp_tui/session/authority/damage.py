"""Reading small JSON files that anybody may have written: bounded, and one meaning or none."""

from __future__ import annotations

import json
import os
from typing import Any, NoReturn

from ppgp_tui.session.files.safe import Folder


class DamagedError(ValueError):
    """Bytes that are not what they should be; the message says why, without naming the file."""


def read_bounded(folder: Folder, name: str, most: int) -> bytes:
    """Return the content of `name`, which may have `most` bytes.

    Raises `DamagedError` for a longer file, else what `Folder.open_file` raises.
    """
    with os.fdopen(folder.open_file(name, os.O_RDONLY), "rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise DamagedError(f"longer than {most:,} bytes")
    return data


def parse_object(data: bytes | str) -> dict[str, Any]:
    """Return the JSON object in `data`. Raises `DamagedError`, also for a key given twice."""
    try:
        text = data.decode() if isinstance(data, bytes) else data
        value = json.loads(text, parse_constant=_no_number, object_pairs_hook=_keys_once)
    except DamagedError:
        raise
    except UnicodeDecodeError:
        raise DamagedError("not UTF-8") from None
    except json.JSONDecodeError as error:
        raise DamagedError(f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}") from None
    except (ValueError, RecursionError):
        raise DamagedError("JSON nobody can hold") from None
    if not isinstance(value, dict):
        raise DamagedError("not a JSON object")
    return value


def _no_number(word: str) -> NoReturn:
    raise DamagedError(f"not JSON: {word} is no number")


def _keys_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise DamagedError("a key is given twice")
    return value
