"""`ppgp-tui authority`: the key that a person's answers are signed with."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ppgp_tui.cli.acting import acts

if TYPE_CHECKING:
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.engine.result import Result


@click.group("authority")
def authority() -> None:
    """Say what your answers are signed with."""


@authority.group("key")
def key() -> None:
    """Show or choose the key that signs your answers."""


@key.command("show")
@acts(example="ppgp-tui authority key show")
def show(engine: Engine) -> Result:
    """Print which key signs your answers and which keys count."""
    from ppgp_tui.session.actions.signing import signing_key
    from ppgp_tui.session.authority.pins import UnusablePinsError
    from ppgp_tui.session.engine.result import Result
    from ppgp_tui.session.text import one_line

    signer = signing_key(engine)
    try:
        pinned = signer.pins.pinned()
    except UnusablePinsError as error:
        return Result("authority.key.show", "refused", str(error))
    lines = [f"answers are signed with: {one_line(signer.key)}"]
    lines += [f"pinned: {one_line(line)}" for line in pinned or ()]
    if pinned is None:
        made = "the first answer pins the key it is signed with"
        unsigned = "ssh-keygen is not installed, so answers stay unsigned"
        lines.append(f"nothing is pinned; {made if signer.pins.program() else unsigned}")
    data = {
        "key": signer.key,
        "askpass": signer.askpass,
        "pinned": list(pinned or ()),
        "path": str(signer.pins.path),
        "ssh_keygen": signer.pins.program(),
    }
    return Result("authority.key.show", "unchanged", "\n".join(lines), data=data)


@key.command("use")
@click.argument("chosen", metavar="file|agent|PATH")
@acts("granting", example="ppgp-tui authority key use ~/.ssh/id_ed25519.pub")
def use(engine: Engine, chosen: str) -> Result:
    """Sign your answers with this key from now on, and let only it count (yours alone).

    file is a key of our own, made when it is missing; agent is the one key in your SSH agent; PATH
    is an SSH key, or the .pub of one that your SSH agent holds. Answers that nobody has received
    yet and another key has signed no longer count. Writes authority.key into your config.toml.
    """
    from ppgp_tui.cli.key_setting import with_key
    from ppgp_tui.session.actions.signing import signing_key
    from ppgp_tui.session.authority.keys import KeyProblemError
    from ppgp_tui.session.engine.result import Result
    from ppgp_tui.session.files.places import config_folder
    from ppgp_tui.session.files.safe import FILE_MODE, Folder
    from ppgp_tui.session.journal import RefusalError

    wanted = chosen if chosen in ("file", "agent") else _absolute(chosen)
    config = config_folder() / "config.toml"
    try:
        changed = with_key(config, wanted)
        public = signing_key(engine, wanted).pin()
    except (ValueError, KeyProblemError) as error:
        raise RefusalError("refused", str(error)) from None
    real = Path(os.path.realpath(config))  # perhaps a link into a folder of dotfiles
    real.parent.mkdir(0o700, parents=True, exist_ok=True)
    with Folder.open(real.parent) as folder:
        known = folder.status(real.name)
        mode = stat.S_IMODE(known.st_mode) if known else FILE_MODE
        folder.publish(real.name, changed, mode=mode)
    text = f"answers are signed with {wanted} from now on; only this key counts: {public}"
    return Result("authority.key.use", "done", text, data={"key": wanted, "public": public})


def _absolute(chosen: str) -> str:
    return str(Path.cwd() / os.path.expanduser(chosen))  # noqa: PTH111
