"""Settings of repository and user: who wins, and what is refused with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.session.settings.settings import Settings, load_settings


class Files:
    def __init__(self, folder: Path) -> None:
        self.root = folder / "repository"
        self.user = folder / "config.toml"
        (self.root / ".ppgp").mkdir(parents=True)

    def load(self, repository: str | bytes = "", user: str = "") -> Settings:
        data = repository.encode() if isinstance(repository, str) else repository
        (self.root / ".ppgp" / "config.toml").write_bytes(data)
        self.user.write_text(user)
        return load_settings(self.root, self.user)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path.resolve())


def problems(settings: Settings) -> list[tuple[int | None, str]]:
    return [(problem.line, problem.text) for problem in settings.problems]


def test_without_files_the_defaults_hold(tmp_path: Path) -> None:
    assert load_settings(tmp_path, tmp_path / "none") == Settings()


def test_a_repository_says_where_its_files_are(files: Files) -> None:
    settings = files.load('[paths]\ngoal = "docs/GOAL.md"\nlog = "log/events.jsonl"\n')
    assert (settings.goal, settings.log) == ("docs/GOAL.md", "log/events.jsonl")
    assert settings.problems == ()


def test_the_users_word_for_this_root_wins_then_the_repositorys(files: Files) -> None:
    user = (
        f'watch.poll_s = 7\nplan.max_tasks = 5\n[roots."{files.root}"]\nwatch.poll_s = 3\n'
        '[roots."/elsewhere"]\nwatch.poll_s = 9\n'
    )
    settings = files.load("watch.poll_s = 2\nplan.max_tasks = 50", user)
    assert (settings.poll_s, settings.plan_max_tasks) == (3.0, 50)
    assert files.load("", user).plan_max_tasks == 5


def test_a_repository_may_not_decide_about_the_screen(files: Files) -> None:
    settings = files.load('# mine\n[ui]\ntheme = "paper"\n', '[ui]\nfps = 30\nascii = "auto"\n')
    assert (settings.theme, settings.fps, settings.ascii) == (None, 30, None)
    assert problems(settings) == [
        (3, "ui.theme is not for a repository to decide, so it is not used")
    ]


@pytest.mark.parametrize(("said", "meant"), [("reduced", "reduced"), ("auto", "full")])
def test_motion_is_full_or_reduced(files: Files, said: str, meant: str) -> None:
    assert files.load("", f'[ui]\nmotion = "{said}"\n').motion == meant
    refused = files.load("", '[ui]\nmotion = "none"\n')
    assert refused.motion == "full"
    assert "full or reduced is wanted" in refused.problems[0].text


def test_how_the_app_looks_is_read_and_what_cannot_be_is_named(files: Files) -> None:
    settings = files.load("", '[ui]\nkeys = "/my/keys.toml"\ndensity = "roomy"\nfps = 4\n')
    assert (settings.keys, settings.density, settings.fps) == ("/my/keys.toml", "roomy", 4)
    settings = files.load("", '[ui]\nkeys = "auto"\ndensity = "auto"\nfps = "auto"\n')
    assert (settings.keys, settings.density, settings.fps) == (None, "normal", None)
    settings = files.load("", '[ui]\nkeys = "vim"\ndensity = "huge"\n')
    assert (settings.keys, settings.density) == (None, "normal")
    assert [line for line, _ in problems(settings)] == [2, 3]


def test_a_repository_may_not_say_what_its_own_answers_are_signed_with(files: Files) -> None:
    authority = '[authority]\nkey = "/keys/id"\naskpass = "/bin/ask"\nscripted = true\n'
    settings = files.load(authority)
    assert (settings.authority_key, settings.authority_askpass) == ("file", None)
    assert settings.authority_scripted is False
    assert [line for line, _ in problems(settings)] == [2, 3, 4]


def test_the_user_says_what_answers_are_signed_with(files: Files) -> None:
    user = f'authority.key = "~/id"\n[roots."{files.root}".authority]\nscripted = true\n'
    settings = files.load("", user)
    assert settings.authority_key == str(Path.home() / "id")
    assert settings.authority_scripted is True
    assert files.load("", 'authority.askpass = "none"').authority_askpass is None


@pytest.mark.parametrize(
    "line", ['authority.key = "id"', "authority.scripted = 1", 'authority.askpass = "ask"']
)
def test_an_unusable_word_about_signing_leaves_the_default(files: Files, line: str) -> None:
    settings = files.load("", line)
    assert settings == Settings(problems=settings.problems)
    assert len(settings.problems) == 1


@pytest.mark.parametrize("path", ["../outside.md", "/etc/passwd", "docs/../../x", "link/x.md"])
def test_a_path_that_leads_out_is_refused(files: Files, path: str) -> None:
    (files.root / "link").symlink_to(files.root.parent)
    settings = files.load(f'[paths]\n\ngoal = "{path}"\n')
    assert settings.goal is None
    ((line, text),) = problems(settings)
    assert line == 3
    assert "leads out of the repository" in text


def test_a_byte_order_mark_is_no_setting(files: Files) -> None:
    settings = files.load("\ufeffpaths.goal = 'docs/GOAL.md'\n")
    assert (settings.goal, settings.problems) == ("docs/GOAL.md", ())


def test_a_path_is_cleaned(files: Files) -> None:
    assert files.load('paths.goal = "./docs//x/../GOAL.md"').goal == "docs/GOAL.md"
    assert files.load(f'paths.goal = "{files.root}/docs/GOAL.md"').goal == "docs/GOAL.md"


@pytest.mark.parametrize(
    ("word", "command"),
    [
        ('"none"', ()),
        ('"notify-send"', ("notify-send",)),
        ('["notify-send", "-u", "critical"]', ("notify-send", "-u", "critical")),
        ("[]", ()),
    ],
)
def test_how_a_person_is_called_is_theirs_to_say(
    files: Files, word: str, command: tuple[str, ...]
) -> None:
    mine = f"[notify]\nbell = false\nosc = false\nmin_gap_s = 60\ncommand = {word}\n"
    settings = files.load(user=mine)
    assert settings.notify_command == command
    assert (settings.notify_bell, settings.notify_osc, settings.notify_gap_s) == (False, False, 60)
    assert settings.problems == ()


@pytest.mark.parametrize("word", ['[""]', "[1]", "3", '["a\\u0000b"]'])
def test_a_command_that_cannot_be_run_is_refused(files: Files, word: str) -> None:
    settings = files.load(user=f"notify.command = {word}\n")
    assert settings.notify_command == ()
    assert len(settings.problems) == 1


def test_a_repository_cannot_have_a_command_run(files: Files) -> None:
    settings = files.load('[notify]\ncommand = "touch"\nbell = false\n')
    assert settings.notify_command == ()
    assert settings.notify_bell
    assert [text for _, text in problems(settings)] == [
        "notify.command is not for a repository to decide, so it is not used",
        "notify.bell is not for a repository to decide, so it is not used",
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("watch.poll_s = 0", "seconds from 0.1"),
        ('watch.poll_s = "2"', "seconds from 0.1"),
        ("goal.max_bytes = -1", "whole number"),
        ("goal.max_bytes = true", "whole number"),
        ("paths.goal = 5", "a path"),
        ('paths.goal = ""', "a path"),
        ('paths.goal = "a\\u0000b"', "a path"),
    ],
)
def test_a_value_that_cannot_be_used_leaves_the_default(files: Files, line: str, said: str) -> None:
    settings = files.load(f"\n{line}\n")
    assert settings == Settings(problems=settings.problems)
    ((number, text),) = problems(settings)
    assert number == 2
    assert said in text


def test_unknown_keys_are_named_with_their_line(files: Files) -> None:
    settings = files.load('[watch]\npoll_s = 2\nspeed = "fast"\n[colours]\nred = 1\n')
    assert settings.poll_s == 2
    assert problems(settings) == [
        (3, "unknown setting watch.speed"),
        (5, "unknown setting colours.red"),
    ]


@pytest.mark.parametrize(
    ("data", "line"),
    [(b"a = 1\nb = = 2\n", 2), (b"a = 1\nb = '\xff'\n", 2), (b"a = 1\na = 2\n", 2)],
)
def test_a_file_that_is_no_toml_is_named_with_its_line(
    files: Files, data: bytes, line: int
) -> None:
    settings = files.load(data)
    assert [problem.line for problem in settings.problems] == [line]
    assert settings.problems[0].path == ".ppgp/config.toml"


def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    (tmp_path / ".ppgp" / "config.toml").mkdir(parents=True)
    (tmp_path / "user").mkdir()
    settings = load_settings(tmp_path, tmp_path / "user")
    assert [problem.path for problem in settings.problems] == [
        ".ppgp/config.toml",
        str(tmp_path / "user"),
    ]


def test_patterns_for_further_sessions_are_the_users_own(files: Files, tmp_path: Path) -> None:
    user = tmp_path / "mine.toml"
    user.write_text('[sessions]\npaths = ["/src/*"]\n')
    assert load_settings(tmp_path, user).sessions_paths == ("/src/*",)
    user.write_text('[sessions]\npaths = ["src/*"]\n')
    assert load_settings(tmp_path, user).sessions_paths == ()
    theirs = files.load('[sessions]\npaths = ["/src/*"]\n')
    assert theirs.sessions_paths == ()
    assert "not for a repository to decide" in problems(theirs)[0][1]
