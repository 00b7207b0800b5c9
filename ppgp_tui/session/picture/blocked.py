"""Which recorded blocker is which one of the goal document: cheap, the status line asks too."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_TELLING = 16
"""Characters from which on words can hardly stand in another sentence by chance."""

Stop = tuple[str | None, str]
"""Class, None when nobody said, and words as `words` gives them."""


def words(text: str) -> str:
    """`text` without what makes no difference between two sayings of it."""
    bare = text.replace("`", "").replace("*", "")
    return " ".join(bare.split()).rstrip(".").casefold()


def places(written: Sequence[Stop], recorded: Sequence[Stop]) -> list[int | None]:
    """For each recorded blocker the place of the written one that says the same, None for none.

    The same are those of no other class with the same words, or with more words around them, as
    in `T8 only: Type C authority. …`.
    """
    free = list(range(len(written)))
    found: list[int | None] = []
    for klass, said in recorded:
        place = next((at for at in free if _same(written[at], klass, said)), None)
        found.append(place)
        if place is not None:
            free.remove(place)
    return found


def _same(written: Stop, klass: str | None, said: str) -> bool:
    other, text = written
    if other is not None and klass is not None and other != klass:
        return False
    return bool(said) and (text == said or (len(said) >= _TELLING and said in text))
