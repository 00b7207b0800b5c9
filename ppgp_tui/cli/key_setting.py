"""Writing `authority.key` into the user's settings; every other byte of them stays."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

_TABLE = re.compile(r"^[ \t]*\[[ \t]*authority[ \t]*\][^\n]*\n?", re.MULTILINE)
_NEXT = re.compile(r"^[ \t]*\[", re.MULTILINE)
_KEY = re.compile(r"^[ \t]*key[ \t]*=[^\n]*", re.MULTILINE)


def with_key(config: Path, key: str) -> bytes:
    """The bytes of `config` with `authority.key` set to `key`.

    Raises ValueError, which says what to do by hand, where that cannot be done safely.
    """
    line = f"key = {json.dumps(key, ensure_ascii=False)}"
    by_hand = f"write it yourself: under [authority] in {config}, {line}"
    try:
        before = config.read_bytes().decode()
    except FileNotFoundError:
        before = ""
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{config} cannot be read ({error}); {by_hand}") from None
    try:
        wanted = _set(tomllib.loads(before), key)
        after = _edited(before, line)
        if tomllib.loads(after) != wanted:
            raise ValueError("it is set in another way there")
    except ValueError as error:  # also what is no TOML
        raise ValueError(f"{config}: {error}; {by_hand}") from None
    return after.encode()


def _set(values: dict[str, Any], key: str) -> dict[str, Any]:
    table = values.get("authority", {})
    if not isinstance(table, dict):
        raise ValueError("authority is no table")
    return {**values, "authority": {**table, "key": key}}


def _edited(text: str, line: str) -> str:
    table = _TABLE.search(text)
    if table is None:
        gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        return f"{text}{gap}[authority]\n{line}\n"
    after = _NEXT.search(text, table.end())
    end = after.start() if after else len(text)
    if known := _KEY.search(text, table.end(), end):
        return text[: known.start()] + line + text[known.end() :]
    head = text[: table.end()]
    return f"{head}{'' if head.endswith(chr(10)) else chr(10)}{line}\n{text[table.end() :]}"
