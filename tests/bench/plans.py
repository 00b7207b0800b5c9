"""Made-up plans of every size and shape, the same each time."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from ppgp_tui.ui.graph import Node


def chain(count: int) -> tuple[Node, ...]:
    """Each task needs the one before."""
    return tuple(_task(at, [at - 1] if at else []) for at in range(count))


def diamonds(count: int) -> tuple[Node, ...]:
    """One task opens four, which one closes, and so on."""
    needs: list[list[int]] = [[]]
    while len(needs) < count:
        first = len(needs) - 1
        needs += [[first]] * 4
        needs.append(list(range(first + 1, first + 5)))
    return tuple(_task(at, of) for at, of in enumerate(needs[:count]))


def fan(count: int) -> tuple[Node, ...]:
    """One task opens all but the last, which closes them."""
    inner = range(1, count - 1)
    last = _task(count - 1, inner)
    return (_task(0, []), *(_task(at, [0]) for at in inner), last)


def layered(count: int) -> tuple[Node, ...]:
    """Layers of equal width; each task needs one to three of the layer before."""
    random = Random(count)
    width = max(2, round((2 * count) ** 0.5 / 2))
    nodes = [_task(at, []) for at in range(min(width, count))]
    for at in range(width, count):
        end = at - at % width
        nodes.append(_task(at, random.sample(range(end - width, end), _few(random, width))))
    return tuple(nodes)


def _few(random: Random, most: int) -> int:
    return min(most, random.choice((1, 1, 2, 3)))


def real(count: int) -> tuple[Node, ...]:
    """As agents write them: threads of work that fork, meet now and then, and end in one task."""
    random = Random(count)
    threads = [0]
    needs: list[list[int]] = [[]]
    while len(needs) < count - 1:
        at = len(needs)
        thread = random.randrange(len(threads))
        if random.random() < 0.08:
            needs.append([])
            threads.append(at)
        elif random.random() < 0.25:
            needs.append([threads[thread]])
            threads.append(at)
        else:
            met = [threads.pop()] if len(threads) > 6 or random.random() < 0.15 else []
            thread = min(thread, len(threads) - 1)
            needs.append(sorted({threads[thread] if threads else 0, *met}))
            threads[thread : thread + 1] = [at]
    needs.append(sorted(set(threads)))
    return tuple(_task(at, of) for at, of in enumerate(needs))


def _task(at: int, needs: object) -> Node:
    keys = tuple(f"T{need}" for need in sorted(needs))  # type: ignore[call-overload]
    return Node(f"T{at}", f"T{at}", subject=f"Do what number {at} of the plan says", needs=keys)


SHAPES: dict[str, Callable[[int], tuple[Node, ...]]] = {
    "chain": chain,
    "diamonds": diamonds,
    "wide fan": fan,
    "layered": layered,
    "real-shaped": real,
}
SIZES = (10, 50, 300, 2_000)
