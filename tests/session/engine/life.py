"""Random days in a repository: people and agents act, and files change behind the engine's back.

Nothing here knows which act is allowed when; only what must hold after each of them.
"""

import random
import shutil
from collections.abc import Callable, Sequence
from typing import Any, get_args

from ppgp_tui.pi.block_proof import BlockProof
from ppgp_tui.session.actions import (
    answering,
    asking,
    blocker,
    closing,
    control,
    goal,
    objections,
    plan,
    proposals,
    start,
)
from ppgp_tui.session.actions.answering import Said
from ppgp_tui.session.actions.asking import Question
from ppgp_tui.session.canonical import new_id
from ppgp_tui.session.engine import bound, verdicts
from ppgp_tui.session.engine.draft import Draft
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.result import Code, Result
from ppgp_tui.session.engine.scene import Scene
from tests.session.engine.desk import CLAUDE, CODEX, HUMAN
from tests.session.engine.repository import DOCUMENT, GOAL, LOG, RUN, TODO, Json, Repository, task

PROOF = BlockProof("No key.", "The lookup failed.", "Every step needs it.", "The key exists.")
PHASES = ("THINK", "FREEZE", "EXECUTE", "HARDEN", "SHIP")
SAID = (
    Said("yes"), Said("yes"), Said("no"), Said("a"), Said(text="as you like"), Said("no", note="!"),
)  # fmt: skip
TEXTS = ("Retry survives", "Größe zählt ✓\nund sagt es", "x" * 300, " ", "🙂 done?", "a\tb | `c`")


Act = Callable[["Life", Engine], Result]


class Life:
    """One repository and a source of chance."""

    def __init__(self, repository: Repository, seed: int) -> None:
        self.repository = repository
        self.chance = random.Random(seed)
        self.results: list[Result] = []

    def step(self) -> Result:
        """Do something, by anybody, and check what every receipt promises."""
        before = self.repository.read(LOG)
        result = self.act(ACTS)
        _keeps_its_word(result, before, self.repository.read(LOG))
        self.results.append(result)
        return result

    def act(self, acts: Sequence[Act]) -> Result:
        """Do one of `acts`, by anybody, where others may act at the same time."""
        actor = self.chance.choice((HUMAN, HUMAN, CLAUDE, CLAUDE, CODEX))
        return self.chance.choice(acts)(self, self.repository.engine(actor))

    # Choices ---------------------------------------------------------------------------------

    def text(self) -> str:
        return self.chance.choice(TEXTS)

    def mostly_a_person(self, engine: Engine) -> Engine:
        """Somebody for an act that is refused to agents."""
        return self.repository.engine(HUMAN) if self.chance.random() < 0.8 else engine

    def request(self, *states: str) -> str:
        """A recorded request in one of `states` if there is one, else any or none at all."""
        requests = self.repository.ledger().requests
        wanted = [name for name, entry in requests.items() if entry["state"] in states]
        if wanted:
            return self.chance.choice(wanted)
        known = list(requests)
        asked = [bullet.id for bullet in _bullets(self.repository)]
        return self.chance.choice([*known[-6:], *asked, "req_" + "0" * 32])

    def call(self) -> Json:
        keys = self.chance.sample("abcdefg", self.chance.randint(0, 5))
        tasks = []
        for key in keys:
            needs = tuple(self.chance.sample(keys, min(len(keys), self.chance.choice((0, 0, 1)))))
            status = self.chance.choice(("pending", "pending", "in_progress", "completed"))
            tasks.append(task(key, status, needs))
        gone = [{"key": key, "reason": "no longer"} for key in "abcdefg" if key not in keys]
        call: Json = {"tasks": tasks}
        planned = {planned["key"] for planned in self.repository.ledger().todo["tasks"]}
        if self.chance.random() < 0.9:
            call["remove"] = [removal for removal in gone if removal["key"] in planned]
        if self.chance.random() < 0.2:
            call["baseRevision"] = self.chance.randint(0, 9)
        return call


def _bullets(repository: Repository) -> list[Any]:
    from ppgp_tui.session.picture.inbox import pending_bullets

    return list(pending_bullets(repository.engine().read_document().reading))


def _keeps_its_word(result: Result, before: bytes, after: bytes) -> None:
    assert result.code in get_args(Code)
    assert result.message.strip()
    assert after.startswith(before), "nothing that was recorded changes"
    new = after[len(before) :]
    assert new.count(b"\n") == len(result.events)
    assert [event for event in result.events if f'"id":"{event}"'.encode() not in new] == []
    if not result.ok:
        assert (result.events, result.recorded) == ((), "none")
    if result.code == "unchanged":
        assert b'"todo.revised"' not in new


# What may happen -----------------------------------------------------------------------------


def _propose(life: Life, engine: Engine) -> Result:
    act = life.chance.choice((proposals.propose, proposals.propose_tweak))
    return act(engine, life.text())


def _ask(life: Life, engine: Engine) -> Result:
    chance = life.chance
    planned = life.repository.ledger().tasks_on_record
    options = tuple(f"way {n}" for n in range(chance.choice((0, 0, 2, 9))))
    return asking.ask(
        engine,
        Question(
            life.text(),
            klass=chance.choice("ABCD"),
            scope="Step A",
            why=chance.choice((None, "because")),
            options=options,
            recommended="a" if options else None,
            irreversible=chance.random() < 0.2,
            frees=tuple(planned[:1]),
            expires_ms=chance.choice((None, engine.clock() + 20_000)),
        ),
        pid=chance.choice((None, 1)),
    )


def _answer(life: Life, engine: Engine) -> Result:
    said = life.chance.choice(SAID)
    wanted = life.chance.choice((("waiting",), ()))
    by = life.mostly_a_person(engine)
    return answering.answer(by, life.request(*wanted), said, key=life.repository.key)


def _raise(life: Life, engine: Engine) -> Result:
    return blocker.raise_(
        engine,
        life.text(),
        klass=life.chance.choice("ABCD"),
        tasks=life.repository.ledger().tasks_on_record[:2],
        until=life.chance.choice((None, "2026-10-23")),
    )


def _clear(life: Life, engine: Engine) -> Result:
    return blocker.clear(engine, next(iter(life.repository.ledger().blockers), "blk_0"), "gone")


def _run(life: Life, engine: Engine) -> Result:
    """An agent's session begins or ends, as its hook records it."""

    def act(_: Scene, draft: Draft) -> Json:
        run = draft.ledger.open_run(draft.actor.id)
        if draft.actor.kind == "agent" and run is None:
            run_id = new_id("run")
            props = {"task": "session", "status": "started", "metadata": {}}
            draft.record(
                "run.started",
                {"run_id": run_id, "task": "session", "metadata": {}},
                correlation=run_id,
                ops=[{"CreateNode": {"id": run_id, "kind": "run", "props": props}}],
            )
        elif run is not None:
            draft.record(
                "run.finished",
                {"run_id": run["run_id"], "outcome": "completed", "metadata": {}},
                cause=run["event"],
                ops=[{"UpdateNode": {"id": run["run_id"], "props": {"status": "finished"}}}],
            )
        return {}

    return engine.perform("run", act)


def _edit_document(life: Life, engine: Engine) -> Result:
    """The agent rewrites its document, then somebody acts."""
    repository, chance = life.repository, life.chance
    document = repository.root / DOCUMENT
    lines = document.read_text().splitlines()
    at = lines.index("## PHASE") + 1
    lines[at] = chance.choice(PHASES)
    asked = lines.index("## HUMAN_AUTHORITY_REQUIRED") + 1
    lines[asked] = f"- Publish 0.{chance.randint(0, 3)}.0 to the index?"
    document.write_text("\n".join(lines) + "\n")
    return goal.checkpoint(engine, life.text())


def _edit_plan(life: Life, engine: Engine) -> Result:
    """Somebody edits, damages or deletes a file that only repeats the log."""
    repository, chance = life.repository, life.chance
    file = repository.root / chance.choice((TODO, GOAL))
    kind = chance.choice(("edit", "damage", "delete"))
    if kind == "delete" or not file.exists():
        file.unlink(missing_ok=True)
    elif kind == "damage":
        file.write_bytes(file.read_bytes()[:20])
    else:
        file.write_bytes(file.read_bytes().replace(b"Do ", b"Really do "))
    return plan.adopt(engine, drop=chance.random() < 0.5)


def _claim(life: Life, engine: Engine) -> Result:
    """Somebody claims; after a rejection perhaps with a dispute."""
    return goal.claim(engine, life.text(), dispute=life.chance.choice(("", "", "it is shown")))


def _audit(life: Life, engine: Engine) -> Result:
    """An audit of whoever's wish comes to any verdict; perhaps something moved meanwhile."""
    chance = life.chance
    reading = engine.read_document().reading
    word: verdicts.Word = chance.choice(get_args(verdicts.Word))
    stale = chance.random() < 0.3
    report = "Verdict.\n- an objection 🙂"

    def act(scene: Scene, draft: Draft) -> Json:
        about = bound.bound(reading, draft.ledger, bound.CodeState("sha256:0", None))
        return verdicts.record(
            draft, word, life.text(), eval_id=engine.ids("eval"), bound=about, stale=stale,
            report=report, report_digest="sha256:1", isolation="bubblewrap", auditor="none",
            command="ppgp-tui audit",
        )  # fmt: skip

    def after(scene: Scene, data: Json) -> list[str]:
        objections.tell(scene, data, report, ".ppgp/audits/eval/report.json")
        return []

    return engine.perform("audit", act, after=after, said=word.replace("_", " "))


def _close(life: Life, engine: Engine) -> Result:
    reason = life.chance.choice((None, life.text()))
    by = life.mostly_a_person(engine)
    return closing.close(by, override=reason, keep_document=True)


def _lose_run(life: Life, engine: Engine) -> Result:
    shutil.rmtree(life.repository.root / RUN)
    return start.rebuild(engine)


def _commit(life: Life, engine: Engine) -> Result:
    if (life.repository.root / ".git").is_dir():
        life.repository.git("add", "-A")
        life.repository.git("commit", "--quiet", "--allow-empty", "-m", "Go on")
    return start.init(engine)


TOGETHER: tuple[Act, ...] = (
    lambda life, engine: goal.create(life.mostly_a_person(engine), life.text()),
    lambda life, engine: goal.tweak(life.mostly_a_person(engine), life.text()),
    lambda _, engine: goal.resume(engine),
    lambda _, engine: goal.block(engine, PROOF),
    lambda life, engine: goal.abandon(engine, life.text()),
    _claim,
    _audit,
    _audit,
    _close,
    lambda _, engine: closing.settle(engine),
    lambda life, engine: goal.checkpoint(engine, life.text()),
    lambda life, engine: goal.set_phase_of(engine, life.chance.choice(PHASES)),
    *(lambda life, engine: plan.revise(engine, life.call()),) * 4,
    _propose,
    _propose,
    _ask,
    _ask,
    _answer,
    _answer,
    _answer,
    lambda life, engine: answering.take_back(
        life.mostly_a_person(engine), life.request("answered")
    ),
    lambda life, engine: asking.deliver(engine, life.request("answered")),
    lambda life, engine: asking.withdraw(engine, life.request()),
    _raise,
    _clear,
    lambda life, engine: control.hold(life.mostly_a_person(engine), reason=life.text()),
    lambda life, engine: control.release(life.mostly_a_person(engine)),
    _run,
)
"""What several may do at once."""
ACTS: tuple[Act, ...] = (*TOGETHER, _edit_document, _edit_plan, _lose_run, _commit)
