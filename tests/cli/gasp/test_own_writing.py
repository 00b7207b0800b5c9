"""What we write passes all seven checks, after every act, committed in one line."""

from __future__ import annotations

import json
from typing import Any

from tests.cli.acting import Place
from tests.session.gits import Repository


class Story:
    """Acts in an agent repository; each is committed and everything checked again."""

    def __init__(self, place: Place) -> None:
        self.place = place
        place.allow_scripts()
        assert place.act("gasp", "init").code == 0
        self.repo = Repository(place.root, init=False)
        self.check()

    def does(self, *words: str, agent: bool = False, stdin: str = "") -> dict[str, Any]:
        result = self.place.json(*words, agent=agent, stdin=stdin)
        assert result["ok"], result
        self.check()
        return result

    def check(self) -> None:
        self.repo.git("add", "-A")
        self.repo.git("commit", "-q", "--allow-empty", "-m", "run")
        said = self.place.act("gasp", "check", ".")
        assert said.code == 0, said.out
        assert said.out.count("[PASS]") == 7
        assert "skipped — node not found" not in said.out


def plan(*tasks: tuple[str, str], remove: dict[str, str] | None = None) -> str:
    value: dict[str, Any] = {
        "tasks": [{"key": key, "subject": f"Do {key}", "status": status} for key, status in tasks]
    }
    if remove:
        value["remove"] = [{"key": key, "reason": why} for key, why in remove.items()]
    return json.dumps(value)


def test_a_whole_story_passes_after_every_act(bare: Place) -> None:
    story = Story(bare)
    story.does("goal", "propose", "Retry survives a timeout 🚀", agent=True)
    story.does("goal", "confirm")
    story.does("todo", "set", agent=True, stdin=plan(("a", "in_progress"), ("b", "pending")))
    request = story.does("ask", "Publish 0.2.0?", "--frees", "b", agent=True)["data"]["request"]
    story.does("answer", request, "yes")
    story.does("ask", "--resume", request, agent=True)
    story.does("todo", "set", agent=True, stdin=plan(("a", "completed"), ("b", "in_progress")))
    blocker = story.does("blocker", "raise", "no network", "--class", "B")["data"]["blocker"]
    story.does("blocker", "clear", blocker, "--reason", "it is back")
    second = story.does("ask", "Drop the table?", agent=True)["data"]["request"]
    story.does("answer", second, "no")
    story.does("answer", second, "--take-back")
    story.does("answer", second, "yes")
    story.does("goal", "pause")
    story.does("goal", "resume")
    story.does("goal", "claim", "it is done", agent=True)
    story.does("gasp", "snapshot")
    story.does("goal", "abandon", "another way")
    story.does("goal", "propose", "Again", agent=True)
    story.does("goal", "decline")
    assert bare.act("doctor").code == 0
    restored = json.loads(bare.act("gasp", "restore", ".", "--json").out)
    assert restored["ok"]
    assert restored["skipped"] == []
    assert [one["ok"] for one in restored["snapshots"]] == [True]
