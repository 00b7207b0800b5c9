"""A report as a reader's program sees it: what is a link, a picture, HTML, a table."""

from __future__ import annotations

from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token


def tokens(markdown: str) -> Iterator[Token]:
    """Every token, those inside of lines too; addresses become links as on the usual hosts."""
    parser = MarkdownIt("commonmark", {"html": True, "linkify": True})
    parser.enable(["table", "strikethrough", "linkify"])
    for token in parser.parse(markdown):
        yield token
        yield from token.children or ()


def links(markdown: str) -> list[str]:
    """Where links lead."""
    return [str(one.attrs.get("href")) for one in tokens(markdown) if one.type == "link_open"]


def pictures(markdown: str) -> list[str]:
    """Files of pictures."""
    return [str(one.attrs.get("src")) for one in tokens(markdown) if one.type == "image"]


def html(markdown: str) -> list[str]:
    """Pieces of HTML."""
    return [one.content for one in tokens(markdown) if one.type in ("html_inline", "html_block")]


def shape(markdown: str) -> list[str]:
    """What blocks there are, whatever they say."""
    return [one.type for one in tokens(markdown) if one.block and one.type != "inline"]


def said(markdown: str) -> str:
    """What is to be read."""
    return "\n".join(one.content for one in tokens(markdown) if one.type in ("text", "code_inline"))
