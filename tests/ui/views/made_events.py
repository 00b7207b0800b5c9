"""Event logs that nobody would write: any kind, payload and order, lines that no UTF-8 can say."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from ppgp_tui.session.model import Event, Events, PhaseSpan, Rewritten, TornTail
from tests.ui.picture import NOW, ListLog
from tests.ui.views.made_words import some_words, times, words

payloads = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), words),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(words, inner, max_size=3)),
    max_leaves=6,
)


class OddLog(ListLog):
    """A log whose lines may hold what no UTF-8 can say."""

    def raw(self, index: int) -> bytes:
        return repr(self.event(index)).encode("utf-8", "surrogatepass")

    def matching(
        self,
        text: str,
        newest_first: bool = True,
        *,
        cancelled: Callable[[], bool] | None = None,
    ) -> Sequence[int]:
        found = [
            at
            for at in range(len(self))
            if text.encode() in self.raw(at) and not (cancelled and cancelled())
        ]
        return found[::-1] if newest_first else found


@st.composite
def logs(draw: st.DrawFn) -> ListLog:
    ids = ["", "event_1", "event_2", "event_3"]
    return OddLog(
        tuple(
            Event(
                index=index,
                line=draw(st.integers(0, 9)),
                offset=0,
                id=draw(st.sampled_from(ids)),
                ts_ms=draw(times),
                actor_kind=draw(words),
                actor_id=draw(words),
                kind=draw(
                    st.one_of(
                        words,
                        st.sampled_from(
                            ["", "todo.revised", "state.ops_applied", "goal.created", "run.started"]
                        ),
                    )
                ),
                payload=draw(payloads),
                causation_id=draw(st.sampled_from([None, *ids, "elsewhere"])),
                correlation_id=draw(some_words),
                error=draw(some_words),
            )
            for index in range(draw(st.integers(0, 5)))
        )
    )


@st.composite
def many_events(draw: st.DrawFn) -> Events:
    log = draw(st.one_of(st.none(), logs()))
    count = len(log) if log else 0
    return Events(
        log=log,
        count=count,
        last=log.event(count - 1) if log and count else None,
        torn=draw(st.one_of(st.none(), st.just(TornTail(0, 12, NOW - 50_000)))),
        rewritten=draw(st.one_of(st.none(), st.just(Rewritten(3, NOW, 2)))),
        phases=tuple(
            draw(
                st.lists(
                    st.builds(
                        PhaseSpan,
                        st.sampled_from(["THINK", "EXECUTE", "odd"]),
                        st.just(NOW - 90_000),
                        st.sampled_from([None, NOW]),
                        st.booleans(),
                    ),
                    max_size=4,
                )
            )
        ),
        pulse=tuple(draw(st.lists(st.integers(0, 500), max_size=60))),
        per_hour=draw(st.one_of(st.none(), st.integers(0, 99_999))),
    )
