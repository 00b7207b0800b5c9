"""Goals with known truth: what was agreed and done, and the one verdict that is right.

What no rule can tell from outside is in the table too and says so: a command that a person lets run
and that always passes, and a true quote that has nothing to do with its criterion.
"""

from __future__ import annotations

from typing import Final

from tests.audit.truth.auditors import AUDITORS
from tests.audit.truth.commands import COMMANDS
from tests.audit.truth.done import DONE
from tests.audit.truth.evidence import EVIDENCE_IS_WRONG
from tests.audit.truth.hidden import HIDDEN
from tests.audit.truth.hollow import HOLLOW
from tests.audit.truth.honest import HONEST
from tests.audit.truth.injected import INJECTED
from tests.audit.truth.narrowed import NARROWED
from tests.audit.truth.not_done import NOT_DONE
from tests.audit.truth.stage import Case

TABLE: Final[tuple[Case, ...]] = (
    *DONE, *NOT_DONE, *EVIDENCE_IS_WRONG, *COMMANDS, *NARROWED, *AUDITORS, *INJECTED,
    *HOLLOW, *HIDDEN, *HONEST,
)  # fmt: skip
