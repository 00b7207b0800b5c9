"""Conditions about a place elsewhere, in many languages; whatever cannot be shown never passes."""

from __future__ import annotations

from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.audit.model import Answer, AuditPlan, Check, Criterion, Found, Opinion, Quote
from ppgp_tui.audit.production import speaks_of_production
from ppgp_tui.audit.verdict import combine, mechanical
from tests.waiting import PATIENCE_S

ELSEWHERE = """\
The service runs in production
It is deployed
Runs on prod-eu-1
The eu-west-1 cluster has it
Works on UAT
The preprod database is migrated
shop.example.com serves the new page
api.acme.io returns the new field
https://shop.invalid answers 200
Signed off by the customer
The team has confirmed it
Approved by legal
Der Dienst läuft in Produktion
Die neue Version ist ausgerollt
Das Produktivsystem antwortet
Vom Kunden abgenommen
Le service est en production
Déployé chez le client
La page est en ligne
Validée par le client
El servicio está en producción
La versión nueva está desplegada
O serviço está em produção
A versão nova está no ar
Il servizio è in produzione
De dienst draait in productie
Tjänsten är i produktion
Usługa działa na produkcji
Сервис развёрнут на проде
Servis canlıda çalışıyor
サービスは本番で動いている
新しい版はリリース済み
服务已在生产环境运行
新版本已上线
서비스가 운영 환경에서 동작한다
الخدمة تعمل في الإنتاج
""".splitlines()
HERE = """\
The counter survives a restart
Works in production builds
http://localhost:8080/health answers 200
The server on 127.0.0.1 answers
The header follows https://www.rfc-editor.org/rfc/rfc9110
The README links to https://shop.invalid
The user agent names example.com
Addresses such as user@example.com are rejected
The deploy script checks its arguments
Reads src/app.py and package.json
The module re.compile is cached
La ligne de commande accepte --json; l'aide en ligne de commande est complète
La production de rapports est deux fois plus rapide
Der Zähler übersteht einen Neustart
El contador sobrevive a un reinicio
部署脚本检查它的参数
デプロイスクリプトがある
计数器在重启后保留
""".splitlines()
WORDS = st.one_of(st.text(), st.sampled_from((*ELSEWHERE, *HERE)))


@pytest.mark.parametrize("condition", ELSEWHERE)
def test_a_place_elsewhere_is_told(condition: str) -> None:
    assert speaks_of_production(condition)


@pytest.mark.parametrize("condition", HERE)
def test_what_is_here_is_not_taken_for_it(condition: str) -> None:
    assert not speaks_of_production(condition)


def plan(condition: str, *checks: Check) -> AuditPlan:
    about = Criterion("dod:1", "dod", 1, condition, 3, "done")
    return AuditPlan("It works", "docs/ACTIVE_GOAL.md", {"code": "sha256:0"}, (about,), checks)


FILE = Check("c1", "file", ("dod:1",), "src/a.py", path="src/a.py")
COMMIT = Check("c2", "commit", ("dod:1",), "4e1f09c", commit="4e1f09c")
ELSE = Check("c3", "nobody", ("dod:1",), "as I was told")
RUN = Check("c4", "command", ("dod:1",), "make test", argv=("make", "test"))
PASSES = {one.id: Found(one.id, "pass", "it is there") for one in (FILE, COMMIT, RUN)}
PASSES["c3"] = Found("c3", "cannot_check", "nothing here can check it")


@given(WORDS, st.sets(st.sampled_from((FILE, COMMIT, ELSE))))
def test_without_a_command_no_words_pass_by_themselves(text: str, checks: set[Check]) -> None:
    made = plan(text, *sorted(checks))
    assert mechanical(made.criteria[0], made, PASSES)[0] == "cannot_check"
    assert combine(made, PASSES.values(), None).word == "inconclusive"


@given(WORDS)
def test_words_of_a_place_beside_a_command_do_not_pass_either(text: str) -> None:
    made = plan(text, RUN, ELSE)
    assert mechanical(made.criteria[0], made, PASSES)[0] == "cannot_check"


@pytest.mark.parametrize("text", ELSEWHERE)
def test_neither_a_command_nor_an_auditor_shows_a_place_elsewhere(text: str) -> None:
    made = plan(text, RUN)
    seen = Opinion("dod:1", "pass", "seen", (Quote("src/a.py", "it runs there"),))
    assert combine(made, PASSES.values(), None).word == "inconclusive"
    assert combine(made, PASSES.values(), Answer(True, opinions=(seen,))).word == "inconclusive"
    person = combine(made, PASSES.values(), None, taken={"dod:1": "user:dev: I saw it"})
    assert person.word == "approved_with_notes"


@pytest.mark.parametrize("word", ["a.", "https://", "see ", "in the ", "eu-", "部署", "d-é"])
def test_a_condition_without_an_end_is_read_in_no_time(word: str) -> None:
    began = monotonic()
    speaks_of_production(word * 100_000)
    assert monotonic() - began < PATIENCE_S
