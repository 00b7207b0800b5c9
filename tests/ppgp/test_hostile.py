"""Documents made to hurt: they are read, and in time that grows with their length only."""

import pytest

from ppgp_tui.ppgp.goal import as_json, read_goal

SIZE = 60_000
PIECES = {
    "stars": "*", "bold": "** ", "underscores": "_a ", "ticks": "`", "tick pairs": "a``b`",
    "brackets": "[", "parentheses": "(", "quotes": "> ", "bars": "| ", "hashes": "#",
    "dashes": "- ", "colons": "a: ", "comments": "<!-- ", "closed comments": "<!---->",
    "fences": "```\n", "tildes": "~~~\n", "hex": "a1", "digits": "1",
    "numbers": "DoD 1, 2-3 and ", "labels": "**A:** x · ", "dots": "a. ", "links": "[a](b ",
    "addresses": "http://a.b ", "paths": "a/", "waiting": "after once when until ",
    "emoji": "✅ ", "blanks": " ", "tabs": "\t", "escapes": "\x1b[31m", "bidi": "\u202eabc",
    "wide": "漢字：", "jwt": "eyJ",
}  # fmt: skip
PLACES = [
    "", "## GOAL\n", "## DEFINITION_OF_DONE\n- [x] ", "## BLOCKERS\n- ", "## COMPLETED\n- ",
    "## HUMAN_AUTHORITY_REQUIRED\n- ", "## NEXT_EXECUTABLE_ACTION\n", "## PHASE\n", "# Goal: ",
]  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
def test_one_piece_over_and_over_is_read_wherever_it_stands(piece: str) -> None:
    text = PIECES[piece] * (SIZE // len(PIECES[piece]))
    for place in PLACES:
        as_json(read_goal((place + text + "\n").encode(), "x"))


def test_many_conditions_named_many_times_are_read() -> None:
    conditions = "".join(f"- Step {number}: x\n" for number in range(400))
    names = "".join(f"- Step {number} done, DoD 1-400\n" for number in range(400))
    reading = read_goal(f"## DEFINITION_OF_DONE\n{conditions}\n## COMPLETED\n{names}".encode(), "x")

    assert len(reading.dod) == 400


def test_a_long_real_looking_document_is_read_whole() -> None:
    day = "## 2026-09-0{} — worked\n- [x] item (3 passed)\n- [ ] other\n\nSome words about it.\n\n"
    text = "## GOAL\nShip it.\n\n" + "".join(day.format(n % 9) for n in range(4000))
    reading = read_goal(text.encode(), "x")

    assert len(reading.sections) + len(reading.fields) > 1
    assert {"diary", "chronicle"} <= {reason.code for reason in reading.reasons}
