"""Whose signatures count."""

import subprocess
from pathlib import Path

import pytest

from ppgp_tui.session.authority.keys import SigningKey
from ppgp_tui.session.authority.pins import Pins
from tests.session.authority.conftest import HERE

TEXT = b'{"v":1}'


def test_a_signature_by_the_pinned_key_is_verified(pins: Pins):
    signature = SigningKey(pins).sign(TEXT)
    assert pins.check(TEXT, signature).word == "verified"


def test_a_signature_of_another_text_is_forged(pins: Pins):
    signature = SigningKey(pins).sign(TEXT)
    assert pins.check(TEXT + b" ", signature).word == "forged"


def test_a_signature_by_another_key_is_forged(pins: Pins, tmp_path: Path, root: Path):
    SigningKey(pins).sign(TEXT)
    stranger = SigningKey(Pins(tmp_path / "theirs", root, HERE)).sign(TEXT)
    assert pins.check(TEXT, stranger).word == "forged"


def test_a_signature_for_another_purpose_is_forged(pins: Pins):
    SigningKey(pins).sign(TEXT)
    command = ["ssh-keygen", "-Y", "sign", "-q", "-f", str(pins.folder / "key"), "-n", "git"]
    ran = subprocess.run(command, input=TEXT, capture_output=True, check=True)
    assert pins.check(TEXT, ran.stdout.decode()).word == "forged"


@pytest.mark.parametrize("signature", ["", "yes", "\0", "\ud800", "-----BEGIN SSH SIGNATURE-----"])
def test_garbage_is_forged(pins: Pins, signature: str):
    SigningKey(pins).sign(TEXT)
    assert pins.check(TEXT, signature).word == "forged"


def test_an_unsigned_answer_does_not_count_where_a_key_is_pinned(pins, without_openssh):
    SigningKey(pins).sign(TEXT)
    assert pins.check(TEXT, None).word == "unsigned"
    assert without_openssh.check(TEXT, None).word == "unsigned"


def test_an_unsigned_answer_does_not_count_where_signing_is_possible(pins: Pins):
    assert pins.check(TEXT, None).word == "unsigned"


def test_unsigned_answers_count_only_without_ssh_keygen_and_pinned_key(without_openssh: Pins):
    assert without_openssh.check(TEXT, None).word == "unsigned_allowed"
    assert without_openssh.check(TEXT, "whatever").word == "unsigned_allowed"


def test_a_pinned_key_without_ssh_keygen_verifies_nothing(pins: Pins, without_openssh: Pins):
    signature = SigningKey(pins).sign(TEXT)
    assert without_openssh.check(TEXT, signature).word == "unverifiable"


def test_a_key_pinned_meanwhile_is_known(pins: Pins, tmp_path: Path, root: Path):
    waiting = Pins(pins.data, root, HERE)
    assert waiting.check(TEXT, "x").word == "unverifiable"
    before = waiting.stamp()
    signature = SigningKey(pins).sign(TEXT)
    assert waiting.check(TEXT, signature).word == "verified"
    assert waiting.stamp() != before


@pytest.mark.parametrize("content", [b"", b"# nothing\n\n", b"x" * 100_000])
def test_pins_that_say_nothing_are_never_taken_for_none(pins, without_openssh, content):
    pins.folder.mkdir(parents=True)
    pins.path.write_bytes(content)
    assert pins.check(TEXT, None).word == "unverifiable"
    assert without_openssh.check(TEXT, None).word == "unverifiable"


def test_pins_that_cannot_be_reached_are_never_taken_for_none(pins, without_openssh, tmp_path):
    pins.data.mkdir()
    pins.folder.symlink_to(tmp_path / "gone")
    assert without_openssh.check(TEXT, None).word == "unverifiable"
    pins.folder.unlink()
    pins.folder.mkdir()
    pins.path.symlink_to(tmp_path / "gone")
    assert without_openssh.check(TEXT, None).word == "unverifiable"
