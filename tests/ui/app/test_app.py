"""The app itself, driven by Pilot: every key arrives, every newer picture is painted, once."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from textual.events import Paste
from textual.strip import Strip

from ppgp_tui.session.model import Part, SessionSnapshot
from ppgp_tui.ui.acts import acts
from ppgp_tui.ui.app import app as app_module
from ppgp_tui.ui.app.app import PpgpApp
from ppgp_tui.ui.keys.keymap import Keymap
from ppgp_tui.ui.looks.settings_file import SettingsError
from ppgp_tui.ui.seat.memory import FILE, Choices, Memory, read_choices, write_choices
from ppgp_tui.ui.seat.place import Place
from ppgp_tui.ui.terminal.ability import Ability
from tests.ui import picture
from tests.ui.hostile import HOSTILE, is_harmless
from tests.ui.stand_in import FakeSession
from tests.ui.waiting import shown, until

SIZE = (80, 24)


class Clock:
    """A clock that only tests move."""

    def __init__(self) -> None:
        self.now = picture.NOW

    def __call__(self) -> int:
        return self.now


def app(
    snapshot: SessionSnapshot | None = None,
    clock: Callable[[], int] | None = None,
    **members: object,
) -> PpgpApp:
    session = FakeSession(snapshot or picture.full(), picture.document())
    return PpgpApp(session, clock=clock or Clock(), ability=Ability(), **members)  # type: ignore[arg-type]


def session_of(of: PpgpApp) -> FakeSession:
    assert isinstance(of.session, FakeSession)
    return of.session


TABLE = app().seat.keymap


def textual_key(key: str) -> str:
    """What Pilot calls a key of the table."""
    names = {"/": "slash", ":": "colon", "?": "question_mark"}
    return names.get(key, key)


async def test_every_key_of_the_table_reaches_its_action(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(acts, "run", lambda _, action_id, __: done.append(action_id))
    made = app()
    keys = [key for action in TABLE.actions for key in action.keys]
    async with made.run_test(size=SIZE) as pilot:
        await pilot.press(*(textual_key(key) for key in keys))
        place = made.seat.place()
    meant = [made.seat.keymap.action(key, place) for key in keys]
    assert done == [action.id for action in meant if action is not None]
    assert len(done) == len(keys)


async def test_the_first_frame_already_shows_the_session() -> None:
    made = app()
    async with made.run_test(size=SIZE):
        assert "Make the importer resumable" in shown(made)
        assert "2 for you" in shown(made)
        screenshot = made.export_screenshot()
        assert "resumable" in screenshot


async def test_quitting_ends_with_code_nought() -> None:
    made = app()
    async with made.run_test(size=SIZE) as pilot:
        await pilot.press("q")
    assert made.return_code == 0


async def test_a_newer_picture_from_a_thread_is_painted() -> None:
    made = app()
    async with made.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: session_of(made).listener is not None)
        session_of(made).change(picture.empty())
        await until(pilot, lambda: "No goal yet" in shown(made))


async def test_in_a_storm_the_screen_is_painted_rarely_and_ends_with_the_newest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    monkeypatch.setattr(app_module, "monotonic", lambda: now[0])
    made = app()
    paints: list[int] = []
    async with made.run_test(size=SIZE) as pilot:
        now[0] += 1
        show = made.canvas.show

        def counted(lines: list[Strip]) -> None:
            paints.append(1)
            show(lines)

        monkeypatch.setattr(made.canvas, "show", counted)
        await until(pilot, lambda: session_of(made).listener is not None)
        for count in range(1, 60):
            session_of(made).change(picture.grown(picture.full(), count))
        await until(pilot, lambda: made.seat.snapshot.events.value.count == 1_204 + 59)
        assert 1 <= len(paints) <= 3


async def test_ages_grow_and_only_they_are_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    made = app(clock=clock)
    async with made.run_test(size=SIZE) as pilot:
        await pilot.pause()
        before = list(made.canvas.lines)
        clock.now += 1_000
        await until(pilot, lambda: "13s" in shown(made))
        changed = [
            (old.text, new.text)
            for old, new in zip(before, made.canvas.lines, strict=True)
            if old != new
        ]
        assert changed
        assert all(old.replace("12s", "13s") == new for old, new in changed)


async def test_a_resize_lays_out_anew_and_keeps_the_cursor() -> None:
    made = app()
    async with made.run_test(size=SIZE) as pilot:
        await pilot.press("2", "j", "j")
        for size in ((48, 24), (30, 8), (160, 50), (80, 24)):
            await pilot.resize_terminal(*size)
            cells = [size[0]] * size[1]
            await until(
                pilot,
                lambda: [line.cell_length for line in made.canvas.lines] == cells,  # noqa: B023
            )
        row = made.seat.row
        assert row is not None
        assert row.key.endswith("T3")


async def test_clicks_and_the_wheel_arrive() -> None:
    made = app()
    async with made.run_test(size=SIZE) as pilot:
        line = made.canvas.lines[2].text
        await pilot.click(offset=(line.index("plan") + 1, 2))
        assert made.seat.current == 1
        listed = next(y for y, at in enumerate(made.canvas.lines) if " T3  " in at.text)
        await pilot.click(offset=(10, listed))
        row = made.seat.row
        assert row is not None
        assert row.key.endswith("T3")


async def test_pasting_types_and_never_acts() -> None:
    made = app()
    async with made.run_test(size=SIZE) as pilot:
        made.post_message(Paste("qqq"))
        await pilot.press("slash")
        made.post_message(Paste("soak"))
        await until(pilot, lambda: made.seat.stay.filter == "soak")
        assert made.is_running


async def test_reading_again_does_not_stop_the_screen_and_tells_how_it_went() -> None:
    made = app()
    async with made.run_test(size=SIZE) as pilot:
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "every file read again" in shown(made))
        assert session_of(made).read_again == 1

        def fails() -> SessionSnapshot:
            raise OSError("disk\x1b[2J is gone")

        session_of(made).read_all = fails  # type: ignore[method-assign]
        await pilot.press("f5")
        await until(pilot, lambda: "not read: OSError: disk␛[2J is gone" in shown(made))


async def test_the_theme_can_be_changed_and_a_bad_one_says_what_is_wrong(tmp_path: Path) -> None:
    themes = tmp_path / "themes"
    themes.mkdir()
    (themes / "mine.toml").write_text('name = "mine"\n[roles]\nrun = "blue"\n', "utf-8")
    made = app(config=tmp_path)
    async with made.run_test(size=(120, 40)) as pilot:
        await pilot.press("colon", *"paper", "enter")
        assert made.theme == "paper"
        assert made.seat.look.colours["bg"] == "#faf8f3"
        assert "theme paper" in shown(made)
        await pilot.press("colon", *"mine", "enter")
        said = "line 3: run: 'blue' is not a colour"
        await until(pilot, lambda: said in " ".join(shown(made).split()))
        assert made.theme == "paper"


@pytest.mark.parametrize("name", ["harbor", "paper", "contrast", "tide", "signalbox", "ansi16"])
async def test_every_shipped_theme_can_be_drawn(name: str) -> None:
    made = app(theme=name)
    async with made.run_test(size=SIZE) as pilot:
        await pilot.press("question_mark")
        assert "Keys that work here" in shown(made)
        assert made.theme == name


def test_a_theme_nobody_has_is_refused_before_the_screen_is_taken() -> None:
    with pytest.raises(SettingsError, match="there is no theme of that name"):
        app(theme="nope")


async def test_without_colour_only_attributes_reach_the_screen() -> None:
    session = FakeSession(picture.full(), picture.document())
    made = PpgpApp(session, clock=Clock(), ability=Ability(colour=False))
    async with made.run_test(size=SIZE):
        for line in made.canvas.lines:
            for segment in line:
                assert segment.style is None or segment.style.color is None
                assert segment.style is None or segment.style.bgcolor is None
        assert any(part.style and part.style.reverse for part in made.canvas.lines[1])


@pytest.mark.parametrize("words", HOSTILE[:14])
async def test_hostile_words_never_end_the_app(words: str) -> None:
    goal = picture.goal()._replace(goal=words, why=words, phase=None, phase_raw=words)
    made = app(replace(picture.full(), goal=Part(goal, 4)))
    async with made.run_test(size=SIZE) as pilot:
        await pilot.press("5", "j", "enter")
        assert is_harmless(shown(made).replace("\n", ""))
        assert made.is_running


async def test_a_mistake_in_a_view_is_kept_for_the_crash_report() -> None:
    class Broken:
        name = "broken"

        def layout(self, *_: object) -> object:
            raise ValueError("no such\x1b[2J thing")

    session = FakeSession(picture.full(), b"")
    made = PpgpApp(session, [Broken()], clock=Clock(), ability=Ability())  # type: ignore[list-item]
    with pytest.raises(ValueError, match="no such"):
        async with made.run_test(size=SIZE):
            pass
    assert isinstance(made.crash, ValueError)
    assert made.return_code == 1


def test_keys_of_the_user_are_used(tmp_path: Path) -> None:
    (tmp_path / "keys.toml").write_text('"quit" = "x"\n', "utf-8")
    made = app(config=tmp_path)
    assert isinstance(made.seat.keymap, Keymap)
    action = made.seat.keymap.action("x", Place())
    assert action is not None
    assert action.id == "quit"
    assert made.seat.keymap.action("q", Place()) is None


def test_another_file_of_keys_may_be_named(tmp_path: Path) -> None:
    (tmp_path / "keys.toml").write_text('"quit" = "x"\n', "utf-8")
    (tmp_path / "mine.toml").write_text('"quit" = "Z"\n', "utf-8")
    made = app(config=tmp_path, keys=tmp_path / "mine.toml")
    action = made.seat.keymap.action("Z", Place())
    assert action is not None
    assert action.id == "quit"


async def test_what_was_chosen_here_before_is_there_at_the_first_paint(tmp_path: Path) -> None:
    write_choices(tmp_path / FILE, Choices(view="goal", density="roomy", motion="reduced"))
    kept = Memory(tmp_path, picture.full().root)
    made = app(memory=kept)
    async with made.run_test(size=SIZE) as pilot:
        assert "Goal document" in shown(made)
        await pilot.press("2", "comma", "d")
    kept.finish()
    found = read_choices(tmp_path / FILE)[0]
    assert found == Choices(view="plan", density="compact", motion="reduced")


async def test_a_damaged_memory_is_said_and_the_app_begins_as_usual(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("{")
    made = app(memory=Memory(tmp_path, picture.full().root))
    async with made.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "nothing of it is used" in " ".join(shown(made).split()))
        assert made.seat.current == 0
    assert (tmp_path / FILE).read_text() == "{"


async def test_with_reduced_motion_ages_are_painted_once_a_minute() -> None:
    clock = Clock()
    made = app(clock=clock, motion="reduced")
    async with made.run_test(size=SIZE) as pilot:
        assert "12s" in shown(made)
        for second in range(1, 60):
            clock.now += 1_000
            made.painter._ticks, made.painter.painted_at = second - 1, 0.0
            made.painter.tick()
        assert "12s" in shown(made)
        clock.now += 1_000
        made.painter._ticks, made.painter.painted_at = 59, 0.0
        made.painter.tick()
        await until(pilot, lambda: "1m" in shown(made))
