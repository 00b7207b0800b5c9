"""The key of a person: made on first use, chosen, and in what state it is refused."""

import os
import shutil
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ppgp_tui.session.authority.keys import KeyProblemError, SigningKey, public_key
from ppgp_tui.session.authority.pins import Pins
from tests.session.authority.conftest import HERE
from tests.waiting import PATIENCE_S

TEXT = b'{"v":1}'


def make_key(path: Path, *more: str, passphrase: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    kind = more or ("-t", "ed25519")
    command = ["ssh-keygen", "-q", *kind, "-N", passphrase, "-C", "me", "-f", str(path)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return path


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def agent(tmp_path: Path):
    """A running SSH agent without keys; gives the environment that reaches it."""
    socket = tmp_path / "agent"
    process = subprocess.Popen(["ssh-agent", "-D", "-a", str(socket)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    yield HERE | {"SSH_AUTH_SOCK": str(socket)}
    process.terminate()
    process.wait()
    process.stdout.close()


def add_to(agent: dict[str, str], key: Path) -> None:
    subprocess.run(["ssh-add", "-q", str(key)], env=agent, check=True, stdin=subprocess.DEVNULL)


def test_on_first_use_a_key_is_made_outside_the_repository_and_pinned(pins: Pins):
    signature = SigningKey(pins).sign(TEXT)
    assert signature is not None
    assert pins.check(TEXT, signature).word == "verified"
    assert mode(pins.folder) == 0o700
    assert mode(pins.folder / "key") == 0o600
    public = (pins.folder / "key.pub").read_text()
    assert public.startswith("ssh-ed25519 ")
    kind, blob = public.split()[:2]
    line = f'ppgp-user namespaces="ppgp-authority" {kind} {blob}\n'
    assert pins.path.read_text() == line
    assert sorted(path.name for path in pins.folder.iterdir()) == [
        "allowed_signers",
        "key",
        "key.pub",
    ]


def test_the_same_key_signs_from_then_on(pins: Pins):
    SigningKey(pins).sign(TEXT)
    key, allowed = (pins.folder / "key").read_bytes(), pins.path.read_bytes()
    SigningKey(pins).sign(b"more")
    assert (pins.folder / "key").read_bytes() == key
    assert pins.path.read_bytes() == allowed


def test_two_apps_that_make_the_key_at_once_agree_on_one(pins: Pins):
    with ThreadPoolExecutor(4) as pool:
        signatures = list(pool.map(lambda _: SigningKey(pins).sign(TEXT), range(4)))
    assert len({public_key(signature) for signature in signatures if signature}) == 1
    assert all(pins.check(TEXT, signature).word == "verified" for signature in signatures)


def test_without_ssh_keygen_and_without_a_pinned_key_answers_go_unsigned(without_openssh: Pins):
    assert SigningKey(without_openssh).sign(TEXT) is None
    assert not without_openssh.data.exists()


def test_without_ssh_keygen_but_with_a_pinned_key_no_answer_is_given(pins, without_openssh):
    SigningKey(pins).sign(TEXT)
    with pytest.raises(KeyProblemError, match="ssh-keygen is not installed"):
        SigningKey(without_openssh).sign(TEXT)


def test_a_key_that_others_can_read_is_refused_with_what_to_do(pins: Pins):
    SigningKey(pins).sign(TEXT)
    key = pins.folder / "key"
    key.chmod(0o644)
    with pytest.raises(KeyProblemError, match=f"mode 644.*chmod 600 {key}"):
        SigningKey(pins).sign(TEXT)


def test_pins_that_others_can_write_are_not_trusted(pins: Pins):
    signature = SigningKey(pins).sign(TEXT)
    for path in (pins.path, pins.folder):
        was = mode(path)
        path.chmod(0o722)
        with pytest.raises(KeyProblemError, match=f"chmod go-w {path}"):
            SigningKey(pins).sign(TEXT)
        assert pins.check(TEXT, signature).word == "unverifiable"
        path.chmod(was)


def test_a_lost_key_is_not_silently_replaced_while_it_is_pinned(pins: Pins):
    SigningKey(pins).sign(TEXT)
    (pins.folder / "key").unlink()
    with pytest.raises(KeyProblemError, match="put it back, or remove"):
        SigningKey(pins).sign(TEXT)
    pins.path.unlink()
    assert SigningKey(pins).sign(TEXT)


def test_the_public_half_of_our_key_may_be_missing(pins: Pins):
    SigningKey(pins).sign(TEXT)
    (pins.folder / "key.pub").unlink()
    pins.path.unlink()
    assert SigningKey(pins).sign(TEXT)


def test_a_data_folder_inside_the_repository_is_refused(root: Path):
    inside = Pins(root / ".data", root, HERE)
    with pytest.raises(KeyProblemError, match="inside the repository"):
        SigningKey(inside).sign(TEXT)
    assert not inside.data.exists()
    assert inside.check(TEXT, "x").word == "unverifiable"


def test_a_link_in_place_of_the_folder_of_keys_is_refused(pins: Pins, root: Path):
    (root / "keys").mkdir()
    pins.data.mkdir()
    pins.folder.symlink_to(root / "keys")
    with pytest.raises(KeyProblemError):
        SigningKey(pins).sign(TEXT)
    assert list((root / "keys").iterdir()) == []


def test_an_existing_key_can_be_chosen(pins: Pins, tmp_path: Path):
    chosen = make_key(tmp_path / "home" / "id")
    signature = SigningKey(pins, key=str(chosen)).sign(TEXT)
    assert pins.check(TEXT, signature).word == "verified"
    assert not (pins.folder / "key").exists()


def test_a_wrong_public_half_beside_a_chosen_key_cannot_pin_a_wrong_key(pins, tmp_path):
    chosen = make_key(tmp_path / "home" / "id")
    other = make_key(tmp_path / "home" / "other")
    shutil.copy(other.with_suffix(".pub"), chosen.with_suffix(".pub"))
    with pytest.raises(KeyProblemError, match="doesn't match"):
        SigningKey(pins, key=str(chosen)).sign(TEXT)
    assert not pins.path.exists()


def test_a_chosen_key_with_too_open_permissions_is_refused(pins: Pins, tmp_path: Path):
    chosen = make_key(tmp_path / "home" / "id")
    chosen.chmod(0o640)
    with pytest.raises(KeyProblemError, match="chmod 600"):
        SigningKey(pins, key=str(chosen)).sign(TEXT)


def test_a_key_whose_public_half_is_missing_says_how_to_make_it(pins: Pins, tmp_path: Path):
    chosen = make_key(tmp_path / "home" / "id", "-t", "rsa", "-b", "2048", "-m", "PEM")
    chosen.with_suffix(".pub").unlink()
    with pytest.raises(KeyProblemError, match=f"ssh-keygen -y -f {chosen} > {chosen}.pub"):
        SigningKey(pins, key=str(chosen)).sign(TEXT)


def test_a_key_with_a_passphrase_says_what_to_do_and_asks_nobody(pins: Pins, tmp_path: Path):
    chosen = make_key(tmp_path / "home" / "id", passphrase="secret words")
    with pytest.raises(KeyProblemError, match=r"ssh-add.*authority\.askpass"):
        SigningKey(pins, key=str(chosen)).sign(TEXT)
    assert not pins.path.exists()


def test_a_passphrase_is_never_asked_for_on_the_terminal(pins: Pins, tmp_path: Path):
    chosen = make_key(tmp_path / "home" / "id", passphrase="secret words")
    script = tmp_path / "sign.py"
    script.write_text(
        "from pathlib import Path\n"
        "from ppgp_tui.session.authority.keys import KeyProblemError, SigningKey\n"
        "from ppgp_tui.session.authority.pins import Pins\n"
        f"key = SigningKey(Pins(Path({str(pins.data)!r}), Path({str(pins.root)!r})), "
        f"key={str(chosen)!r})\n"
        "try:\n    key.sign(b'x')\nexcept KeyProblemError:\n    print('refused')\n"
    )
    spawn = f"import pty, sys; pty.spawn([sys.executable, {str(script)!r}])"
    ran = subprocess.run(
        [sys.executable, "-c", spawn],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert ran.stdout.split() == ["refused"]


def test_a_chosen_askpass_may_ask_for_the_passphrase(pins: Pins, tmp_path: Path):
    chosen = make_key(tmp_path / "home" / "id", passphrase="secret words")
    askpass = tmp_path / "askpass"
    askpass.write_text("#!/bin/sh\necho secret words\n")
    askpass.chmod(0o700)
    signature = SigningKey(pins, key=str(chosen), askpass=str(askpass)).sign(TEXT)
    assert pins.check(TEXT, signature).word == "verified"


def test_a_key_in_the_repository_is_refused(pins: Pins, root: Path):
    with pytest.raises(KeyProblemError, match="inside the repository"):
        SigningKey(pins, key=str(make_key(root / "id"))).sign(TEXT)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("id_ed25519", "not an absolute path"),
        ("/nowhere/id", "no such file"),
        ("/nowhere/id.pub", "there is no public key"),
        ("/", "not a file"),
    ],
)
def test_a_path_that_is_no_key_is_refused(pins: Pins, key: str, said: str):
    with pytest.raises(KeyProblemError, match=said):
        SigningKey(pins, key=key).sign(TEXT)


def test_garbage_in_place_of_a_public_key_is_said(pins: Pins, tmp_path: Path):
    garbage = tmp_path / "id.pub"
    garbage.write_text("hello\n")
    with pytest.raises(KeyProblemError, match="not an SSH public key"):
        SigningKey(pins, key=str(garbage)).sign(TEXT)


def test_a_key_held_by_the_ssh_agent_signs_by_its_public_file(agent, tmp_path, root):
    chosen = make_key(tmp_path / "home" / "id")
    add_to(agent, chosen)
    chosen.unlink()
    pins = Pins(tmp_path / "data", root, agent)
    signature = SigningKey(pins, key=f"{chosen}.pub").sign(TEXT)
    assert pins.check(TEXT, signature).word == "verified"


def test_the_only_key_of_the_ssh_agent_is_taken_and_pinned(agent, tmp_path: Path, root: Path):
    pins = Pins(tmp_path / "data", root, agent)
    with pytest.raises(KeyProblemError, match="no SSH agent holds a key"):
        SigningKey(pins, key="agent").sign(TEXT)
    add_to(agent, make_key(tmp_path / "home" / "one"))
    signature = SigningKey(pins, key="agent").sign(TEXT)
    assert pins.check(TEXT, signature).word == "verified"
    add_to(agent, make_key(tmp_path / "home" / "two"))
    assert SigningKey(pins, key="agent").sign(b"more")


def test_of_many_keys_in_the_ssh_agent_one_must_be_named(agent, tmp_path: Path, root: Path):
    pins = Pins(tmp_path / "data", root, agent)
    add_to(agent, make_key(tmp_path / "home" / "one"))
    add_to(agent, make_key(tmp_path / "home" / "two"))
    with pytest.raises(KeyProblemError, match="holds 2 keys"):
        SigningKey(pins, key="agent").sign(TEXT)


def test_an_ssh_agent_without_the_pinned_key_is_refused(agent, tmp_path, root, pins):
    SigningKey(pins).sign(TEXT)
    add_to(agent, make_key(tmp_path / "home" / "one"))
    with pytest.raises(KeyProblemError, match="does not hold the key pinned"):
        SigningKey(Pins(tmp_path / "data", root, agent), key="agent").sign(TEXT)


def test_a_key_that_is_not_the_pinned_one_signs_nothing(pins: Pins, tmp_path: Path):
    SigningKey(pins).sign(TEXT)
    other = SigningKey(pins, key=str(make_key(tmp_path / "home" / "id")))
    with pytest.raises(KeyProblemError, match="not the one pinned"):
        other.sign(TEXT)


def test_pinning_another_key_ends_the_old_one(pins: Pins, tmp_path: Path):
    old = SigningKey(pins).sign(TEXT)
    other = SigningKey(pins, key=str(make_key(tmp_path / "home" / "id")))
    other.pin()
    assert pins.check(TEXT, other.sign(TEXT)).word == "verified"
    assert pins.check(TEXT, old).word == "forged"


def test_a_slow_ssh_keygen_is_not_waited_for(pins: Pins, tmp_path: Path, monkeypatch):
    monkeypatch.setattr("ppgp_tui.session.authority.ssh_keygen.LIMIT_S", 0.3)
    slow = tmp_path / "bin" / "ssh-keygen"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nsleep 30\n")
    slow.chmod(0o755)
    path = f"{slow.parent}:{os.environ['PATH']}"
    with pytest.raises(KeyProblemError, match="did not answer within"):
        SigningKey(Pins(pins.data, pins.root, {"PATH": path})).sign(TEXT)


def test_what_is_no_signature_has_no_public_key():
    for text in ("", "-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----"):
        with pytest.raises(KeyProblemError):
            public_key(text)
