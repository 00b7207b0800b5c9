"""Taking out of a text what is nobody else's business: secrets, people, machines, addresses.

What looks like a secret is replaced by what kind it is; the rest stays readable. A form that is not
known stays, so whatever is shared holds as little foreign text as possible in the first place.
"""

from __future__ import annotations

import math
import os
import re
import socket
from collections import Counter
from pathlib import Path
from typing import Final, NamedTuple

from ppgp_tui.session import git

_PREFIXES: Final = (
    r"gh[pousr]_", "github_pat_", "gl(?:pat|dt|rt)-", "npm_", "pypi-", "hf_", "dckr_pat_",
    "lin_api_", "shp(?:at|ss|ca|pa)_", "do[op]_v1_", "dapi", r"hv[sb]\.", r"atlasv1\.", "figd_",
    "nfp_", "pul-", "tskey-", "xox[a-z]-", "xapp-", "sq0[a-z]{3}-", "rubygems_", "sntry[su]_",
    "ph[cx]_", "sbp_", "vercel_", "gsk_", "r8_", "whsec_", r"SG\.", "GOCSPX-", r"ya29\.", "AIza",
    "A(?:KIA|SIA|BIA|CCA)", "[srp]k[-_]", "key-",
)  # fmt: skip
"""How tokens of well-known services begin."""
_SECRET_NAMES: Final = (
    "pass(?:word|wd|phrase)", "[_-]pass", "pwd", "secret", "token",
    "(?:api|access|account|private|session)[_-]?key",
    "credential", "auth(?!or)", "cookie", "signature", "dsn", "bearer", "pass(?==)",
)  # fmt: skip
_NAME = rf"[\w-]{{0,40}}(?:{'|'.join(_SECRET_NAMES)})[\w-]{{0,40}}"
_VALUE = r"""(?:\\*"[^"\n]+"|\\*'[^'\n]+'|[^\s"'`,;}\])]{3,})"""
_HEADERS = r"(?:proxy-)?authorization|x-api-key|x-auth-token|(?:set-)?cookie"
_INSIDE = r"internal|local|lan|corp|intranet|home\.arpa"
_SIX = r"[0-9a-f]{1,4}:"
_KEY_END = r"(?:-----END [^-]*-----|\Z)"

_KINDS: Final = (
    ("private key", rf"-----BEGIN [^-\n]{{0,60}}KEY[^-\n]{{0,20}}-----[\s\S]*?{_KEY_END}"),
    ("private key", r"AGE-SECRET-KEY-1[0-9A-Z]{20,}"),
    ("public key", r"\b(?:ssh|ecdsa|sk)-[\w@.-]+ AAAA[0-9A-Za-z+/=]+(?: [^\s\"]+)?"),
    ("token", r"\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?"),
    ("token", rf"\b(?:{'|'.join(_PREFIXES)})[\w./+=-]{{10,}}"),
    ("token", r"\b\d{8,10}:[\w-]{30,}"),
    ("token", r"\b(?:AC|SK)[0-9a-f]{32}\b"),
    ("token", r"\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{25,}"),
    ("secret", rf"(?i)\b(?:{_HEADERS})[\"']?\s{{0,3}}[:=]\s{{0,3}}[^\n\"]{{3,}}"),
    ("secret", r"(?i)\b(?:bearer|basic)\s+[\w.~+/=-]{8,}"),
    ("secret", rf"(?i)\b{_NAME}\\*[\"'`]?\s{{0,3}}(?::=|=>|[:=])\s{{0,3}}{_VALUE}"),
    ("secret", rf"(?i)(?<=\s)--?{_NAME}[ =]\S{{3,}}"),
    ("address", r"(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s\"'`<>|)\]}]+"),
    ("address", r"\b[\w.-]{1,64}@[\w.-]{1,128}:(?!//)[\w~./-]+"),
    ("e-mail", r"[\w.+%-]{1,128}@[\w-]+(?:\.[\w-]+)*"),
    ("address", r"\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b"),
    ("address", rf"(?i)(?<![\w:])(?:{_SIX}){{3,7}}[0-9a-f]{{0,4}}(?![\w:])"),
    ("address", rf"(?i)(?<![\w:])(?:{_SIX}){{1,6}}:[0-9a-f]{{1,4}}(?:%\w+)?"),
    ("address", rf"(?i)\b[\w-]{{1,63}}(?:\.[\w-]{{1,63}}){{0,5}}\.(?:{_INSIDE})\b"),
    ("account", r"\barn:aws[\w-]*:\S+"),
    ("user", r"(?<=\buser:)[\w.-]+"),
    ("number", r"(?<![\w-])(?:\d[ -]?){13,18}\d\b"),
    ("id", r"(?i)\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"),
)  # fmt: skip
"""What is taken out and how it looks; in this order."""
_FORMS = tuple((kind, re.compile(form)) for kind, form in _KINDS)

_LONG = re.compile(r"[A-Za-z0-9+/_=-]{24,}")
_OURS = re.compile(r"(?:event|goal|run|req|dec|eval|blk|claim|hold|sess|node)_[0-9a-f]{32}")
_HEX = re.compile(r"[0-9a-fA-F]{32,}")
_RANDOM_BITS = 3.6
"""Bits a character from which on a long word is taken for a random one."""


_NO_PERSON = ("root", "home", "claude", "codex", "pi", "ppgp-tui", "GitHub")
_COMMITS = 1_000


class Private(NamedTuple):
    """What would tell whose machine this is."""

    homes: tuple[str, ...] = ()
    users: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    """Folders whose names may say what somebody works on."""


def private_here(root: Path) -> Private:
    """What is private of whoever runs this program on this machine, about `root`."""
    from ppgp_tui.session.files.places import login

    home = Path.home()
    homes = {str(home), os.path.realpath(home)} - {"/"}
    users = {login(), home.name, os.environ.get("USER", ""), os.environ.get("LOGNAME", "")}
    users |= _authors(root)
    host = socket.gethostname()
    hosts = {host, host.partition(".")[0], socket.getfqdn()}
    return Private(
        tuple(sorted(homes, key=len, reverse=True)),
        _worth_hiding(users, _NO_PERSON),
        _worth_hiding(hosts, ("localhost", "localhost.localdomain")),
        tuple(sorted({str(root), os.path.realpath(root)} - {"/"}, key=len, reverse=True)),
    )


def _authors(root: Path) -> set[str]:
    """Who has committed lately, by the names Git knows."""
    try:
        said = git.ask(root, "log", f"-n{_COMMITS}", "--format=%an%n%cn", "HEAD").text
    except git.GitUnknownError:
        return set()
    return {name.strip() for name in said.splitlines()}


def _worth_hiding(names: set[str], common: tuple[str, ...]) -> tuple[str, ...]:
    """Names that tell something; one that is a word of every text would only harm it."""
    return tuple(sorted((n for n in names if len(n) > 1 and n not in common), key=len)[::-1])


def scrubbed(text: str, private: Private) -> str:
    """`text` with everything private replaced by a word in brackets that says what was there."""
    for kind, form in _FORMS:
        text = form.sub(f"[{kind}]", text)
    for word, folders in (("[root]", private.roots), ("~", private.homes)):
        for folder in folders:
            text = re.sub(rf"{re.escape(folder)}(?![\w.-])", word, text)
    text = re.sub(r"(?<![\w.])/(?:home|Users)/[^/\s\"']+", "~", text)
    for word, names in (("[user]", private.users), ("[host]", private.hosts)):
        for name in names:
            text = re.sub(rf"(?i)(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", word, text)
    return _LONG.sub(lambda hit: hit[0] if _is_readable(hit[0]) else "[secret]", text)


def _is_readable(word: str) -> bool:
    """Whether a long word is one that people wrote, or an id of this program's own."""
    bare = _OURS.sub("", word)
    if _HEX.search(bare):
        return False
    if len(bare) < 24:
        return True
    mixed = sum(map(str.isdigit, bare)) >= 2 and any(map(str.isalpha, bare))
    mixed = mixed and (any(map(str.isupper, bare)) or "/" not in bare)
    return not mixed or _bits(bare) < _RANDOM_BITS


def _bits(word: str) -> float:
    counts = Counter(word).values()
    return -sum(n / len(word) * math.log2(n / len(word)) for n in counts)
