"""Things that nobody may find in what is shared. Made up, and put together here, so that no file
holds one of them whole."""

from __future__ import annotations

import base64
import hashlib


def _random(name: str, length: int) -> str:
    """Letters and digits that look random and are always the same."""
    data = b"".join(hashlib.sha256(f"{name}{at}".encode()).digest() for at in range(8))
    return base64.b64encode(data, b"ab").decode()[:length]


def _hex(name: str, length: int) -> str:
    return hashlib.sha512(name.encode()).hexdigest()[:length]


HOME_OF_OTHERS = "anna.k"

PLANTED: dict[str, str] = {
    "aws key": "AKIA" + "Q7RZ5PLM2N4V8T1C",
    "aws secret": "aws_secret_access_key = " + _random("aws", 40),
    "aws secret bare": _random("aws bare", 40),
    "github": "ghp_" + _random("gh", 36),
    "github fine": "github_pat_" + _random("ghf", 60),
    "gitlab": "glpat-" + _random("gl", 20),
    "slack": "xoxb-" + "123456789012-" + _random("sl", 24),
    "stripe": "sk_live_" + _random("st", 24),
    "openai": "sk-proj-" + _random("oa", 48),
    "anthropic": "sk-ant-api03-" + _random("an", 60),
    "google": "AIza" + _random("go", 35),
    "google oauth": "ya29." + _random("ga", 50),
    "npm": "npm_" + _random("np", 36),
    "pypi": "pypi-" + _random("py", 60),
    "hugging face": "hf_" + _random("hf", 34),
    "sendgrid": "SG." + _random("sg", 22) + "." + _random("sg2", 43),
    "twilio": "SK" + _hex("tw", 32),
    "telegram": "1234567890:" + _random("tg", 35),
    "jwt": "eyJ" + _random("j1", 20) + ".eyJ" + _random("j2", 30) + "." + _random("j3", 40),
    "bearer": "Authorization: Bearer " + _random("be", 30),
    "basic": "Authorization: Basic " + _random("ba", 24),
    "cookie": "Cookie: sid=" + _random("co", 20) + "; theme=dark",
    "password": "password=hunter2!x",
    "json password": '"db_password": "correct horse"',
    "flag": "deploy --token s3cr3tvalue9 --now",
    "hex key": "API_KEY=" + _hex("hk", 32),
    "bare hex": _hex("bh", 64),
    "url": "https://bob:pa55word@db.example.net:5432/prod?x=1",
    "remote": "git@git.example.net:team/private-repo.git",
    "e-mail": "anna.kovacs+ppgp@example.net",
    "ip": "10.20.30.40",
    "ip6": "fe80::1ff:fe23:4567:890a",
    "host": "build7.corp.internal",
    "ssh key": "ssh-ed25519 AAAAC3" + _random("ss", 60) + " anna@laptop",
    "private key": "-----BEGIN OPENSSH PRIVATE " + "KEY-----\n" + _random("pk", 64)
    + "\n-----END OPENSSH PRIVATE " + "KEY-----",
    "age key": "AGE-SECRET-" + "KEY-1" + _random("ag", 40).upper(),
    "azure": "DefaultEndpointsProtocol=https;AccountKey=" + _random("az", 60) + "==;",
    "vault": "hvs." + _random("va", 24),
    "webhook": "https://hooks.example.net/services/T00/B00/" + _random("wh", 24),
    "card": "4111 1111 1111 1111",
    "home": f"/home/{HOME_OF_OTHERS}/work",
    "uuid key": "c1a7b7e2-4f0e-4d0a-9d2b-0a6f3e8c5d19",
}  # fmt: skip
"""By what it is: the text that is planted."""

SEEN: dict[str, str] = {
    "aws secret": _random("aws", 40),
    "bearer": _random("be", 30),
    "basic": _random("ba", 24),
    "cookie": _random("co", 20),
    "password": "hunter2!x",
    "json password": "correct horse",
    "flag": "s3cr3tvalue9",
    "hex key": _hex("hk", 32),
    "url": "pa55word",
    "remote": "private-repo",
    "e-mail": "kovacs",
    "ssh key": _random("ss", 60),
    "private key": _random("pk", 64),
    "azure": _random("az", 60),
    "webhook": _random("wh", 24),
    "card": "1111 1111",
    "home": HOME_OF_OTHERS,
}
"""The part of it that would tell something, where that is less than all of it."""


def told_by(text: str) -> list[str]:
    """What of all that was planted is still to be read in `text`."""
    return [name for name, plant in PLANTED.items() if SEEN.get(name, plant) in text]
