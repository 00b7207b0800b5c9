"""The one table of actions, a module for each kind; its order is that of the key line."""

from __future__ import annotations

from collections.abc import Sequence

from ppgp_tui.ui.keys.action import Topic
from ppgp_tui.ui.keys.table import (
    agents,
    answering,
    app,
    audit,
    deeds,
    looking,
    loops,
    moving,
    plan,
    revisions,
    ribbon,
    screen,
    sessions,
    sharing,
    terminal,
    travelling,
)


def action_table(views: Sequence[str]) -> tuple[Topic, ...]:
    """Every action there is, for an app with these views; the order is that of the key line."""
    topics = (
        *answering.CHOOSING,
        *audit.TAKE,
        *travelling.TRAVEL,
        *revisions.REVISIONS,
        *looking.OPEN,
        *map(revisions.not_compared, plan.PLAN),
        *audit.AUDIT,
        *map(revisions.not_compared, plan.AMONG),
        *answering.TALKING,
        *loops.LOOPS,
        *agents.AGENTS,
        *deeds.DEEDS,
        *audit.CLOSE,
        *looking.BACK,
        *moving.STEP,
        *looking.NEAR,
        *moving.PANES,
        *looking.ORIGIN,
        *moving.ENDS,
        *looking.COPY,
        *terminal.EDITOR,
        *sharing.WHOLE,
        *moving.PAGES,
        app.views_topic(views),
        *sessions.SESSIONS,
        *screen.SCREEN,
        *sharing.AWAY,
        *app.ALWAYS,
    )
    return tuple(travelling.not_in_the_past(ribbon.narrowed(topic)) for topic in topics)
