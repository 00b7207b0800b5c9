"""The keys of a YAML front matter block, as far as goal documents use YAML.

Read by hand because a YAML library costs more start-up than the whole status line may take: plain
and quoted scalars, block scalars, lists and nested text; anything else is kept as text.
"""

from __future__ import annotations

import re

from ppgp_tui.ppgp.content import Content, indent_of
from ppgp_tui.ppgp.marks import Mark
from ppgp_tui.ppgp.names import name_of
from ppgp_tui.ppgp.pattern import Pattern

_KEY = Pattern(r"([\w][\w .-]{0,60}?)\s*:(?:\s+(.*))?$")
_COMMENT = Pattern(r"\s+#.*$")
_BLOCK = Pattern(r"[|>][+-]?\d?[+-]?$")


def meta_marks(content: Content) -> list[tuple[Mark, list[int]]]:
    """Return a mark for each key at the left edge of the front matter, with its body lines."""
    found: list[tuple[Mark, list[int]]] = []
    for at in range(1, content.start - 1):
        text = content.texts[at]
        keyed = _KEY.match(text) if indent_of(text) == 0 else None
        if keyed:
            value = scalar(keyed[2] or "")
            found.append((Mark(at, "meta", 9, keyed[1], name_of(keyed[1]), value), []))
        elif found and text.strip() and not text.lstrip().startswith("#"):
            found[-1][1].append(at)
    return found


def scalar(text: str) -> str:
    """Return the text of a scalar: quotes and comment off; empty for null and block marks."""
    text = text.strip()
    if text[:1] in ("'", '"') and text[-1:] == text[:1] and len(text) > 1:
        return text[1:-1].replace('\\"', '"').replace("''", "'")
    text = _COMMENT.sub("", text)
    return "" if _BLOCK.match(text) or text in ("~", "null", "Null", "NULL") else text


def flow_items(text: str) -> list[str] | None:
    """Return the items of a flow list such as `[a, "b, c"]`, or None when it is no such list."""
    if not (text.startswith("[") and text.endswith("]")):
        return None
    items = re.findall(r'"([^"]*)"|\'([^\']*)\'|([^,\s][^,]*)', text[1:-1])
    return [(double or single or bare).strip() for double, single, bare in items]
