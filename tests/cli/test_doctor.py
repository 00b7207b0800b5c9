"""`ppgp-tui doctor`: sections of findings, each with why and what to do."""

from __future__ import annotations

import json

from tests.cli.acting import Place
from tests.cli.running import run
from tests.session.gits import Repository


def test_all_is_well_in_a_new_agent_repository(bare: Place) -> None:
    assert bare.act("gasp", "init").code == 0
    Repository(bare.root, init=False).commit()
    said = bare.act("doctor")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("session\n")
    assert "\ngasp\n" in said.out
    assert "nothing needs attention" in said.out


def test_what_needs_attention_says_why_and_what_to_do(bare: Place) -> None:
    said = bare.act("doctor")
    assert said.code == 1
    block = said.out[said.out.index("no session here") :].splitlines()[1:3]
    assert block[0].strip().startswith("why: ")
    assert block[1].strip() == "do: ppgp-tui init"
    assert "need attention" in said.out


def test_as_json_every_finding_has_the_same_members(bare: Place) -> None:
    said = bare.act("doctor", "--json")
    value = json.loads(said.out)
    assert (said.code, value["ok"], value["schema"]) == (1, False, "ppgp-tui/doctor/1")
    assert [section["name"] for section in value["sections"]] == [
        "session",
        "agents",
        "gasp",
        "audits",
    ]
    for section in value["sections"]:
        assert section["findings"]
        for finding in section["findings"]:
            assert list(finding) == ["state", "text", "why", "mend", "path", "line"]
            if finding["state"] != "ok":
                assert finding["why"]
                assert finding["mend"]


def test_a_wrong_root_is_usage(bare: Place) -> None:
    assert bare.act("doctor", "--root", "nowhere").code == 2
    assert bare.act("doctor", "--nonsense").code == 2


def test_text_of_the_repository_does_nothing_to_the_terminal(bare: Place) -> None:
    repo = Repository(bare.root)
    repo.write("state/events.jsonl", "\x1b[2J\u202e\n")
    repo.git("add", "-A")
    repo.git("commit", "-qm", "x", GIT_AUTHOR_NAME="\x1b[31mevil\u202e")
    for said in (bare.act("doctor"), bare.act("doctor", "--json")):
        assert not set(said.out) & {"\x1b", "\u202e"}


def test_the_real_program_ends_soon_and_writes_nothing(bare: Place) -> None:
    bare.act("gasp", "init")
    before = bare.snapshot()
    said = run("doctor", cwd=bare.root)
    assert said.code in (0, 1)
    assert bare.snapshot() == before


def test_it_names_the_terminals_ability(bare: Place) -> None:
    said = bare.act("doctor", environ={"PPGP_ASCII": "1", "NO_COLOR": "1"})
    assert "the terminal gets ASCII signs, no colours" in said.out
