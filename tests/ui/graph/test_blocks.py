"""The importer plan, drawn to the letter as the screens were designed."""

from __future__ import annotations

from ppgp_tui.ui.graph import draw
from tests.ui.graph.plans import compared, importer
from tests.ui.graph.shown import ASCII, UNICODE, text


def _block(words: str) -> str:
    return words.strip("\n")


def test_keys_at_48_columns() -> None:
    drawing = draw(importer(), "keys", "auto", 48, UNICODE)
    assert text(drawing) == _block("""
 ✓T1┬─ ✓T2┬─ ✓T3───┬─ ▸T5─ ⋯T6┬ ⋯T9┬ ⊘T11┬ ⋯T12
    ╰─ ✓T4│───────╮├─ ▹T7─────╯    │     │
          ╰─ ?T10╮╰┴─ ⊘T8──────────╯     │
                 ╰───────────────────────╯
""")


def test_keys_with_room_between() -> None:
    drawing = draw(importer(), "keys", "auto", 72, UNICODE)
    assert text(drawing) == _block("""
 ✓T1──┬── ✓T2──┬── ✓T3─────┬── ▸T5───── ⋯T6──┬── ⋯T9──┬── ⊘T11─┬── ⋯T12
      ╰── ✓T4──│──────────╮├── ▹T7───────────╯        │        │
               ╰── ?T10──╮╰┴── ⊘T8────────────────────╯        │
                         ╰─────────────────────────────────────╯
""")


def test_keys_take_no_more_room_than_they_need() -> None:
    assert draw(importer(), "keys", "auto", 80, UNICODE).width == 73
    assert draw(importer(), "keys", "auto", 200, UNICODE).width == 73


def test_keys_in_ascii() -> None:
    drawing = draw(importer(), "keys", "auto", 48, ASCII)
    assert text(drawing) == _block("""
 xT1+- xT2+- xT3---+- >T5- :T6+ :T9+ !T11+ :T12
    `- xT4|-------.+- oT7-----'    |     |
          `- ?T10.`+- !T8----------'     |
                 `-----------------------'
""")


def test_dots() -> None:
    drawing = draw(importer(), "dots", "auto", 42, UNICODE)
    assert text(drawing) == _block("""
 ✓─┬───✓─┬───✓───┬──▸────⋯─┬──⋯─┬──⊘─┬──⋯
   ╰───✓─│──────╮├──▹──────╯    │    │
         ╰───?─╮╰┴──⊘───────────╯    │
               ╰─────────────────────╯
""")


def test_cards_at_120_columns_with_the_cursor_on_t8() -> None:
    drawing = draw(importer(), "cards", "auto", 120, UNICODE, "T8")
    assert drawing.direction == "right"
    assert text(drawing) == _block("""
 ▌✓ T1  done    ▌✓ T2  done    ▌✓ T3  done      ▌▸ T5  runs    ▌⋯ T6 waits    ▌⋯ T9 waits    ▌⊘ T11    B   ▌⋯ T12
 ▌Map the    ┬──▌Choose     ┬──▌Add        ──┬──▌Write      ───▌Resume     ┬──▌Kill test  ┬──▌Soak run   ┬─▌Write the
 ▌import     │  ▌checkpoint │  ▌checkpoint   │  ▌checkpoint    ▌from last  │  ▌at 50      │  ▌on staging │ ▌runbook
 ▌pipeline   │  ▌format     │  ▌table        │  ▌per batch     ▌checkpoint │  ▌points     │  ▌copy       │ ▌
             │              │                │                             │              │              │
             │  ▌✓ T4  done │                │  ▌▹ T7 ready                │              │              │
             ╰──▌Golden     │───────────────╮├──▌Make row   ───────────────╯              │              │
                ▌files of   │               ││  ▌writes                                   │              │
                ▌old i…orts │  ▌? T10  you  ││  ▌idempotent                               │              │
                            ╰──▌Progress   ╮││                                            │              │
                               ▌and resume │││  ▌⊘ T8 C you▌                              │              │
                               ▌messages   │╰┴──▌Drop old   ──────────────────────────────╯              │
                                           │    ▌cursor                                                  │
                                           │    ▌column                                                  │
                                           │                                                             │
                                           ╰─────────────────────────────────────────────────────────────╯
""")  # noqa: E501


def test_cards_downwards_at_50_columns_and_the_blank_one_at_the_edge() -> None:
    """The lane of T10 comes before those of T4 and T3, which it then need not cross."""
    drawing = draw(importer(), "cards", "auto", 51, UNICODE, "T8")
    assert drawing.direction == "down"
    assert text(drawing) == _block("""
 ▌✓ T1    done
 ▌Map th…eline
       ├───────────────╮
       │               │
 ▌✓ T2    done   ▌✓ T4    done
 ▌Choose…ormat   ▌Golden…ports
       ├───────────────│────────╮
       │               │        │
 ▌✓ T3    done         │  ▌? T10    you
 ▌Add ch…table         │  ▌Progre…sages
       │               │        ╰────────────────╮
       │               ╰───────────────╮         │
       ├───────────────┬───────────────┤         │
       │               │               │         │
 ▌▸ T5    runs   ▌▹ T7   ready   ▌⊘ T8   C you▌  │
 ▌Write…batch    ▌Make r…otent   ▌Drop o…olumn   │
       │               │               │         │
       │               │               │         │
 ▌⋯ T6   waits         │               │         │
 ▌Resume…point         │               │         │
       ├───────────────╯               │         │
       │                               │         │
 ▌⋯ T9   waits                         │         │
 ▌Kill t…oints                         │         │
       ├───────────────────────────────╯         │
       │                                         │
 ▌⊘ T11      B                                   │
 ▌Soak r…copy                                    │
       ├─────────────────────────────────────────╯
       │
 ▌⋯ T12  waits
 ▌Write…nbook
""")


def test_a_comparison_at_48_columns() -> None:
    drawing = draw(compared(), "keys", "auto", 48, UNICODE)
    assert text(drawing) == _block("""
 ✓T1┬─ ✓T2┬─ ✓T3───┬ ~T5── ⋯T6┬ ~T9┬ +T11┬ ⋯T12
    ╰─ ✓T4│───────╮├ ▹T7──────╯    │     │
          ╰─ +T10╮│├ /T13          │     │
                 │╰┴ ⊘T8───────────╯     │
                 ╰───────────────────────╯
""")


def test_the_edge_to_a_removed_task_is_dashed() -> None:
    drawing = draw(compared(), "keys", "auto", 72, UNICODE)
    assert text(drawing) == _block("""
 ✓T1──┬── ✓T2──┬── ✓T3─────┬── ~T5────── ⋯T6──┬── ~T9─┬── +T11─┬── ⋯T12
      ╰── ✓T4──│──────────╮├── ▹T7────────────╯       │        │
               ╰── +T10──╮│├╌╌ /T13                   │        │
                         │╰┴── ⊘T8────────────────────╯        │
                         ╰─────────────────────────────────────╯
""")
