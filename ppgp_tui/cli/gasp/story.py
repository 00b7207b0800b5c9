"""`ppgp-tui gasp story`: a log as runs and sentences."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppgp_tui.cli.gasp.paper import moment, padded, width, wrapped
from ppgp_tui.cli.gasp.reading import example, filters, open_log, place, progress, wanted
from ppgp_tui.cli.out import write

if TYPE_CHECKING:
    from ppgp_tui.gasp.telling.chapters import Chapter, Telling
    from ppgp_tui.gasp.telling.filters import Filter
    from ppgp_tui.session.log.whole import WholeLog

    Told = tuple[Chapter, list[Telling]]

_ACTOR = 10
_INDENT = 6


@click.command("story")
@place
@filters
@click.option("--json", "as_json", is_flag=True, help="As JSON, ppgp-tui/gasp-story/1.")
@example("ppgp-tui gasp story --since 1d\nppgp-tui gasp story --kind 'patch.*' --goal goal_retry")
def story(repository: Path | None, root: Path | None, as_json: bool, **options: Any) -> None:
    """Tell a log as its runs, each in readable sentences.

    What belongs together is one sentence: a patch with its evals and decisions, a question with
    its answer, a plan with what it changed. Filters keep sentences; all of them must hold.
    """
    from ppgp_tui.session.live.store import now_ms

    chosen = wanted(now_ms(), **options)
    opened = open_log(repository, root).read_all(progress())
    found = told(opened, chosen)
    if as_json:
        from ppgp_tui.cli.json_text import json_text

        chapters = [_json(opened, chapter, tellings) for chapter, tellings in found]
        write(json_text({"schema": "ppgp-tui/gasp-story/1", "chapters": chapters}, indent=2))
        return
    columns, before = width(), ""
    for chapter, tellings in found:
        text = "".join(wrapped(one, columns, _INDENT) for one in _lines(chapter, tellings))
        if not write(before + text):
            return
        before = "\n"


def told(opened: WholeLog, chosen: Filter) -> Iterator[Told]:
    """The chapters with a sentence that is wanted, and these sentences."""
    from ppgp_tui.gasp.telling.chapters import Chapters
    from ppgp_tui.gasp.telling.story import Story

    whole = Story(opened.index)
    whole.extend()
    chapters = Chapters(opened.things, whole)
    is_wanted = chapters.wanted(chosen)
    for group in whole.groups:
        tellings = [one for one in chapters.tellings(group) if is_wanted(one)]
        if tellings:
            yield chapters.chapter(group), tellings


def _lines(chapter: Chapter, tellings: list[Telling]) -> Iterator[str]:
    from ppgp_tui.session.text import one_line

    yield one_line(heading(chapter))
    for one in tellings:
        actor = padded(one.actor, _ACTOR)
        yield f"  {moment(one.ts_ms)}  {actor}  {one_line(one.words)}"


def heading(chapter: Chapter) -> str:
    """A chapter in one line: run, title, outcome, time, number of events."""
    events = "1 event" if chapter.events == 1 else f"{chapter.events:,} events"
    if chapter.state == "no run":
        return f"outside of runs, {events}"
    called = f"{chapter.run}: {chapter.title}" if chapter.title else chapter.run
    parts = [called]
    if chapter.state == "open":
        parts.append("open since an unknown time" if chapter.started_ms is None
                     else f"open since {moment(chapter.started_ms)}")  # fmt: skip
    elif chapter.state == "unknown":
        parts.append("neither begin nor end is in this log")
    else:
        parts += filter(None, (chapter.outcome, chapter.time_words))
    if chapter.starts > 1:
        parts.append(f"started {chapter.starts} times")
    return ", ".join((*parts, events))


def _json(opened: WholeLog, chapter: Chapter, tellings: list[Telling]) -> dict[str, Any]:
    return {
        "run": chapter.run or None,
        "title": chapter.title or None,
        "state": chapter.state,
        "outcome": chapter.outcome or None,
        "started_ms": chapter.started_ms,
        "ended_ms": chapter.ended_ms,
        "duration_ms": chapter.duration_ms,
        "starts": chapter.starts,
        "events": chapter.events,
        "sentences": [
            {
                "words": one.words,
                "sign": one.sign,
                "actor": one.actor,
                "ts_ms": one.ts_ms,
                "lines": [opened.line(event) for event in one.events],
                "events": [opened.event(event).id for event in one.events],
            }
            for one in tellings
        ],
    }
