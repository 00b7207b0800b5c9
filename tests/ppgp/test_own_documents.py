"""Documents of every kind and language met in the wild, each with its traps, read as they mean."""

import json
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.ppgp.goal import as_json, read_goal
from tests.ppgp.variants import VARIANTS

DATA = Path(__file__).resolve().parents[1] / "data" / "ppgp"
EXPECTED: dict[str, dict[str, Any]] = json.loads((DATA / "expected.json").read_text())
UNLIKE = {
    "front-matter-lists.md": {"everything quoted"},  # quoted front matter is no front matter
    # `1. text` over a line is a list entry; and nobody numbers twice.
    "decorated-headings.md": {"underlined sections", "numbered sections"},
    "hidden-structure.md": {"comments between sections"},  # comments do not nest
    # The options of a menu are bold lines themselves, and so is a gate that ends with a bracket.
    "menu-agreed-first.md": {"bold lines for sections"},
    "korean-menu.md": {"bold lines for sections"},
    "french-menu.md": {"bold lines for sections"},
    "spanish-menu.md": {"bold lines for sections"},
    "chinese-menu.md": {"bold lines for sections"},
    "store-review-gate.md": {"bold lines for sections"},
    "front-matter-done-flags.md": {"everything quoted"},
    "diary-of-tasks.md": {"bold lines for sections"},  # a lone title with text is a section
}


def reading_of(data: bytes) -> dict[str, Any]:
    read = as_json(read_goal(data, "docs/ACTIVE_GOAL.md"))
    kept = {key: read[key] for key in ("health", "goal", "goal_source", "phase", "phase_raw")}
    kept |= {key: read[key] for key in ("phase_inferred", "next_action", "next_executable_now")}
    kept["dod"] = [condition["state"] for condition in read["dod"]]
    kept["blockers"] = [
        {key: blocker[key] for key in ("class", "inferred", "scope", "until")}
        for blocker in read["blockers"]
    ]
    kept["authority"] = {
        kind: [entry["text"] for entry in entries] for kind, entries in read["authority"].items()
    }
    kept["findings"] = [reason["code"] for reason in read["reasons"]]
    return kept


def test_every_document_has_an_expectation() -> None:
    assert sorted(path.name for path in DATA.glob("*.md")) == sorted(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_the_document_reads_as_it_means(name: str) -> None:
    assert reading_of((DATA / name).read_bytes()) == EXPECTED[name]


@pytest.mark.parametrize(
    ("name", "variant"),
    [(name, way) for name in EXPECTED for way in VARIANTS if way not in UNLIKE.get(name, ())],
)
def test_the_way_of_writing_does_not_change_what_it_means(name: str, variant: str) -> None:
    varied = reading_of(VARIANTS[variant]((DATA / name).read_text()))
    expected = EXPECTED[name]

    # Headings lie elsewhere, so findings about lines and sections may come in another order.
    assert sorted(varied.pop("findings")) == sorted(expected["findings"])
    assert varied == {key: value for key, value in expected.items() if key != "findings"}
