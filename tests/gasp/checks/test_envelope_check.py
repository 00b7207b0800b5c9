"""Check 1, sentence by sentence (reference section 11, appendix A)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from ppgp_tui.gasp.checks.envelope import judge
from tests.gasp.checks.agent_repository import AgentRepository, as_line, event
from tests.gasp.checks.said import Said

Check = Callable[..., Said]
SOUND = event(11, "tool.called", {"n": [1, {"deep": None}], "f": 1.0}, "event_03")
FIELDS = list(SOUND)


def faults(line: str | bytes | dict[str, Any]) -> list[str]:
    return [fault.text for fault in judge(as_line(line)).faults]


def decodes(line: str | bytes | dict[str, Any]) -> bool:
    return judge(as_line(line)).event is not None


def changed(**members: Any) -> dict[str, Any]:
    return {**SOUND, **members}


@pytest.mark.parametrize(
    "style",
    [
        lambda value: json.dumps(value),
        lambda value: json.dumps(value, separators=(",", ":")),
        lambda value: json.dumps(value, sort_keys=True),
        lambda value: json.dumps(value, indent=" ").replace("\n", "\t"),
        lambda value: "  " + json.dumps(value) + " \r",
        lambda value: json.dumps(value).replace("tool.called", "tool.c\\u0061lled"),
        lambda value: json.dumps(value).replace('"kind": "tool', '"\\u006bind": "tool'),
    ],
)
def test_an_event_may_be_written_in_any_style(style: Callable[[Any], str]) -> None:
    judged = judge(style(SOUND).encode())
    assert judged.faults == ()
    assert judged.event is not None
    assert judged.event.kind == "tool.called"


@pytest.mark.parametrize("payload", [None, 0, -0.0, True, "x", [], {}, [[]], {"a": {"b": []}}])
def test_a_payload_is_anything(payload: Any) -> None:
    assert faults(changed(payload=payload)) == []


@pytest.mark.parametrize(
    ("text", "what"),
    [("1", "a number"), ("[]", "a list"), ("null", "null"), ('"x"', "a text"), ("true", "a truth")],
)
def test_json_that_is_no_object_is_one_fault(text: str, what: str) -> None:
    assert faults(text) == ["not a JSON object"], what
    assert not decodes(text)


def test_missing_members_come_in_the_table_s_order_then_unknown_ones_by_their_bytes() -> None:
    line = {"zeta": 1, "Kind": 2, "é": 3, "id": "e"}
    assert faults(line)[:-1] == [
        *(f"missing envelope field `{name}`" for name in FIELDS if name != "id"),
        "unknown top-level field `Kind`",
        "unknown top-level field `zeta`",
        "unknown top-level field `é`",
    ]
    assert faults(line)[-1].startswith("not a valid envelope: missing field `schema_version`")


@pytest.mark.parametrize("name", ["causation_id", "correlation_id"])
def test_a_nullable_member_that_is_absent_still_decodes(name: str) -> None:
    line = {key: value for key, value in SOUND.items() if key != name}
    assert faults(line) == [
        f"missing envelope field `{name}`", "does not round-trip structurally"
    ]  # fmt: skip
    assert decodes(line)


@pytest.mark.parametrize(
    ("member", "text", "detail"),
    [
        ("id", "6", "invalid type: integer `6`, expected a string"),
        ("id", "-0", "invalid type: floating point `-0`, expected a string"),
        ("id", "[]", "invalid type: sequence, expected a string"),
        ("kind", "null", "invalid type: null, expected a string"),
        ("kind", "{}", "invalid type: map, expected a string"),
        ("schema_version", "1.0", "invalid type: floating point `1`, expected u32"),
        ("schema_version", "-1", "invalid value: integer `-1`, expected u32"),
        ("schema_version", "-0", "invalid type: floating point `-0`, expected u32"),
        ("schema_version", "4294967296", "invalid value: integer `4294967296`, expected u32"),
        ("schema_version", "true", "invalid type: boolean `true`, expected u32"),
        ("ts_ms", "1e3", "invalid type: floating point `1000`, expected i64"),
        ("ts_ms", "9223372036854775808",
         "invalid value: integer `9223372036854775808`, expected i64"),
        ("ts_ms", "-9223372036854775809",
         "invalid type: floating point `-9223372036854776000`, expected i64"),
        ("ts_ms", "-0", "invalid type: floating point `-0`, expected i64"),
        ("ts_ms", '"1"', 'invalid type: string "1", expected i64'),
        ("actor", "null", "invalid type: null, expected struct ActorRef"),
        ("actor", "[]", "invalid length 0, expected struct ActorRef with 2 elements"),
        ("actor", '["agent"]', "invalid length 1, expected struct ActorRef with 2 elements"),
        ("actor", '["a","b","c"]', "trailing characters"),
        ("actor", '{"kind":"a"}', "missing field `id`"),
        ("actor", '{"id":"a"}', "missing field `kind`"),
        ("actor", '{"kind":"a","id":"b","kind":"a"}', "duplicate field `kind`"),
        ("actor", '{"kind":1,"id":"b"}', "invalid type: integer `1`, expected a string"),
        ("causation_id", "4", "invalid type: integer `4`, expected a string"),
        ("correlation_id", "false", "invalid type: boolean `false`, expected a string"),
    ],
)  # fmt: skip
def test_a_member_of_another_type_is_no_envelope(member: str, text: str, detail: str) -> None:
    line = (
        as_line(SOUND)
        .decode()
        .replace(f'"{member}":{as_line_value(SOUND[member])}', f'"{member}":{text}', 1)
    )
    (fault,) = faults(line)
    assert fault.startswith(f"not a valid envelope: {detail} at line 1 column ")
    assert not decodes(line)


def as_line_value(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


@pytest.mark.parametrize("member", FIELDS)
def test_a_member_that_stands_twice_is_no_envelope_even_with_the_same_value(member: str) -> None:
    again = f'{{"{member}":{as_line_value(SOUND[member])},'
    for line in (
        again + as_line(SOUND).decode()[1:],
        again + " " + json.dumps(SOUND)[1:],
        as_line(SOUND).decode()[:-1] + "," + again[1:-1] + "}",
    ):
        (fault,) = faults(line)
        assert fault.startswith(f"not a valid envelope: duplicate field `{member}` at line 1 ")
        assert not decodes(line)


def test_what_stands_twice_in_a_payload_or_beside_the_known_members_is_no_matter() -> None:
    twice = as_line(changed(payload={"a": 1})).replace(b'{"a":1}', b'{"a":0,"a":1}')
    assert faults(twice) == []
    unknown = as_line(SOUND)[:-1] + b',"x":1,"x":2}'
    assert faults(unknown) == ["unknown top-level field `x`", "does not round-trip structurally"]


@pytest.mark.parametrize(
    "actor", [["agent", "evolve"], {"kind": "agent", "id": "evolve", "name": "x"}]
)
def test_an_actor_that_says_more_or_is_a_list_decodes_and_does_not_round_trip(actor: Any) -> None:
    assert faults(changed(actor=actor)) == ["does not round-trip structurally"]
    assert decodes(changed(actor=actor))


def test_an_actor_s_kind_and_the_schema_version_are_not_judged() -> None:
    assert faults(changed(actor={"kind": "robot", "id": ""})) == []
    for version in (0, 2, 4294967295):
        assert faults(changed(schema_version=version)) == []
    for time in (0, -5, -(2**63), 2**63 - 1):
        assert faults(changed(ts_ms=time)) == []


def test_the_eight_values_as_a_list_are_an_event_all_the_same(
    repo: AgentRepository, said: Check
) -> None:
    repo.set_line(6, json.dumps(list(repo.line(6).values())))
    repo.commit()
    outcome = said("--fixture")
    assert outcome.failed == [1]
    assert outcome.of(1) == ["FAIL", "line 6: not a JSON object"]
    assert not decodes(json.dumps(list(SOUND.values())[:7]))
    assert not decodes(json.dumps([*SOUND.values(), 1]))
    assert decodes(
        json.dumps([*list(SOUND.values())[:3], ["agent", "x"], *list(SOUND.values())[4:]])
    )


@pytest.mark.parametrize("member", FIELDS)
def test_half_a_surrogate_pair_is_not_json_in_any_member(member: str) -> None:
    line = as_line(SOUND).decode().replace(f'"{member}":', f'"{member}":"\\ud800",', 1)
    (fault,) = faults(line)
    assert fault.startswith("not JSON: ")
    for half in ("\\ud800", "\\udc00", "\\ud800\\ud800", "\\ud800\\u0041"):
        text = json.dumps(changed(payload="@")).replace("@", half)
        assert faults(text)[0].startswith("not JSON: "), half


@pytest.mark.parametrize(("open_", "close"), [("[", "]"), ('{"a":', "}")])
def test_127_levels_are_json_and_128_are_not(open_: str, close: str) -> None:
    def nested(levels: int) -> str:
        payload = open_ * levels + "0" + close * levels
        return as_line(SOUND).decode().replace(as_line_value(SOUND["payload"]), payload)

    assert faults(nested(126)) == []
    for levels in (127, 200, 1000, 20_000):
        (fault,) = faults(nested(levels))
        assert fault.startswith("not JSON: recursion limit exceeded at line 1 column ")
        assert not decodes(nested(levels))


@pytest.mark.parametrize(
    "text",
    ["1e400", "-1e400", "1" + "0" * 400, "-1" + "0" * 309, "NaN", "Infinity", "-Infinity", "01",
     "+1", ".5", "1.", "0x1", "1_000", "--1", "-"],
)  # fmt: skip
def test_what_is_no_number_is_not_json(text: str) -> None:
    (fault,) = faults(as_line(changed(payload="@")).replace(b'"@"', text.encode()))
    assert fault.startswith("not JSON: ")


@pytest.mark.parametrize(
    "text", ["-0", "1e308", "1e-400", "18446744073709551616", "1E+2", "1" * 300]
)
def test_a_number_of_any_size_that_a_double_holds_is_fine(text: str) -> None:
    assert faults(as_line(changed(payload="@")).replace(b'"@"', text.encode())) == []
