"""The words documents use for fields: canonical names, aliases, and what other people call them.

Data only. Names are the thirteen of PPGP reference section 2; aliases are those of section 2.1;
synonyms are section 2.4 and the same words in other languages. Phrases are written as `key` in
`names.py` makes them: small letters, single blanks. A synonym may carry a role after a colon:

- `GOAL:loose` names a goal only in a document that is known to be about one;
- `PHASE:status` tells how things stand, which need not be a lifecycle word;
- `COMPLETED:mixed` reports progress of any kind, so labels inside it count;
- `REMAINING:next` lists work to come, in order; `REMAINING:now` is under way;
- `DEFINITION_OF_DONE:listed` holds only where the section is a list;
- `HUMAN_AUTHORITY_REQUIRED:when` lists conditions, not decisions owed now;
- `HUMAN_AUTHORITY_REQUIRED:gate` is closed until a person opens it, so it is in the way as well;
- `NEXT_EXECUTABLE_ACTION:advice` recommends, `NEXT_EXECUTABLE_ACTION:task` names the work in hand.
"""

from __future__ import annotations

from ppgp_tui.ppgp.words import parts, phrases

CANONICAL = (
    "GOAL", "WHY", "PHASE", "DEFINITION_OF_DONE", "FROZEN_DECISIONS", "INVARIANTS",
    "VERIFIED_CURRENT_STATE", "COMPLETED", "REMAINING", "BLOCKERS",
    "HUMAN_AUTHORITY_REQUIRED", "VERIFICATION_EVIDENCE", "NEXT_EXECUTABLE_ACTION",
)  # fmt: skip

PHASES = ("THINK", "FREEZE", "EXECUTE", "HARDEN", "SHIP", "DISTILL", "CLOSED")

ALIASES = {
    "current phase": "PHASE",
    "dod": "DEFINITION_OF_DONE",
    "frozen": "FROZEN_DECISIONS",
    "blocker": "BLOCKERS",
    "authority": "HUMAN_AUTHORITY_REQUIRED",
    "human authority": "HUMAN_AUTHORITY_REQUIRED",
    "evidence": "VERIFICATION_EVIDENCE",
    "verified state": "VERIFIED_CURRENT_STATE",
    "next": "NEXT_EXECUTABLE_ACTION",
    "next action": "NEXT_EXECUTABLE_ACTION",
    "next step": "NEXT_EXECUTABLE_ACTION",
    "next executable actions": "NEXT_EXECUTABLE_ACTION",
}

_SYNONYMS = {
    "GOAL": """
        objective|objectives|goals|goal statement|intended outcome|desired outcome
        |target outcome|active goal|current goal|main goal|project goal|overall goal
        |current objective|current task|цель|цели|главная цель|основная цель|активная цель
        |текущая цель|цель проекта|目标|当前目标|主要目标|项目目标|本次目标|核心目标|总目标
        |活动目标|目標|ゴール|現在のゴール|現在の目標|今回の目標|今回のゴール|最終目標|當前目標
        |목표|현재 목표|최종 목표|주요 목표|활성 목표|objectif|objectifs|but|objectif principal
        |objectif actuel|objectif actif|objetivo|objetivos|objetivo principal|objetivo actual
        |objetivo atual|meta|ziel|ziele|hauptziel|aktuelles ziel|aktives ziel|zielsetzung|hedef
        |hedefler|ana hedef|amaç|aktif hedef|mevcut hedef|الهدف|الهدف الحالي|الهدف الرئيسي|هدف
        |obiettivo|doel|cel|obiettivi|hoofddoel|doelstelling|główny cel|cele|ціль|цілі
        |головна ціль|мета|本阶段目标|任务目标|mục tiêu|mục tiêu chính
        """,
    "GOAL:loose": """
        mission|outcome|task|the ask|aim|purpose|задача|任务|任務|과제|tarea|tarefa|aufgabe
        |görev|المهمة|scopo|compito|taak|zadanie|завдання|タスク|課題|ミッション|nhiệm vụ|目的
        """,
    "WHY": """
        why now|rationale|motivation|reason|why this matters|why it matters|why this|background
        |зачем|почему|мотивация|обоснование|причина|зачем это нужно|почему сейчас|原因|为什么
        |动机|背景|理由|為什麼|なぜ|動機|왜|이유|배경|동기|pourquoi|raison|justification
        |contexte|por qué|por que|motivación|motivo|justificación|motivação|justificativa|warum
        |begründung|grund|hintergrund|neden|gerekçe|niçin|لماذا|السبب|المبرر|الدافع|perché
        |motivazione|waarom|reden|dlaczego|uzasadnienie|чому|навіщо|обґрунтування|lý do|tại sao
        """,
    "PHASE": """
        lifecycle phase|ppgp phase|phase now|goal phase|фаза|текущая фаза|阶段|当前阶段|階段
        |フェーズ|現在のフェーズ|段階|단계|현재 단계|phase actuelle|phase courante|fase
        |fase actual|fase atual|aktuelle phase|aşama|mevcut aşama|evre|المرحلة|المرحلة الحالية
        |fase attuale|faza|obecna faza|поточна фаза|giai đoạn
        """,
    "PHASE:status": """
        status|current status|stage|mode|goal status|overall status|status now|current stage
        |current mode|state|статус|текущий статус|состояние|этап|стадия|режим|状态|当前状态
        |狀態|ステータス|状態|現状ステータス|상태|현재 상태|statut|statut actuel|état|etat
        |étape|estado|モード|模式|모드|modo|modus|estado actual|estado atual|situação|etapa
        |stand|zustand|aktueller status|durum|güncel durum|الحالة|الوضع|الحالة الحالية|stato
        |stato attuale|huidige status|stan|obecny stan|поточний статус|стан|trạng thái|tình trạng
        """,
    "DEFINITION_OF_DONE": """
        success criteria|success criterion|acceptance criteria|acceptance criterion
        |exit criteria|completion criteria|acceptance evidence required|done when|done criteria
        |stop condition|immediate definition of done|finish line|acceptance
        |acceptance checklist|done means|what done looks like|definition of success
        |success looks like|criteria|kriterien|критерии|critères|criterios|critérios|kriterler
        |معايير|기준|基準|条件|критерии готовности|определение готовности|критерии приёмки
        |критерии приемки|критерии завершения|критерии успеха|критерии выполнения|готово когда
        |условия готовности|完成标准|完成定义|验收标准|验收条件|完成条件|成功标准|验收
        |完成的定义|完成準則|驗收標準|完了条件|完了の定義|完成の定義|受け入れ条件|受入条件
        |受け入れ基準|達成条件|成功基準|合格条件|완료 정의|완료 조건|완료 기준|완료의 정의
        |인수 조건|성공 기준|수락 기준|인수 기준|définition de fini|définition du fini
        |définition of done|critères d'acceptation|critères de réussite|critères de succès
        |critères de fin|critères d'achèvement|terminé quand|definición de hecho
        |definición de terminado|criterios de aceptación|criterios de éxito
        |criterios de finalización|hecho cuando|terminado cuando|definição de pronto
        |definição de concluído|critérios de aceitação|critérios de sucesso
        |critérios de conclusão|pronto quando|fertig wenn|abnahmekriterien|erfolgskriterien
        |akzeptanzkriterien|fertigstellungskriterien|definition von fertig
        |tamamlanma kriterleri|kabul kriterleri|bitti tanımı|başarı kriterleri
        |tamamlanma tanımı|معايير القبول|معايير الإنجاز|تعريف الإنجاز|تعريف الاكتمال
        |معايير النجاح|شروط الإنجاز|criteri|criteri di accettazione|criteri di completamento
        |criteri di successo|definizione di fatto|acceptatiecriteria|klaar wanneer
        |definitie van klaar|kryteria|kryteria akceptacji|kryteria ukończenia|definicja ukończenia
        |критерії|критерії готовності|критерії приймання|критерії завершення|что считается готовым
        |определение завершённости|验收清单|交付标准|完了基準|成功条件|수용 기준
        |criterios de cierre|listo cuando|critères de validation|fini quand|conditions de fin
        |abnahme|tiêu chí|tiêu chí hoàn thành|tiêu chí chấp nhận|định nghĩa hoàn thành
        """,
    "FROZEN_DECISIONS": """
        decisions|accepted decisions|frozen assumptions|settled decisions|decisions made
        |locked decisions|key decisions|design decisions|architecture decisions|decided
        |принятые решения|решения|зафиксированные решения|замороженные решения|ключевые решения
        |冻结决策|已冻结决策|决策|已定决策|关键决策|设计决策|凍結決策|已冻结|既定决策|決定事項
        |凍結した決定|確定事項|決定済み|固定された決定|설계 결정|결정 사항|결정사항|확정 결정
        |décisions|décisions figées|décisions gelées|décisions prises|décisions actées
        |decisiones|decisiones congeladas|decisiones tomadas|decisiones firmes|decisões
        |decisões congeladas|decisões tomadas|entscheidungen|eingefrorene entscheidungen
        |getroffene entscheidungen|feste entscheidungen|kararlar|dondurulmuş kararlar
        |alınan kararlar|sabit kararlar|القرارات|القرارات المجمدة|القرارات المتخذة|decisioni
        |decisioni prese|decisioni congelate|beslissingen|besluiten|genomen beslissingen|decyzje
        |podjęte decyzje|zamrożone decyzje|рішення|прийняті рішення|заморожені рішення|quyết định
        |quyết định đã chốt
        """,
    "INVARIANTS": """
        invariant|constraints|constraint|hard constraints|protected areas|guardrails
        |must not break|non negotiables|инварианты|ограничения|не нарушать|不变量|约束|约束条件
        |不变式|限制|不変条件|制約|制約条件|불변 조건|불변조건|제약|제약 조건|제약조건
        |contraintes|contrats|invariantes|restricciones|restrições|invarianten|randbedingungen
        |einschränkungen|değişmezler|kısıtlar|kısıtlamalar|الثوابت|القيود|invarianti|vincoli
        |beperkingen|niezmienniki|ograniczenia|інваріанти|обмеження|ràng buộc
        """,
    "VERIFIED_CURRENT_STATE": """
        current state|current reality|verified facts|exact proof status|known state|facts
        |verified current reality|observed state|where we are|current verified state
        |проверенное состояние|подтверждённое состояние|подтвержденное состояние
        |текущее состояние|проверенное текущее состояние|факты|已验证状态|已验证的当前状态
        |当前已验证状态|现状|当前情况|已验证现状|已验证|現状|検証済みの現状|検証済みの状態
        |確認済みの現状|現在の状態|현재 상황|검증된 상태|검증된 현재 상태|현황|état vérifié
        |état actuel|état actuel vérifié|état constaté|estado verificado
        |estado actual verificado|estado atual verificado|verifizierter stand|geprüfter stand
        |aktueller stand|ist zustand|mevcut durum|doğrulanmış durum|doğrulanmış mevcut durum
        |الحالة المتحقق منها|الوضع الحالي|الحالة المؤكدة|stato verificato|geverifieerde stand
        |zweryfikowany stan|перевірений стан|поточний стан|hiện trạng
        """,
    "COMPLETED": """
        delivered|done|complete|completed work|finished|work completed|implemented|shipped
        |what is done|completed items|completed tasks|done so far|accomplished|завершено
        |выполнено|сделано|готово|завершённые шаги|завершенные шаги|завершённые задачи
        |завершенные задачи|выполненные шаги|выполненные задачи|что сделано|已完成|完成
        |已完成工作|已完成事项|完成情况|已交付|完了|完了済み|完了したこと|完了した作業|実施済み
        |完了事項|완료|완료됨|완료된 작업|완료 항목|terminé|fait|réalisé|livré|travail terminé
        |achevé|terminés|completado|hecho|realizado|terminado|trabajo completado|entregado
        |completadas|concluído|feito|concluídos|trabalho concluído|erledigt|abgeschlossen
        |fertig|fertiggestellt|erledigte arbeit|tamamlandı|tamamlanan|tamamlananlar|yapılanlar
        |bitenler|المنجز|ما تم إنجازه|مكتمل|تم الإنجاز|المكتمل|تم|completato|completati|fatto
        |terminato|consegnato|voltooid|gedaan|afgerond|klaar|zakończone|zrobione|ukończone
        |wykonane|gotowe|зроблено|завершені кроки|виконано|hoàn thành|đã hoàn thành
        """,
    "COMPLETED:mixed": """
        progress|progress so far|прогресс|ход работ|进展|进展情况|进度|進捗|進捗状況|진행 상황
        |avancement|avance|progresso|fortschritt|ilerleme|التقدم|progreso|прогрес|хід робіт|postęp
        |postępy|voortgang|tiến độ|进展记录
        """,
    "REMAINING": """
        remaining work|remaining tasks|remaining items|open gaps|outstanding|todo|to do
        |still open|left to do|open work|open items|backlog|what remains|not done|not done yet
        |open tasks|remains|gaps|осталось|оставшаяся работа|оставшиеся задачи|что осталось
        |предстоит|остаток работ|осталось сделать|не сделано|剩余|剩余工作|待办|待办事项|未完成
        |剩余任务|待完成|尚未完成|残り|残作業|残タスク|残っている作業|未完了|未対応|남은 작업
        |남은 일|잔여 작업|미완료|restant|reste à faire|travail restant|à faire|restants
        |pendiente|pendientes|trabajo restante|por hacer|restante|trabalho restante|pendente
        |pendentes|a fazer|falta fazer|verbleibend|offen|offene punkte|noch offen
        |verbleibende arbeit|restarbeiten|kalan|kalan işler|kalanlar|yapılacaklar|المتبقي
        |ما تبقى|العمل المتبقي|المهام المتبقية|rimanente|lavoro rimanente|da fare|resterend
        |openstaand|te doen|nog te doen|pozostało|pozostałe|do zrobienia|залишилось|залишилося
        |не зроблено|còn lại|việc còn lại
        """,
    "REMAINING:next": """
        next steps|upcoming|up next|planned|what's next|whats next|plan next|future steps
        |next tasks|next up|следующие шаги|дальнейшие шаги|下一步计划|后续步骤|后续计划|接下来
        |后续|次のステップ|今後の予定|今後の作業|다음 단계|다음 단계들|향후 계획|다음 작업 목록
        |prochaines étapes|étapes suivantes|próximos pasos|siguientes pasos|próximos passos
        |nächste schritte|weitere schritte|sonraki adımlar|الخطوات التالية|الخطوات القادمة
        |prossimi passi|passi successivi|volgende stappen|następne kroki|kolejne kroki
        |наступні кроки|подальші кроки|далі
        """,
    "REMAINING:now": """
        in progress|in flight|ongoing|wip|doing|under way|currently working on|в процессе
        |в работе|выполняется|进行中|正在进行|進行中|作業中|実施中|진행 중|진행중|en cours
        |en curso|en progreso|em andamento|em progresso|in arbeit|in bearbeitung|laufend
        |devam ediyor|devam eden|sürüyor|قيد التنفيذ|جاري العمل|قيد العمل|in corso|in lavorazione
        |in uitvoering|mee bezig|w trakcie|w toku|у роботі|в роботі|виконується|у процесі|đang làm
        |đang thực hiện
        """,
    "BLOCKERS": """
        bottleneck|bottlenecks|ボトルネック|병목|goulot|cuello de botella|engpass
        |current bottleneck|known issue|current known issue|blocked|blocked by|blocked on
        |blocking|blocking issues|impediments|obstacles|what blocks us|blocking items|блокеры
        |блокер|блокировки|препятствия|что мешает|阻塞|阻塞项|阻碍|障碍|卡点|阻塞因素|瓶颈
        |ブロッカー|障害|ブロック要因|阻害要因|ブロック中|블로커|차단 요소|장애물|방해 요소
        |차단 사항|blocages|blocage|points bloquants|bloquants|bloqueos|bloqueadores|bloqueo
        |impedimentos|obstáculos|bloqueios|bloqueio|blockaden|hindernisse|blockierer|engeller
        |engel|engelleyiciler|tıkanıklıklar|العوائق|المعوقات|العقبات|الموانع|known issues
        |current known issues|blocchi|bloccanti|ostacoli|blokkades|obstakels|blokady|blokery
        |przeszkody|блокери|перешкоди|trở ngại|vướng mắc
        """,
    "HUMAN_AUTHORITY_REQUIRED": """
        human authority needed|human decision required|human decisions required|human decisions
        |decisions needed|owner decisions|owner decision|owner actions|decisions for the owner
        |needs human|needs owner|needs approval|approval needed|approvals needed
        |approval required|requires approval|human gate|human gates|human input needed
        |needs you|for the owner|owner only|pending decisions|questions for user
        |open questions for the user|open questions for the owner|needs input|needs user input
        |user input needed|waiting on user|waiting for user|decisions pending|waiting on owner
        |waiting for owner|open decisions for you|pending approvals|user decisions
        |questions for the owner|questions for the user|требуется решение человека
        |решения человека|решение человека|требуется согласование|нужно решение владельца
        |требует подтверждения|полномочия человека|решения владельца|需要人工决策|人工决策
        |需人工授权|需要人工授权|人工授权|需要用户决定|待用户确认|待批准|人类授权|待人工确认
        |需要人类决定|需要授权|人間の判断が必要|人間の承認が必要|承認が必要|要承認|要判断
        |ユーザー判断待ち|ユーザー確認事項|人の判断|人間の権限|사람의 결정 필요|승인 필요
        |사람 승인 필요|사용자 결정 필요|인간 승인 필요|autorité humaine requise
        |décisions humaines|décision humaine requise|autorité humaine|validation requise
        |décisions requises|autoridad humana requerida|autoridad humana|decisiones humanas
        |decisión humana|aprobación requerida|autoridade humana necessária|autoridade humana
        |decisões humanas|aprovação necessária|menschliche entscheidung
        |menschliche entscheidungen|entscheidung erforderlich|freigabe erforderlich
        |menschliche autorität erforderlich|insan onayı gerekli|insan kararı gerekli
        |onay gerekli|insan yetkisi gerekli|يتطلب قرار بشري|موافقة بشرية مطلوبة
        |القرارات البشرية|يتطلب موافقة|decisione umana richiesta|decisioni umane
        |approvazione richiesta|menselijke beslissing nodig|goedkeuring nodig
        |wymagana decyzja człowieka|decyzje człowieka|wymagana zgoda|потрібне рішення людини
        |рішення людини|потрібне погодження|cần phê duyệt|cần con người quyết định
        """,
    "HUMAN_AUTHORITY_REQUIRED:gate": """
        owner gated|human gated|authority gated|user gated|gated on owner|ceo gated
        |open prs awaiting approval|awaiting approval|awaiting owner|awaiting owner approval
        """,
    "HUMAN_AUTHORITY_REQUIRED:when": """
        escalate when|escalate if|when to escalate|escalation|escalation triggers|ask when
        |ask first|ask before|escalation conditions|эскалация|эскалировать когда
        |когда эскалировать|升级条件|何时升级|需要升级的情况|上报条件|エスカレーション条件
        |エスカレーション|에스컬레이션 조건|에스컬레이션|escalader si|escalader quand
        |escalar cuando|escalar quando|escalar si|eskalieren wenn|eskalation
        |ne zaman yükseltilir|التصعيد عند|متى يتم التصعيد|escalare quando|escaleren wanneer
        |eskaluj gdy|ескалація
        """,
    "VERIFICATION_EVIDENCE": """
        proof|round trip evidence|test evidence|verification|verification results|proofs
        |evidence so far|test results|validation evidence|evidence log|доказательства
        |подтверждения|проверка|результаты проверки|свидетельства|验证证据|证据|验证|验证结果
        |测试结果|驗證證據|検証証拠|検証結果|証拠|検証|エビデンス|검증 증거|증거|검증 결과|검증
        |preuves|preuve|preuves de vérification|vérification|evidencia|evidencias
        |evidencia de verificación|verificación|pruebas|evidência|evidências|verificação
        |evidência de verificação|nachweise|nachweis|belege|verifikation|prüfnachweise
        |prüfergebnisse|kanıt|kanıtlar|doğrulama kanıtı|doğrulama|الأدلة|أدلة التحقق
        |دليل التحقق|التحقق|evidenze|verifica|bewijs|verificatie|dowody|weryfikacja|докази
        |перевірка|bằng chứng
        """,
    "NEXT_EXECUTABLE_ACTION": """
        next session|for next session|next session starts here|resume starting point
        |resume here|resume from|start here|resume point|do next|pick up here|continue here
        |do this next|continue with|next thing to do|следующее действие|следующий шаг
        |ближайшее действие|ближайший шаг|дальше|далее|следующее исполнимое действие|下一步
        |下一步行动|下一步操作|下一个动作|下一可执行动作|下一个可执行动作|下一個行動
        |次のアクション|次の行動|次の一手|次の作業|次にやること|次の実行可能なアクション
        |次のタスク|次の実行アクション|다음 작업|다음 행동|다음 액션|다음 실행 작업|다음 할 일
        |다음 실행 가능 작업|다음 실행 가능한 작업|prochaine action|prochaine étape
        |action suivante|prochaine action exécutable|étape suivante|próxima acción
        |siguiente acción|próximo paso|siguiente paso|próxima acción ejecutable|próxima ação
        |próximo passo|próxima ação executável|nächste aktion|nächster schritt
        |nächste ausführbare aktion|als nächstes|sonraki eylem|sonraki adım|bir sonraki adım
        |sıradaki adım|sonraki yürütülebilir eylem|الإجراء التالي|الخطوة التالية|الخطوة القادمة
        |الإجراء التنفيذي التالي|المهمة التالية|prossima azione|prossimo passo|passo successivo
        |volgende stap|volgende actie|następny krok|następne działanie|kolejny krok|наступний крок
        |наступна дія|bước tiếp theo|hành động tiếp theo|where to pick up|where to resume
        |to resume|siguiente|próximo|suivant|nächstes|następne|prossimo|volgende|下一个|次|다음
        |с чего продолжить|откуда продолжить|чтобы продолжить|point de reprise|reprendre ici
        |wo weitermachen|fortsetzen bei|dónde continuar|retomar desde|恢复点|从这里继续|再開地点
        |再開ポイント|다음 시작점
        """,
    "NEXT_EXECUTABLE_ACTION:task": """
        current subtask|current step|current action|working on|current work item|now
        |текущая подзадача|текущий шаг|当前子任务|当前步骤|現在のサブタスク|現在の作業
        |현재 하위 작업|현재 작업|sous tâche en cours|sous tâche actuelle|étape en cours
        |subtarea actual|paso actual|subtarefa atual|passo atual|aktuelle teilaufgabe
        |aktueller schritt|mevcut alt görev|mevcut adım|المهمة الفرعية الحالية|الخطوة الحالية
        |bieżące podzadanie|поточна підзадача|поточний крок
        """,
    "NEXT_EXECUTABLE_ACTION:advice": """
        recommendation|recommended|recommendations|recommended option|suggested
        |my recommendation|рекомендация|рекомендации|рекомендуется|推荐|建议|推薦|推奨|おすすめ
        |추천|권장|recommandation|recommandations|recommandé|recomendación|recomendaciones
        |recomendação|empfehlung|empfohlen|öneri|tavsiye|التوصية|التوصيات|raccomandazione
        |consigliato|aanbeveling|rekomendacja|zalecenie|рекомендація|khuyến nghị
        """,
}


def _table(source: dict[str, str]) -> dict[str, str]:
    return {
        " ".join(phrase.split()): name
        for name, phrases in source.items()
        for phrase in phrases.split("|")
    }


SYNONYMS = _table(_SYNONYMS)

EXACT = {name.lower().replace("_", " "): name for name in CANONICAL} | ALIASES

WITHIN = {
    "definition of done": "DEFINITION_OF_DONE",
    "acceptance criteria": "DEFINITION_OF_DONE",
    "success criteria": "DEFINITION_OF_DONE",
    "completion criteria": "DEFINITION_OF_DONE",
    "exit criteria": "DEFINITION_OF_DONE",
    "done when": "DEFINITION_OF_DONE",
    "критерии готовности": "DEFINITION_OF_DONE",
    "критерии приёмки": "DEFINITION_OF_DONE",
    "критерии приемки": "DEFINITION_OF_DONE",
    "критерии завершения": "DEFINITION_OF_DONE",
    "完成标准": "DEFINITION_OF_DONE",
    "验收标准": "DEFINITION_OF_DONE",
    "完了条件": "DEFINITION_OF_DONE",
    "受け入れ条件": "DEFINITION_OF_DONE",
    "완료 조건": "DEFINITION_OF_DONE",
    "완료 기준": "DEFINITION_OF_DONE",
    "critères d'acceptation": "DEFINITION_OF_DONE",
    "criterios de aceptación": "DEFINITION_OF_DONE",
    "critérios de aceitação": "DEFINITION_OF_DONE",
    "abnahmekriterien": "DEFINITION_OF_DONE",
    "akzeptanzkriterien": "DEFINITION_OF_DONE",
    "kabul kriterleri": "DEFINITION_OF_DONE",
    "معايير القبول": "DEFINITION_OF_DONE",
    "bottleneck": "BLOCKERS",
    "owner gated": "HUMAN_AUTHORITY_REQUIRED:gate",
    "awaiting approval": "HUMAN_AUTHORITY_REQUIRED:gate",
    "awaiting owner": "HUMAN_AUTHORITY_REQUIRED:gate",
    "question for the owner": "HUMAN_AUTHORITY_REQUIRED",
    "question for the user": "HUMAN_AUTHORITY_REQUIRED",
    "needs from the owner": "HUMAN_AUTHORITY_REQUIRED",
    "needs from owner": "HUMAN_AUTHORITY_REQUIRED",
    "needed from the owner": "HUMAN_AUTHORITY_REQUIRED",
    "needed from owner": "HUMAN_AUTHORITY_REQUIRED",
    "entscheidung erforderlich": "HUMAN_AUTHORITY_REQUIRED",
    "freigabe erforderlich": "HUMAN_AUTHORITY_REQUIRED",
    "menschliche entscheidung": "HUMAN_AUTHORITY_REQUIRED",
    "решение человека": "HUMAN_AUTHORITY_REQUIRED",
    "решение владельца": "HUMAN_AUTHORITY_REQUIRED",
    "требуется решение": "HUMAN_AUTHORITY_REQUIRED",
    "需要用户决定": "HUMAN_AUTHORITY_REQUIRED",
    "需要人工": "HUMAN_AUTHORITY_REQUIRED",
    "承認が必要": "HUMAN_AUTHORITY_REQUIRED",
    "判断が必要": "HUMAN_AUTHORITY_REQUIRED",
    "승인 필요": "HUMAN_AUTHORITY_REQUIRED",
    "결정 필요": "HUMAN_AUTHORITY_REQUIRED",
    "décision humaine": "HUMAN_AUTHORITY_REQUIRED",
    "décision requise": "HUMAN_AUTHORITY_REQUIRED",
    "decisión humana": "HUMAN_AUTHORITY_REQUIRED",
    "decisión requerida": "HUMAN_AUTHORITY_REQUIRED",
    "decisão humana": "HUMAN_AUTHORITY_REQUIRED",
    "insan kararı": "HUMAN_AUTHORITY_REQUIRED",
    "insan onayı": "HUMAN_AUTHORITY_REQUIRED",
    "decisione umana": "HUMAN_AUTHORITY_REQUIRED",
    "рішення людини": "HUMAN_AUTHORITY_REQUIRED",
    "owner approval": "HUMAN_AUTHORITY_REQUIRED",
    "owner decision": "HUMAN_AUTHORITY_REQUIRED",
    "human approval": "HUMAN_AUTHORITY_REQUIRED",
    "human decision": "HUMAN_AUTHORITY_REQUIRED",
}
"""Phrases that name a field wherever they stand inside a heading."""

QUALIFIERS = phrases(
    """the|our|my|this|a|an|current|exact|immediate|main|overall|primary|project|product|latest
        |known|key|top|major|present|today's|verified|active|real|recommended|suggested|strategic
        |hard|core|explicit|główny|aktywny|bieżący|obecny|головна|активна|поточна|huidig|huidige
        |actief|actieve
    """
)
"""Leading words that may be left out of a heading; what is left then counts as mapped."""

QUALIFYING_PARTS = parts(
    "現在の|現時点の|当前|目前|目前的|当前的|主要|主要な|현재|текущая|текущий|текущее|текущие"
)
"""Leading qualifiers in scripts without blanks, and words of other languages that bend."""

TRAILING = phrases(
    """principal|principale|principaux|actual|actuel|actuelle|activo|activa|actif|active|attivo
    |attiva|attuale|corrente|atual|ativo|ativa|general|general|générale|général|verificado
    |verificada|vérifié|verificato|chính|hiện tại
    """
)
"""Qualifiers that stand behind the name in Romance languages and Vietnamese."""

SCOPE_WORDS = ("non goal", "non goals", "out of scope", "not in scope", "non objectives")
