"""Finding what looks like a secret in a goal document, without ever repeating it.

PPGP reference section 16, rule 27: no secrets or credentials in any role file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_HINTS = (
    "PRIVATE KEY", "AKIA", "ASIA", "ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "xox",
    "sk-", "sk_live_", "rk_live_", "AIza", "eyJ", "npm_", "pypi-", "hf_", "://", "assword",
    "ASSWORD", "ecret", "ECRET", "oken", "OKEN", "api_key", "API_KEY", "apikey", "earer",
)  # fmt: skip
_KINDS = (
    ("a private key", r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----"),
    ("an AWS access key", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    ("a GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,})"),
    ("a GitLab token", r"\bglpat-[A-Za-z0-9_-]{20,}"),
    ("a Slack token", r"\bxox[abposr]-[A-Za-z0-9-]{10,}"),
    ("an API key", r"\b(?:sk|rk)[-_](?:live_|ant-|proj-)?[A-Za-z0-9_-]{20,}"),
    ("a Google API key", r"\bAIza[0-9A-Za-z_-]{35}"),
    ("a registry token", r"\b(?:(?:npm|hf)_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,})"),
    ("a signed token", r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    ("a password in an address", r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,80}:[^\s/:@*<>${}]{4,80}@"),
    (
        "a password or token",
        r"(?i)\b(?:password|passwd|secret|api[_-]?key|access[_-]?token|auth[_-]?token)\b[\"'`]?"
        r"\s{0,3}[:=]\s{0,3}[\"'`]?(?=[^\s\"'`]{0,80}\d)(?=[^\s\"'`]{0,80}[A-Za-z])"
        r"[A-Za-z0-9+/_=.!@#%^&-]{12,}",
    ),
)  # fmt: skip


def secrets_in(texts: Sequence[str]) -> list[tuple[int, str]]:
    """Return the line number (from 1) and kind of each thing that looks like a secret."""
    whole = "\n".join(texts)
    hints = [hint for hint in _HINTS if hint in whole]
    if not hints:
        return []
    found = []
    for number, text in enumerate(texts, 1):
        if any(hint in text for hint in hints):
            kind = next((kind for kind, form in _KINDS if re.search(form, text[:20000])), None)
            if kind:
                found.append((number, kind))
    return found
