"""Conditions about a place that nothing on this machine can look at. Text in, yes or no.

Success here never shows what happens there (PPGP reference section 3, SHIP). Such a place is told
by words, of which a person may use those of any language, and by what needs none: an address, a
name of an environment, a person's yes. An address counts as a place, unless the words around it
only cite it.
"""

from __future__ import annotations

import re
from typing import Final

LONGEST: Final = 4_000
"""Characters of a condition that are looked at."""
_HERE: Final = r"(?!localhost\b|127\.|0\.0\.0\.0|\[::1?\]|(?:[\w-]+\.)*(?:test|invalid\.local)\b)"
_HOST: Final = (
    r"(?<![\w@/.-])(?:[a-z0-9][a-z0-9-]{0,62}\.){1,6}"
    r"(?:ai|app|biz|br|ch|cloud|cn|com|de|dev|es|eu|fr|info|io|it|jp|kr|net|nl|org|pl|ru|site|uk|us)"
    r"(?![\w.-]*[\w(])"
)
_WORDS: Final = (
    # English
    r"\b(?:in|on|to|from|against|at|into) (?:the |our )?(?:production|prod|pre-?prod|staging|uat"
    r"|live (?:site|system|environment|traffic|servers?|data(?:base)?))\b"
    r"(?! (?:builds?|mode|code|config))",
    r"\b(?:pre-?)?prod(?:uction)? (?:traffic|data(?:base)?|db|logs?|users?|metrics?|deploy\w*"
    r"|environment|migrations?|clusters?|servers?|systems?|incidents?|hosts?|nodes?|instances?)\b",
    r"\b(?:prod|staging|stage|live)-[a-z]{1,8}(?:-[a-z0-9]+)*-?\d\b",
    r"\b(?:us|eu|ap|sa|ca|me|af)-(?:north|south|east|west|central){1,2}-?\d[a-f]?\b",
    r"\b(?:deployed|rolled out) (?:to|on|in|at|for|with|behind)\b",
    r"\b(?:is|are|was|were|been|gets?) (?:now )?(?:deployed|rolled out)\b"
    r"|\b(?:is|are|goes|went|gone|now) live\b",
    r"\b(?:released|published|uploaded|pushed|shipped|available|is|are)"
    r" (?:to|on|in|at) (?:the )?(?:npm|pypi|crates\.io|docker ?hub|ghcr|maven central|homebrew"
    r"|rubygems|packagist|nuget|(?:app|play) store|marketplace|app gallery)\b",
    r"\bcanary (?:runs?|releases?|deploy\w*|traffic|period)\b",
    r"\b(?:monitoring|dashboards?|grafana|datadog|sentry|pagerduty) (?:shows?|stays?|is|are|has)\b",
    r"\b(?:customers?|users|clients?|stakeholders?|reviewers?|the team|legal|management)"
    r" (?:have |has )?(?:confirmed|accepted|approved|agreed|signed|tried|tested)\b",
    r"\b(?:confirmed|accepted|approved|signed off|agreed) by (?:the |a |our )?(?:customers?|users?"
    r"|clients?|legal|security|management|stakeholders?|product owner|owner|maintainers?|team|lead"
    r"|person|human|board)\b|\bsigned? off (?:by|from)\b",
    r"\b(?:beta|pilot) (?:users?|customers?|testers?)\b",
    # German, Dutch, the north
    r"\b(?:in|auf|im|aus) (?:der )?(?:produktion|produktiv\w*|live-?\w*betrieb|wirkbetrieb|prod)\b"
    r"|\bproduktiv(?:umgebung|system|betrieb|server|daten)\w*"
    r"|\b(?:ausgerollt|ausgeliefert|deployt|bereitgestellt|live ?geschaltet|freigeschaltet)\b"
    r"|\bist (?:jetzt )?(?:live|online)\b|\bvom kunden (?:abgenommen|bestätigt|freigegeben)\b"
    r"|\babgenommen\b|\b(?:in productie|uitgerold|i produktion|i produksjon|tuotannossa)\b",
    # French, Spanish, Portuguese, Italian
    r"\b(?:en|en la|em) (?:production|pr[eé]-?prod\w*|prod|producci[oó]n|produ[cç][aã]o|recette"
    r"|homologa[cç][aã]o)\b|\bin produzione\b",
    r"\bd[eé]ploy[eé]e?s?\b|\bmise?s? en (?:ligne|production)\b|\ben ligne\b(?! de commande)"
    r"|\bdesplegad[oa]s?\b|\bimplantad[oa]s?\b|\bpublicad[oa]s? en\b|\bno ar\b"
    r"|\bdistribuit[oaie] (?:in|su)\b|\brilasciat[oaie] (?:in|su)\b",
    r"\b(?:valid[eé]e?|approuv[eé]e?|aprobad[oa]|aprovad[oa]|approvat[oa]) (?:par|por|pel[oa]|da)"
    r"\b",
    # Slavic languages, Turkish
    r"\b(?:на|в) прод\w*|\bпродакшн\w*|\bбоев\w+ (?:сред|сервер|окружени)\w*"
    r"|\bразв[её]рнут\w*|\bвыкачен\w*|\bвыложен\w*"
    r"|\bna produkcj\w+|\bwdrożon\w+|\bv produkci\b|\bnasazen\w*"
    r"|\b(?:canlı|üretim) (?:ortam|sistem)\w*|\bcanlıya alın\w*|\bcanlıda\b",
    # Chinese, Japanese, Korean
    r"生产环境|生產環境|生产(?:上|中)|正式环境|线上|線上|已?上线(?!脚本|计划)|已(?:经)?(?:部署|发布|發布)"
    r"|(?:部署|发布)(?:到|至|在|于)|客户(?:已)?(?:确认|验收)",
    r"本番|デプロイ(?:済|され|した|しました|完了)|リリース(?:済|され|した|しました|完了)|公開(?:済|され)"
    r"|稼働(?:中|して)|顧客(?:が|の)(?:確認|承認)",
    r"프로덕션|운영 ?(?:환경|서버)|배포(?:됨|되었|되어|완료|했)|출시(?:됨|되었)",
    # Arabic, Hindi
    r"بيئة الإنتاج|في الإنتاج|تم نشر|प्रोडक्शन|उत्पादन (?:में|सर्वर)",
)
_PLACE = re.compile("|".join(_WORDS), re.IGNORECASE)
_ADDRESS = re.compile(rf"https?://{_HERE}[\w.-]{{2,200}}|{_HERE}{_HOST}", re.IGNORECASE)
_CITED = re.compile(
    r"[(\[<]\s*(?:see |cf\.? |e\.g\. |siehe |voir |ver )?$"
    r"|\b(?:according to|per|follow(?:s|ing)?|conform\w* to|described|defined|specified|documented"
    r"|explained|reported|filed|discussed|tracked|spec\w*|rfc|schema|namespace|link\w*|points? to"
    r"|mentions?|names?|cites?|quotes?|refers? to|see|like|such as|example|format|licen[cs]e"
    r"|badge|url|address|domain|e-?mail|user ?agent|header|parses?|accepts?|rejects?|resolves?"
    r"|rewrites?|redirects?|siehe|nach|laut|gemäß|voir|selon|ver|según)\b[^.;]{0,40}$",
    re.IGNORECASE,
)
"""Before an address: it is only named."""


def speaks_of_production(condition: str) -> bool:
    """Whether a condition is about a place that nothing on this machine can look at."""
    text = condition[:LONGEST]
    if _PLACE.search(text):
        return True
    return any(not _CITED.search(text[: one.start()][-80:]) for one in _ADDRESS.finditer(text))
