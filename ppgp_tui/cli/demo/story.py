"""The demo's script as values: beats in order, ordinary work scattered between them by the seed."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Beat:
    """What somebody does at one moment of the story."""

    at: float
    """Seconds from the moment the app opens; negative is history."""
    who: str
    acts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Story:
    """The whole script."""

    title: str
    person: str
    agents: Mapping[str, Mapping[str, str]]
    document: str
    beats: tuple[Beat, ...]

    def history(self) -> Iterator[Beat]:
        """What has happened before the app opens."""
        return (beat for beat in self.beats if beat.at < 0)

    def live(self) -> Iterator[Beat]:
        """What happens while a person watches."""
        return (beat for beat in self.beats if beat.at >= 0)


def load_story(seed: int) -> Story:
    """Read the script; `seed` decides the ordinary tool calls between its beats."""
    folder = files(__package__)
    script = tomllib.loads(folder.joinpath("story.toml").read_text("utf-8"))
    told = [_beat(entry) for entry in script["beat"]]
    told += _ordinary_work(script["between"], random.Random(seed))
    beats = [part for beat in told for part in _parts(beat)]
    return Story(
        title=script["title"],
        person=script["person"],
        agents=script["agents"],
        document=folder.joinpath("goal.md").read_text("utf-8"),
        beats=tuple(sorted(beats, key=lambda beat: beat.at)),
    )


def _beat(entry: dict[str, Any]) -> Beat:
    acts = {name: value for name, value in entry.items() if name not in ("at", "who")}
    return Beat(entry["at"], entry["who"], acts)


def _parts(beat: Beat) -> Iterator[Beat]:
    """A tool call begins and ends; anything else happens at once."""
    if "tool" not in beat.acts:
        yield beat
        return
    yield Beat(beat.at, beat.who, {"begin": beat.acts["tool"]})
    yield Beat(beat.at + beat.acts["takes"], beat.who, {"end": beat.acts["tool"]})


def _ordinary_work(between: Mapping[str, Any], chance: random.Random) -> Iterator[Beat]:
    """Bursts of tool calls of every agent, from the moment the story lets it work."""
    for who, tools in between["tools"].items():
        at = between["from"][who] + chance.uniform(*between["every"])
        while at < between["until"]:
            for _ in range(chance.randint(*between["calls"])):
                takes = round(chance.uniform(0.5, between["every"][0]), 1)
                yield Beat(round(at, 1), who, {"tool": chance.choice(tools), "takes": takes})
                at += chance.uniform(*between["every"])
            at += chance.uniform(*between["rest"])
