"""The demo's script as values: beats in order, and what each answer of a person changes."""

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
    """Seconds from the moment the app opens; negative is history. In a reply: from its start."""
    who: str
    acts: Mapping[str, Any] = field(default_factory=dict)

    def names(self, condition: str) -> tuple[str, ...]:
        """The tasks of one of the conditions `after`, `when_done` and `when_open`."""
        return tuple(self.acts.get(condition, ()))


@dataclass(frozen=True, slots=True)
class Reply:
    """What an agent does when a person has decided something."""

    to: str
    """Name of the question."""
    word: str
    """The answer: `yes`, `no`, the letter of an option, or `words` for a person's own."""
    who: str
    beats: tuple[Beat, ...]

    def with_words(self, words: str) -> Reply:
        """The reply with `{words}` replaced by what the person wrote."""
        return Reply(self.to, self.word, self.who, tuple(_told(beat, words) for beat in self.beats))


@dataclass(frozen=True, slots=True)
class Story:
    """The whole script."""

    title: str
    person: str
    agents: Mapping[str, Mapping[str, str]]
    tools: Mapping[str, tuple[str, ...]]
    """Ordinary calls of each agent."""
    document: str
    decisions: Mapping[str, str]
    """Words by which an entry of the document that asks a person is known, by its name."""
    beats: tuple[Beat, ...]
    replies: tuple[Reply, ...]

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
    return Story(
        title=script["title"],
        person=script["person"],
        agents=script["agents"],
        tools={who: tuple(tools) for who, tools in script["between"]["tools"].items()},
        document=folder.joinpath("goal.md").read_text("utf-8"),
        decisions=script["decisions"],
        beats=tuple(sorted(told, key=lambda beat: beat.at)),
        replies=tuple(_reply(entry) for entry in script["reply"]),
    )


def _beat(entry: Mapping[str, Any]) -> Beat:
    acts = {name: value for name, value in entry.items() if name not in ("at", "who")}
    return Beat(entry["at"], entry["who"], acts)


def _reply(entry: Mapping[str, Any]) -> Reply:
    beats = tuple(_beat({"who": entry["who"], **beat}) for beat in entry["beat"])
    return Reply(entry["to"], entry["is"], entry["who"], beats)


def _told(beat: Beat, words: str) -> Beat:
    def told(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace("{words}", words)
        if isinstance(value, dict):
            return {key: told(member) for key, member in value.items()}
        return value

    return Beat(beat.at, beat.who, {name: told(value) for name, value in beat.acts.items()})


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
