"""Packs (GASP reference section 6)."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.gasp.packs import MalformedPackError, parse
from tests.gasp.folds import DATA, text, values

THING = {"kind": "experiment", "required_props": ["title"], "description": None}
LINK = {"rel": "measured_by", "from_kinds": ["experiment"], "to_kinds": ["eval"]}
PACK: dict[str, Any] = {
    "id": "pack_custom", "name": "custom", "version": "1",
    "object_types": {"experiment": THING, "probe": {"kind": "other", "required_props": []}},
    "relation_types": {"measured_by": LINK},
    "policies": ["p"], "prompts": [], "settings": None,
}  # fmt: skip


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in PACK.items() if key != name}


def test_the_names_of_the_maps_are_what_is_admitted() -> None:
    pack = parse(text(PACK))
    assert (pack.id, pack.name, pack.version) == ("pack_custom", "custom", "1")
    assert pack.node_kinds == {"experiment", "probe"}
    assert pack.relations == {"measured_by"}


def test_unknown_members_and_repeated_types_are_no_matter() -> None:
    written = text({**PACK, "more": 1}).replace(b'"probe"', b'"experiment"')
    assert parse(written).node_kinds == {"experiment"}


def test_the_recorded_packs_parse_or_not_as_recorded() -> None:
    seen = 0
    for case in json.loads((DATA / "mutations.json").read_text())["cases"]:
        for step in case["steps"]:
            if step["op"] != "write" or not step["path"].startswith(".agent/packs/"):
                continue
            name = step["path"].rpartition("/")[2]
            if not name.endswith(".json") or "text" not in step:
                continue
            refused = f"pack {name} does not parse as a Pack: "
            details = [
                one.split(refused)[1] for one in case["expected"]["stdout"] if refused in one
            ]
            seen += 1
            if details:
                with pytest.raises(MalformedPackError) as caught:
                    parse(step["text"].encode())
                assert [caught.value.detail] == details
            else:
                parse(step["text"].encode())
    assert seen >= 3


@pytest.mark.parametrize("name", list(PACK))
def test_every_member_is_required(name: str) -> None:
    with pytest.raises(MalformedPackError, match=f"missing field `{name}`"):
        parse(text(without(name)))


@pytest.mark.parametrize(
    ("wrong", "detail"),
    [
        ({"id": 1}, "invalid type: integer `1`, expected a string"),
        ({"policies": {}}, "invalid type: map, expected a sequence"),
        ({"prompts": [1.5]}, "invalid type: floating point `1.5`, expected a string"),
        ({"object_types": []}, "invalid type: sequence, expected a map"),
        ({"object_types": {"a": {"kind": "a"}}}, "missing field `required_props`"),
        ({"object_types": {"a": 3}}, "invalid type: integer `3`, expected struct ObjectTypeDef"),
        ({"relation_types": {"a": {"rel": "a", "to_kinds": []}}}, "missing field `from_kinds`"),
        ({"relation_types": {"a": {**LINK, "description": 1}}},
         "invalid type: integer `1`, expected a string"),
    ],
)  # fmt: skip
def test_members_of_another_type_are_refused(wrong: dict[str, Any], detail: str) -> None:
    with pytest.raises(MalformedPackError) as caught:
        parse(text({**PACK, **wrong}))
    assert caught.value.detail == detail


def test_a_member_may_stand_once_only() -> None:
    with pytest.raises(MalformedPackError, match="duplicate field `id`"):
        parse(text(PACK).replace(b'"name"', b'"id":"b","name"'))


@pytest.mark.parametrize("other", [b"", b"3", b"null", b"\xff", b'{"id":', b"[" * 5000, b"\x00"])
def test_what_is_no_pack_at_all_is_refused(other: bytes) -> None:
    with pytest.raises(MalformedPackError):
        parse(other)


@given(st.dictionaries(st.sampled_from(list(PACK)), values))
def test_any_json_is_a_pack_or_refused(members: Any) -> None:
    try:
        pack = parse(text({**PACK, **members}))
    except MalformedPackError as error:
        assert error.detail  # noqa: PT017 - either outcome is right
    else:
        assert pack.node_kinds == set(members.get("object_types", PACK["object_types"]))
