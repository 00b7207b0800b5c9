"""Choosing the key that answers are signed with."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from ppgp_tui.cli.key_setting import with_key
from tests.cli.acting import Place

KEEPER = shutil.which("ssh-keygen") or ""


@pytest.fixture
def own_key(tmp_path: Path) -> Path:
    key = tmp_path / "id_ed25519"
    command = [KEEPER, "-q", "-t", "ed25519", "-N", "", "-f", str(key)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return key


def test_before_the_first_answer_nothing_is_pinned_and_showing_makes_nothing(place: Place) -> None:
    shown = place.json("authority", "key", "show")
    assert (shown["data"]["key"], shown["data"]["pinned"]) == ("file", [])
    assert "nothing is pinned" in shown["message"]
    assert not place.data.exists()


def test_a_key_of_ones_own_is_pinned_and_signs_from_then_on(place: Place, own_key: Path) -> None:
    used = place.json("authority", "key", "use", own_key)
    assert used["code"] == "done"
    assert tomllib.loads(place.config.read_text())["authority"] == {
        "scripted": True, "key": str(own_key),
    }  # fmt: skip
    (pinned,) = place.json("authority", "key", "show")["data"]["pinned"]
    assert own_key.with_suffix(".pub").read_text().split()[1] in pinned
    request = place.ask("Publish?")
    place.json("answer", request, "yes")
    assert place.agent("ask", "--resume", request)[:2] == (0, "yes\n")


def test_answers_of_the_key_before_count_no_longer(place: Place, own_key: Path) -> None:
    request = place.ask("Publish?")
    place.json("answer", request, "yes")
    place.json("authority", "key", "use", own_key)
    (answer,) = place.json("requests", request)["data"]["answers"]
    assert (answer["counts"], answer["shown"]) == (False, "forged or damaged")


@pytest.mark.parametrize(
    ("chosen", "why"),
    [("../nowhere", "cannot be used: no such file"), ("inside", "lies inside the repository")],
)
def test_a_key_that_cannot_sign_changes_nothing(place: Place, chosen: str, why: str) -> None:
    (place.root / "inside").write_text("a key")
    before = place.config.read_bytes()
    said = place.act("authority", "key", "use", chosen)
    assert (said.code, said.out) == (1, "")
    assert why in said.err
    assert place.config.read_bytes() == before
    assert not (place.data / "authority" / "allowed_signers").exists()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[authority]\nkey = "agent"\n'),
        ("# mine\nui.fps = 30", '# mine\nui.fps = 30\n\n[authority]\nkey = "agent"\n'),
        ("[authority]\nscripted = true\n", '[authority]\nkey = "agent"\nscripted = true\n'),
        ("[authority]", '[authority]\nkey = "agent"\n'),
        (
            '[authority]  # who\nkey = "file" # old\n[ui]\nkeys = "vi"\n',
            '[authority]  # who\nkey = "agent"\n[ui]\nkeys = "vi"\n',
        ),
        (
            '[ui]\nfps = 3\n[roots."/x".authority]\nkey = "file"\n',
            '[ui]\nfps = 3\n[roots."/x".authority]\nkey = "file"\n\n[authority]\nkey = "agent"\n',
        ),
    ],
)
def test_the_setting_is_written_and_every_other_byte_stays(
    tmp_path: Path, before: str, after: str
) -> None:
    config = tmp_path / "config.toml"
    config.write_text(before)
    assert with_key(config, "agent").decode() == after


@pytest.mark.parametrize(
    "before",
    ['authority.key = "file"\n', 'authority = { key = "file" }\n', "authority = 3\n", "= broken\n"],
)
def test_settings_written_another_way_are_left_to_the_person(tmp_path: Path, before: str) -> None:
    config = tmp_path / "config.toml"
    config.write_text(before)
    with pytest.raises(ValueError, match=r"write it yourself: under \[authority\] in .*key = "):
        with_key(config, "agent")


def test_a_settings_file_that_is_a_link_stays_one(place: Place, own_key: Path) -> None:
    dotfile = own_key.parent / "dotfiles.toml"
    place.config.rename(dotfile)
    place.config.symlink_to(dotfile)
    place.json("authority", "key", "use", own_key)
    assert place.config.is_symlink()
    assert tomllib.loads(dotfile.read_text())["authority"]["key"] == str(own_key)
