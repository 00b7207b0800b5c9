"""The words documents use inside their text: states, standing, people, waiting, nothing.

Data only, in small letters as `str.casefold` leaves them. Languages are those met in real goal
documents (PPGP reference section 2.4). Phrases of scripts without blanks are matched as they stand,
all others as whole words.
"""

from __future__ import annotations


def phrases(text: str) -> frozenset[str]:
    """Return the phrases that `text` lists between bars."""
    return frozenset(" ".join(phrase.split()) for phrase in text.split("|"))


def parts(text: str) -> tuple[str, ...]:
    """Return the pieces of text that `text` lists between bars, to be looked for as they stand."""
    return tuple(part.strip() for part in text.split("|"))


def _map(source: dict[str, str]) -> dict[str, str]:
    return {phrase: name for name, text in source.items() for phrase in phrases(text)}


NONE = phrases(
    """none|nothing|all clear|clear|unblocked|not blocked|n/a|na|nil|null|false|0|zero|empty
    |not applicable|not required|not needed|not set|no one|nobody|no|нет|отсутствует
    |отсутствуют|ничего|не требуется|не нужно|не имеется|无|没有|暂无|目前无|目前没有|不需要|無
    |なし|特になし|ありません|無し|없음|없다|해당 없음|해당없음|현재 없음|없습니다|aucun|aucune
    |néant|rien|non requis|non requise|sans objet|ninguno|ninguna|nada|no hay|no aplica
    |no requerido|keine|keiner|keines|nichts|entfällt|nicht erforderlich|nenhum|nenhuma|não há
    |não se aplica|yok|hiçbiri|gerekmiyor|bulunmuyor|لا يوجد|لا شيء|لا توجد|غير مطلوب|nessuno
    |nessuna|niente|geen|brak|немає|нема|відсутні|không có|không|nessun problema|rien à faire
    |nichts zu tun|nada que hacer|nada a fazer|делать нечего|нечего делать|无需操作|何もしない
    |할 일 없음|niente da fare|nic do zrobienia|nothing to do"""
)
"""Complete on their own, or before a word of `NONE_OF`."""
NONE_BEFORE = phrases(
    """none|no|nothing|n/a|not required|not needed|not applicable|нет|aucun|aucune|pas de
    |pas d'|ningún|ninguna|ninguno|sin|no hay|keine|kein|keinen|nenhum|nenhuma|sem|não há
    |لا يوجد|لا توجد|بدون|hiçbir|nessun|nessuna|geen|brak|немає|không có"""
)
NONE_OF = phrases(
    """yet|known|currently|now|right now|open|pending|outstanding|further|active|human|blocker
    |blockers|blocking|issue|issues|decision|decisions|approval|approvals|authority|required
    |needed|remaining|at this time|at the moment|at present|so far|for now|for this goal
    |identified|applicable|external|evidence|item|items|task|tasks|work|left|left to do|else
    |new|current|is|are|owed|today|action|actions|left open|recorded|set|input|gate|gates|here
    |active goal|goal|of this|this time|present|blocks|stands|in the way|to do|to decide
    |to approve|remains|this goal|the moment|reported|found|exist|exists|for the moment
    |known blockers|any|блокеров|препятствий|пока|сейчас|на данный момент|открытых|известных
    |решений|активных|阻塞|阻塞项|阻碍|待决事项|待办|问题|阻塞问题|待决|blocage|blocages
    |bloqueur|bloquant|point bloquant|décision|connu|connue|en attente|pour l'instant
    |pour le moment|actuellement|requise|requis|bloqueo|bloqueos|bloqueador|bloqueadores
    |bloqueios|bloqueio|por ahora|actualmente|pendiente|pendientes|decisión|conocido|blockaden
    |hindernisse|entscheidung|entscheidungen|bekannt|derzeit|aktuell|offen|offene|offenen
    |bekannten|erforderlich|nötig|no momento|pendente|conhecido|عوائق|معوقات|حاليا|حالياً
    |قرارات|engel|bilinen|blocco|blocchi|noto|al momento|blokkades|bekende|przeszkód|blokad
    |znanych|блокерів|перешкод|відомих|наразі|trở ngại"""
)
NONE_AFTER = parts("なし|無し|ありません|없음|없습니다|yok")

STATES = _map(
    {
        "done": """done|complete|completed|finished|passed|pass|met|satisfied|achieved
            |fulfilled|verified|closed|shipped|delivered|accepted|implemented|landed|merged
            |proved|proven|resolved|ok|already done|all done|confirmed|готово|готов|готова
            |готовы|выполнено|выполнена|выполнен|выполнены|сделано|сделаны|завершено|завершена
            |завершён|завершен|завершены|закрыты|доказано|доказаны|подтверждено|закрыто
            |пройдено|принято|реализовано|решено|成功|完成|已完成|已达成|达成|已通过|通过
            |已交付|已验收|已解决|完了|完了済み|完了済|済|済み|達成|達成済み|合格|実装済み
            |対応済み|解決済み|完|已實現|已达标|완료|완료됨|달성|통과|완료함|끝|해결됨|해결
            |fait|faite|faits|terminé|terminée|terminés|livré|livrée|validé|validée|atteint
            |atteinte|achevé|résolu|réalisé|réussi|hecho|hecha|completado|completada|cumplido
            |cumplida|terminado|terminada|listo|lista|logrado|resuelto|aprobado|erledigt|fertig
            |abgeschlossen|erfüllt|bestanden|erreicht|geliefert|gelöst|umgesetzt|feito|feita
            |concluído|concluída|completo|cumprido|atingido|entregue|pronto|resolvido|tamam
            |tamamlandı|bitti|yapıldı|geçti|çözüldü|sağlandı|تم|مكتمل|منجز|أنجز|اكتمل
            |تم الإنجاز|تحقق|مكتملة|fatto|completato|gedaan|zrobione|fatta|completata|terminato
            |consegnato|klaar|voltooid|afgerond|gotowe|ukończone|zakończone|wykonane|зроблено
            |виконано|hoàn thành|đã hoàn thành|xong""",
        "partial": """partial|partially|partially done|partly|partly done|partially complete
            |in progress|wip|ongoing|started|half|half done|mostly done|under way|underway
            |doing|in flight|in work|almost done|nearly done|part|in review|under review|in testing
            |under test|in qa|being reviewed|being tested|на проверке|на ревью|审核中|测试中
            |レビュー中|검토 중|en revue|en revisión|im review|em revisão|частично|в процессе
            |в работе|начато|выполняется|наполовину|частично готово|частично выполнено|部分|部分完成
            |进行中|正在进行|進行中|一部|一部完了|作業中|着手済み|対応中|実装中|部分的|部分达成
            |부분|부분 완료|진행 중|진행중|일부|일부 완료|작업 중|partiel|partielle
            |partiellement|en cours|parcial|parcialmente|en curso|en progreso|em andamento
            |em progresso|teilweise|in arbeit|in bearbeitung|begonnen|halb fertig|kısmen|kısmi
            |devam ediyor|sürüyor|başlandı|جزئي|جزئيا|جزئياً|جاري|قيد التنفيذ|قيد العمل
            |parziale|in corso|gedeeltelijk|parzialmente|bezig|mee bezig|w trakcie|częściowo
            |w toku|у роботі|в роботі|частково|đang làm|một phần""",
        "open": """open|todo|to do|not started|not done|not yet|not yet done|not complete
            |pending|incomplete|next|planned|unproven|unmet|not met|outstanding|remaining|fail
            |failed|failing|not passed|not verified|unverified|not begun|missing|deferred
            |untouched|queued|not implemented|not accepted|undone|later|unstarted|upcoming
            |backlog|to be done|открыто|не начато|не выполнено|не готово|не сделано|ожидает
            |не завершено|запланировано|осталось|предстоит|провалено|未完成|未开始|待办|待完成
            |未达成|未通过|待定|未着手|未完了|未対応|未実施|予定|未達|待开始|计划中|失败|미완료
            |대기|예정|미착수|시작 전|시작 안 함|실패|à faire|non commencé|non commencée
            |non terminé|à venir|ouvert|pas commencé|prévu|échec|échoué|pendiente|sin empezar
            |no iniciado|abierto|por hacer|planeado|fallido|offen|nicht begonnen|nicht erledigt
            |ausstehend|geplant|noch offen|fehlgeschlagen|pendente|não iniciado|não iniciada
            |a fazer|aberto|planejado|falhou|bekliyor|başlamadı|yapılacak|açık|beklemede
            |planlandı|مفتوح|لم يبدأ|معلق|قيد الانتظار|غير مكتمل|لم يكتمل|مخطط|da fare|aperto
            |non iniziato|te doen|niet begonnen|do zrobienia|nie rozpoczęte|otwarte
            |не розпочато|не зроблено|відкрито|chưa làm|chưa bắt đầu""",
        "blocked": """blocked|stuck|stalled|waiting|on hold|заблокировано|заблокирована
            |блокировано|阻塞|受阻|被阻塞|卡住|ブロック|ブロック中|保留|保留中|차단|차단됨|막힘
            |보류|bloqué|bloquée|en attente|bloqueado|bloqueada|en espera|blockiert|wartet
            |engellendi|bloke|محظور|متوقف|bloccato|geblokkeerd|zablokowane|заблоковано|bị chặn
            |awaiting|waits|awaits|ожидает решения|wartet auf|等待中""",
    }
)
OUTCOMES = phrases(
    """ok|pass|passed|fail|failed|failing|verified|closed|shipped|delivered|accepted
    |implemented|landed|merged|proved|proven|resolved|confirmed|met|satisfied|achieved
    |fulfilled|open|part|next|later|missing|started|lista|listo|geçti|açık|passed|通过
    |成功"""
)
"""State words that may as well be what a condition asks for: `health check: ok`."""
EMOJI_STATES = {
    "✅": "done", "☑": "done", "✔": "done", "✓": "done", "🟢": "done", "🎉": "done", "👍": "done",
    "🔄": "partial", "🟡": "partial", "🚧": "partial", "⏳": "partial", "🔁": "partial",
    "🏗": "partial", "◐": "partial", "🟠": "partial", "🔃": "partial", "▶": "partial",
    "⬜": "open", "☐": "open", "⏸": "open", "❌": "open", "✗": "open", "✘": "open", "🔲": "open",
    "⚪": "open", "📋": "open", "◻": "open", "🔜": "open", "⏭": "open", "○": "open", "🗒": "open",
    "⛔": "blocked", "🚫": "blocked", "🛑": "blocked", "🔒": "blocked", "🔴": "blocked",
}  # fmt: skip
YES = phrases("yes|y|x|да|是|はい|예|oui|sí|si|ja|sim|evet|نعم|v|true")
NOT = phrases(
    """not|no|never|none|neither|nor|isn't|aren't|wasn't|hasn't|haven't|nothing|без|не|нет|ни
    |nicht|kein|keine|pas|aucun|aucune|ni|nunca|ningún|não|nem|değil|لم|ليس|غير|non|niet"""
)

STANDING = _map(
    {
        "paused": """paused|on hold|parked|suspended|halted|dormant|frozen in place|shelved
            |idle|приостановлено|приостановлена|на паузе|пауза|отложено|暂停|已暂停|搁置|暫停
            |挂起|一時停止|中断中|保留|保留中|休止中|일시 중지|일시중지|보류|보류 중|중지됨
            |en pause|suspendu|suspendue|mis en pause|en pausa|pausado|pausada|suspendido
            |pausiert|angehalten|zurückgestellt|ruht|suspenso|duraklatıldı|askıda|beklemede
            |متوقف|متوقف مؤقتا|معلق|in pausa|gepauzeerd|sospeso|opgeschort|wstrzymane
            |wstrzymany|zawieszone|на паузі|призупинено|tạm dừng""",
        "abandoned": """abandoned|cancelled|canceled|aborted|terminated|terminal|superseded
            |dropped|withdrawn|killed|rejected|obsolete|retired|failed|заброшено|отменено
            |отменена|прекращено|прекращена|снято|放弃|已放弃|已取消|取消|废弃|已废弃|终止
            |已终止|作废|中止|断念|廃止|破棄|취소|취소됨|중단|중단됨|포기|폐기|abandonné
            |abandonnée|annulé|annulée|arrêté|abandonado|abandonada|cancelado|cancelada
            |descartado|abgebrochen|aufgegeben|verworfen|eingestellt|storniert|iptal
            |iptal edildi|vazgeçildi|terk edildi|ملغى|ملغي|مهجور|متروك|أُلغي|abbandonato
            |annullato|geannuleerd|gestopt|porzucone|anulowane|скасовано|покинуто|đã hủy""",
        "complete": """complete|completed|done|finished|achieved|delivered|shipped|closed
            |accomplished|released|fulfilled|successful|завершено|завершена|завершён|завершен
            |выполнено|выполнена|готово|достигнута|достигнуто|закрыта|закрыто|完成|已完成
            |已达成|已交付|已关闭|完結|完了|完了済み|達成|達成済み|納品済み|완료|완료됨|달성
            |종료|종료됨|livré|livrée|terminé|terminée|atteint|achevé|fini|finie|clos|accompli
            |completado|completada|terminado|entregado|logrado|finalizado|cumplido
            |abgeschlossen|erledigt|fertig|geliefert|beendet|erreicht|concluído|concluída
            |entregue|finalizado|completo|tamamlandı|bitti|teslim edildi|مكتمل|منجز|تم
            |تم التسليم|منته|completato|voltooid|zakończone|raggiunto|consegnato|bereikt
            |ukończone|osiągnięty|досягнуто|виконано|hoàn thành""",
        "frozen": """frozen|locked|baselined|заморожено|заморожен|заморожена|зафиксировано
            |已冻结|冻结|凍結|凍結済み|已锁定|동결|동결됨|확정|figé|figée|gelé|gelée|verrouillé
            |congelado|congelada|eingefroren|festgeschrieben|donduruldu|donmuş|مجمد|مجمدة
            |congelato|bevroren|zamrożone|đóng băng""",
        "active": """active|in progress|ongoing|running|started|open|current|underway|under way
            |wip|live|executing|implementing|активна|активно|в работе|в процессе|进行中|活跃
            |执行中|正在进行|進行中|実施中|作業中|実行中|진행 중|진행중|활성|실행 중|actif
            |active|en cours|activo|activa|en curso|en progreso|aktiv|laufend|in arbeit|ativo
            |ativa|em andamento|aktif|devam ediyor|sürüyor|نشط|جاري|قيد التنفيذ|attivo|in corso
            |actief|aktywny|w toku|w trakcie|у роботі|в роботі|đang thực hiện""",
        "draft": """draft|planning|proposed|candidate|not started|планирование|черновик|草案
            |规划中|计划中|草稿|下書き|計画中|検討中|초안|계획 중|brouillon|planification
            |borrador|planificación|entwurf|planung|rascunho|planejamento|taslak|planlama|مسودة
            |تخطيط""",
    }
)

NEAR_PHASES = _map(
    {
        "THINK": """thinking|plan|planning|research|researching|design|designing|discovery
            |explore|exploration|investigate|investigation|analysis|scoping|brainstorm|planung
            |planification|планирование|исследование|规划|设计|调研|計画|設計|調査|계획|설계
            |조사|planificación|diseño|conception|planejamento|planlama|تخطيط""",
        "FREEZE": "freezing|frozen|lock|locked|baseline|заморожено|заморозка|已冻结|冻结|凍結"
        "|동결|figé",
        "EXECUTE": """execution|executing|implement|implementing|implementation|build|building
            |develop|development|coding|doing|in progress|construction|реализация|разработка
            |выполнение|в работе|в процессе|执行|实施|实现|开发|进行中|実装|実行|実装中|進行中
            |開発|구현|실행|개발|진행 중|réalisation|implémentation|exécution|développement
            |ejecución|implementación|desarrollo|umsetzung|implementierung|ausführung
            |entwicklung|execução|implementação|uygulama|geliştirme|تنفيذ|قيد التنفيذ|قيد العمل
            |作業中|実施中|着手中|正在进行|ongoing|en cours|en curso|en progreso|em andamento
            |in arbeit|devam ediyor|sürüyor|under way|in corso|implementazione|esecuzione
            |uitvoering|wdrożenie|w trakcie|w toku|виконання|реалізація|у роботі|в роботі
            |đang thực hiện""",
        "HARDEN": """hardening|test|testing|qa|stabilise|stabilize|stabilisation|stabilization
            |validation|validating|verify|verification|verifying|polish|polishing|тестирование
            |проверка|стабилизация|测试|加固|验证|テスト|検証|테스트|검증|durcissement
            |stabilisation|tests|validación|pruebas|härtung|stabilisierung|testen|validação
            |testes|test etme|اختبار|تحقق""",
        "SHIP": """shipping|deploy|deploying|deployment|release|releasing|rollout|launch
            |observe|observation|merge|review|owner review|acceptance|выпуск|релиз
            |развёртывание|деплой|发布|部署|上线|リリース|デプロイ|公開|배포|출시|déploiement
            |livraison|publication|despliegue|lanzamiento|auslieferung|veröffentlichung
            |bereitstellung|implantação|lançamento|yayın|dağıtım|نشر|إطلاق""",
        "DISTILL": "distilling|distil|distillation|retrospective|retro|wrap up",
    }
)
"""Words that come close to a lifecycle word; a phase found by them is always marked as inferred."""

PERSONS = phrases(
    """
    owner|owners|maintainer|maintainers|human|humans|ceo|cto|cfo|person|people|stakeholder
    |stakeholders|legal|operator|manager|boss|approver|product owner|project owner|supervisor
    """
)
FOREIGN_PERSONS = phrases(
    """
    владелец|владельца|владельцу|владельцем|человек|человека|человеком|пользователь
    |пользователя|пользователем|пользователю|заказчик|заказчика|заказчиком|руководитель
    |руководителя|propriétaire|utilisateur|humain|humaine|responsable|mainteneur|propietario
    |dueño|dueña|usuario|humano|humana|responsável|usuário|proprietário|dono|eigentümer
    |inhaber|nutzer|benutzer|mensch|menschen|verantwortliche|auftraggeber|sahibi|sahip
    |kullanıcı|kullanıcının|insan|yönetici|onaylayan|proprietario|utente|umano|responsabile
    |eigenaar|gebruiker|właściciel|właściciela|użytkownik|użytkownika|człowiek|człowieka
    |власник|власника|користувач|користувача|людина|людини
    """
)
"""The same in other languages, where such a word in front is the one who acts."""
USERS = phrases("user|users|client|customer|reviewer|reviewers|lead|team lead|admin|author|pm")
"""People who are often the subject of the work itself, so they need a verb of deciding beside."""

PERSON_PARTS = parts(
    """用户|使用者|用戶|人工|负责人|負責人|所有者|业主|管理员|人类|老板|ユーザー|オーナー|人間
    |担当者|責任者|管理者|user|owner|책임자|승인자|사용자|소유자|오너|담당자|관리자|المستخدم
    |المالك|المسؤول|الإنسان|بشري|người dùng|chủ sở hữu"""
)
DECIDES = phrases(
    """approve|approves|approval|approved|sign|signs|confirm|confirms|confirmation|decide
    |decides|decision|agree|agrees|agreement|consent|authorise|authorises|authorize|authorizes
    |authorisation|authorization|grant|grants|permission|choose|chooses|pick|picks|select
    |selects|answer|answers|merge|merges|review|reviews|accept|accepts|okay|go-ahead|signoff
    |sign-off|ask|утверждает|утвердит|утвердить|утверждения|согласует|согласовать|согласования
    |согласование|подтвердит|подтвердить|подтверждения|подтверждение|решает|решит|решить
    |решение|одобрит|одобрения|одобрить|выбрать|спросить|valider|validation|valide|approuver
    |approbation|approuve|confirmer|confirmation|confirme|décider|décision|décide|accord
    |choisir|autorisation|demander|aprobar|aprobación|aprueba|confirmar|confirmación|confirma
    |decidir|decisión|decide|elegir|acuerdo|autorización|preguntar|genehmigen|genehmigung
    |genehmigt|freigeben|freigabe|bestätigen|bestätigung|bestätigt|entscheiden|entscheidung
    |entscheidet|zustimmung|wählen|fragen|aprovar|aprovação|aprova|confirmação|decisão|escolher
    |acordo|autorização|perguntar|onay|onayı|onayla|onaylamalı|onaylaması|karar|kararı|seçmeli
    |seçim|izin|sor|teyit|agreed|confirmed|decided|chosen|choice|cleared|approvare|approvazione
    |approva|confermare|conferma|decidere|decisione|scegliere|goedkeuren|goedkeuring|bevestigen
    |bevestigt|beslissen|beslissing|kiezen|zatwierdzić|zatwierdza|potwierdzić|potwierdza
    |decyzja|decyduje|wybrać|затвердити|погодити|підтвердити|підтверджує|вирішити|обрати"""
)
DECIDE_STEMS = parts(
    """
    acord|consens|consult|aprob|aprov|approuv|genehmig|freigeb|bestätig|entscheid|zustimm
    |vereinbar|abstimm|absprech|утверд|утвержд|согласов|подтверд|подтвержд|решит|решает|одобр
    |разреш|zatwierd|potwierdz|decyd|uzgodn|погод|затверд|підтверд|виріш|onayla|karar
    """
)
"""How such words begin in languages that bend them."""
DECIDE_PARTS = parts(
    """确认|確認|批准|审批|同意|决定|決定|授权|选择|許可|承認|合意|判断|了承|選択|승인|확인
    |결정|동의|허가|선택|موافقة|تأكيد|قرار|اعتماد|إذن|اختيار|يوافق|يقرر|يؤكد|合议|协商|相談|합의|협의
    |xác nhận|phê duyệt|quyết định|商定|商量|讨论|沟通"""
)
WAITS = phrases(
    """await|awaits|awaiting|waiting|wait|pending|ждать|ждём|ждем|ожидать|ожидаем|ожидание
    |дождаться|дожидаться|подождать|attendre|attends|attente|esperar|espera|esperando|esperen
    |warten|wartet|abwarten|aguardar|aguardando|aguarde|bekle|bekliyor|bekleniyor|beklemede
    |poczekać|czekać|czekamy|aspettare|attendere|wachten|чекати|дочекатися|чекаємо"""
)
WAIT_PARTS = parts("等待|等候|待ち|待つ|待機|대기|기다|انتظار")

EXTERNAL = phrases(
    """until|window|waiting|await|awaits|awaiting|external|externally|propagation|propagating|processing|upstream
    |vendor|third-party|cooldown|embargo|elapsed|asynchronous|async|dns|quota|scheduled
    |awaiting release|blocked_external|freeze|queue|ожидание|ожидаем|внешний|внешняя|внешнее
    |окно|поставщик|externe|fenêtre|fournisseur|jusqu'au|externo|externa|ventana|proveedor
    |hasta|extern|externe|fenster|lieferant|bis|janela|fornecedor|até|harici|dış|pencere|kadar
    |finestra|fornitore|esterno|leverancier|okno|dostawca|dostawcę|zewnętrzny|вікно
    |постачальник|очікування|очікуємо"""
)
EXTERNAL_PARTS = parts(
    """等待|外部|窗口|第三方|上游|供应商|待ち|期間|외부|대기|기간|خارجي|انتظار|حتى"""
)
ABSENT = phrases(
    """unavailable|missing|inaccessible|unobtainable|lacking|absent|недоступно|недоступен
    |недоступна|отсутствует|отсутствуют|indisponible|manquant|manquante|manque|no disponible
    |falta|faltan|faltante|fehlt|fehlen|fehlend|indisponível|faltando|eksik|mevcut değil
    |mancante|manca|ontbreekt|brakuje|niedostępny|відсутній|недоступний"""
)
ABSENT_PARTS = parts(
    """缺少|缺失|不可用|无法获取|没有权限|不足|入手不可|利用不可|없음|누락|부족|غير متوفر|مفقود"""
)

AUTHORITY = phrases(
    """
    approve|approval|approvals|authority|authorisation|authorization|sign-off|signoff|consent
    |permission|legal|согласование|согласования|разрешение|approbation|autorisation|aprobación
    |autorización|genehmigung|freigabe|aprovação|autorização|onay
    """
)
"""Words that make a blocker a matter of authority."""

GATED_PARTS = parts(
    """
    等待|阻塞|受阻|待ち|ブロック中|대기|차단|ожида|заблокир|en attente|bloqué|bloquead
    |blockiert|wartet auf|engellendi|انتظار
    """
)
"""Waiting or blocked, in languages other than English."""

GOAL_PARTS = parts(
    """
    goal|objective|цел|目标|目標|ゴール|목표|objectif|objetivo|ziel|hedef|هدف|目的|任务|obiettivo|ціл
    |główny cel|aktywny cel|bieżący cel|doel|mục tiêu
    """
)
"""Pieces of words for a goal, in a title or heading."""

PLAIN_TITLES = phrases(
    """
    goal|active goal|current goal|our goal|the goal|objective|current objective|mission|цель
    |активная цель|текущая цель|目标|当前目标|目標|現在の目標|現在のゴール|ゴール|목표
    |현재 목표|objectif|objectif actuel|objetivo|objetivo actual|objetivo atual|ziel
    |aktuelles ziel|hedef|aktif hedef|الهدف|الهدف الحالي|ціль|активна ціль|мета|cel|aktywny cel
    |obiettivo|obiettivo attivo|doel|actief doel|meta|meta activa|mục tiêu
    """
)
"""Titles under which the first paragraph is the goal."""

GENERIC = phrases(
    """
    goal|goals|active|current|project|product|session|state|status|snapshot|packet|control|task
    |tasks|plan|document|file|handoff|note|notes|agent|agents|execution|roadmap|memory|readme
    |todo|next|overview|version|draft|sprint|week|day|iteration|card|context|log|history
    """
)
"""Words of a title that name a kind of document and no outcome."""

OVERVIEW_PARTS = parts(
    """
    goal|objective|overview|summary|info|about|meta|header|status|snapshot|glance|card|current
    |цел|обзор|информац|стату|目标|概述|概要|信息|基本|摘要|目標|ゴール|情報|목표|개요|정보
    |objectif|résumé|aperçu|objetivo|resumen|resumo|ziel|überblick|übersicht|hedef|özet|هدف
    |ملخص|obiettivo|informazioni|ціл|інформац|informacje
    """
)
"""Pieces of headings whose section describes the goal as a whole."""

EXPLAINING_PARTS = parts(
    """
    glossary|terminology|vocabulary|definition of terms|template|example|legend|schema|format
    |file layout|how to write|глоссарий|термины|шаблон|пример|术语|格式|模板|示例|用語|書式
    |テンプレート|용어|형식|템플릿|예시|glossaire|modèle|exemple|glosario|plantilla|ejemplo|glossar
    |vorlage|beispiel
    """
)
"""Pieces of headings whose section explains how something is written."""

CANDIDATE_PARTS = parts(
    """
    candidate|options|choices|menu|候補|選択肢|候选|候選|备选|可选|选项|кандидат|вариант|후보
    |선택지|candidat|alternativ|opciones|optionen|kandidat|opções|adaylar|seçenek|مرشح|خيارات|opzioni
    |kandydat|opcje|варіант
    """
)
"""Pieces of headings that offer candidates."""

DECISION_HEADS = phrases(
    """
    status|state|decision|answer|granted|done|状态|状態|статус|решение|statut|estado|durum|상태
    """
)
"""Columns of a table of decisions that say what was decided."""

CLASS_HEADS = phrases(
    "class|type|blocker class|kind|класс|тип|类型|类别|種別|유형|classe|tipo|klasse|typ"
)
SCOPE_HEADS = phrases(
    """scope|step|task|item|dod|dod item|criterion|affects|blocks|область|шаг|范围|步骤|影响|範囲
    |범위|portée|étape|alcance|paso|umfang|schritt
    """
)
UNTIL_HEADS = phrases(
    "until|till|date|due|ends|eta|expected|до|срок|直到|截止|期限|기한|jusqu'au|hasta|até|bis"
)
"""Columns of a table of blockers."""
