"""What a command of an audit tries to reach, and does not: nothing of the person's changes, nothing
of it is read, nobody outside hears of it.

Each attack prints ESCAPED when it has reached something, and TRIED at its end. That the attacks are
real is seen from the same ones without a sandbox: there they do the harm.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ppgp_tui.audit import machine
from tests.e2e.audit.victim import ESCAPED, MIB, PYTHON, SECRET, TIGHT, Victim

pytestmark = pytest.mark.skipif(not machine.bubblewrap()[0], reason=machine.bubblewrap()[1])

WRITES = {
    "a file in the home": "open(HOME + '/planted', 'w').write('x')",
    "a file beside the home": "open(HOME + '/../planted', 'w').write('x')",
    "the start files of the shell": "open(HOME + '/.bashrc', 'a').write('x')",
    "the work tree": "open(ROOT + '/README.md', 'w').write('x')",
    "an untracked file in the work tree": "open(ROOT + '/planted', 'w').write('x')",
    "the name of the root": "os.rename(ROOT, ROOT + '.gone')",
    "the modes of the work tree": "os.chmod(ROOT + '/tools/run.sh', 0o400); os.chmod(ROOT, 0o777)",
    "the times of the work tree": "os.utime(ROOT + '/README.md', (1, 1))",
    "all of the work tree": "import shutil; shutil.rmtree(ROOT)",
    "the repository": "import shutil; shutil.rmtree(ROOT + '/.git')",
    "a hook of Git": "open(ROOT + '/.git/hooks/post-checkout', 'w').write('x')",
    "the settings of Git": "open(ROOT + '/.git/config', 'a').write('[core]\\n\\tfsmonitor = x\\n')",
    "a commit": "assert not os.system(f\"cd '{ROOT}' && {COMMIT}\")",
    "a link out of the tree": "os.symlink(HOME, 'out'); open('out/planted', 'w').write('x')",
    "another name of a file": "os.link(HOME + '/.netrc', 'netrc'); open('netrc', 'w').write('x')",
    "a name with a line end": "open(HOME + '/two\\nlines', 'w').write('x')",
    "a folder of programs": "open(os.path.dirname(sys.executable) + '/git', 'w').write('x')",
}  # fmt: skip
"""Each is one way to change what is not the command's; all of them run in one command."""
READS = {
    "ssh keys": "open(HOME + '/.ssh/id_ed25519')",
    "settings": "open(HOME + '/.config/gh/hosts.yml')",
    "credentials of an agent": "open(HOME + '/.claude/.credentials.json')",
    "the authority key": "open(HOME + '/.local/share/ppgp-tui/authority/key')",
    "our own state": "open(HOME + '/.local/state/ppgp-tui/roots/0123456789abcdef/trusted.json')",
    "our own settings": "open(HOME + '/.config/ppgp-tui/config.toml')",
    "the home": "open(HOME + '/notes/diary.txt')",
    "the home, by the user's record": "open(os.path.expanduser('~/.netrc'))",
    "answers that wait": "open(ROOT + '/.ppgp/run/answers/one.json')",
    "a variable of the person's": "__import__('io').StringIO(os.environ['API_TOKEN'])",
    "variables of the process above": "open('/proc/%d/environ' % os.getppid())",
}


@pytest.mark.parametrize("what", WRITES)
def test_nothing_of_the_persons_changes(victim: Victim, what: str) -> None:
    before = victim.digest()
    ran = victim.runs_python(f"try:\n    {WRITES[what]}\nexcept OSError as error: print(error)")
    assert "TRIED" in ran.output or "AssertionError" in ran.output, ran
    assert victim.digest() == before
    assert not (victim.home.parent / "planted").exists()


@pytest.mark.parametrize("what", [name for name in WRITES if "programs" not in name])
def test_without_a_sandbox_each_of_these_does_its_harm(victim: Victim, what: str) -> None:
    before = victim.digest()
    _unkept(victim, WRITES[what])
    assert victim.digest() != before or (victim.home.parent / "planted").exists()


@pytest.mark.parametrize("what", READS)
def test_nothing_of_the_persons_is_read(victim: Victim, what: str) -> None:
    ran = victim.runs_python(
        f"try:\n    print({READS[what]}.read())\nexcept (OSError, KeyError) as error: print(error)"
    )
    assert "TRIED" in ran.output, ran
    assert SECRET not in ran.output


@pytest.mark.parametrize("what", [name for name in READS if "process" not in name])
def test_without_a_sandbox_each_of_these_is_read(victim: Victim, what: str) -> None:
    assert SECRET in _unkept(victim, f"print({READS[what]}.read())")


def test_no_file_anywhere_that_it_sees_has_a_secret(victim: Victim) -> None:
    ran = victim.runs_python(
        f"""
mark, seen = {SECRET[:12]!r} + {SECRET[12:]!r}, 0
for top in ('/home', '/root', '/tmp', '/run', '/var', '/srv', '/mnt', '/opt', '/dev/shm', ROOT):
    for folder, _, names in os.walk(top):
        for name in names:
            seen += 1
            try:
                if mark.encode() in open(os.path.join(folder, name), 'rb').read(1 << 16):
                    print('{ESCAPED}', folder, name)
            except OSError:
                pass
print(seen)
"""
    )
    assert "TRIED" in ran.output, ran
    assert ESCAPED not in ran.output


def test_passwords_and_private_keys_of_the_system_are_not_there(victim: Victim) -> None:
    ran = victim.runs("sh", "-c", "cat /etc/shadow /etc/ssl/private/* /etc/ssh/*; ls /etc; id")
    assert "root:" not in ran.output
    assert "PRIVATE KEY" not in ran.output
    assert "passwd" in ran.output


def test_other_processes_are_not_there(victim: Victim) -> None:
    ran = victim.runs_python(
        f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
pids = [int(name) for name in os.listdir('/proc') if name.isdigit()]
print('processes', sorted(pids) == [1, os.getpid()])
status = [open('/proc/%d/status' % pid).read() for pid in pids]
print('powerless', all('CapPrm:\\t0000000000000000' in one for one in status))
print('same root', os.path.samefile('/proc/1/root', '/'))
if HOST > 99:
    print('traced', libc.ptrace(16, HOST, 0, 0))
    print('there', os.path.exists('/proc/%d' % HOST))
    try:
        os.kill(HOST, 0)
        print('{ESCAPED}')
    except ProcessLookupError:
        pass
"""
    )
    assert "TRIED" in ran.output, ran
    assert ran.output.startswith("processes True\npowerless True\nsame root True\n"), ran.output
    assert "there True" not in ran.output
    assert "traced 0" not in ran.output
    assert ESCAPED not in ran.output


def test_namespaces_mounts_and_privileges_are_out_of_reach(victim: Victim) -> None:
    before = victim.digest()
    ran = victim.runs(
        "sh", "-c",
        'for it in "$PWD" / /usr /proc; do mount -o remount,rw,bind "$it" && echo ESCAPED; done;'
        "mount -t tmpfs none /tmp && echo ESCAPED; umount \"$PWD/.git\" && echo ESCAPED;"
        "unshare -Ur true && echo ESCAPED; unshare -m true && echo ESCAPED;"
        "nsenter -t 1 -m true && echo ESCAPED; chroot / true && echo ESCAPED;"
        "mknod disk b 254 0 && echo ESCAPED; echo 1 > /proc/sys/vm/drop_caches && echo ESCAPED;"
        "echo b > /proc/sysrq-trigger && echo ESCAPED; touch /new && echo ESCAPED;"
        "touch /dev/new && echo ESCAPED; touch /usr/new && echo ESCAPED;"
        "grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status",
    )  # fmt: skip
    assert ESCAPED not in ran.output
    assert ran.output.count("0000000000000000") == 2
    assert "NoNewPrivs:\t1" in ran.output
    assert victim.digest() == before


def test_a_set_uid_program_gives_nothing(victim: Victim) -> None:
    ran = victim.runs(
        "sh", "-c",
        "cp /bin/sh own && chmod 4755 own && ./own -p -c 'grep CapEff /proc/self/status';"
        "for it in su mount passwd; do p=$(command -v $it) && ls -l $p; done;"
        "su -c 'echo ESCAPED' nobody < /dev/null",
    )  # fmt: skip
    assert ran.output.count("0000000000000000") == 1
    assert ESCAPED not in ran.output


def test_to_kill_the_first_process_inside_ends_nothing_but_itself(victim: Victim) -> None:
    ran = victim.runs("sh", "-c", "kill -9 1; kill -9 -1; sleep 0.2; echo still here")
    assert ran.ended in ("exited", "signal")
    assert victim.runs("sh", "-c", "echo fine").output == "fine\n"


def test_it_finds_a_copy_with_the_changes_of_the_moment_and_git_beside_it(victim: Victim) -> None:
    ran = victim.runs(
        "sh", "-c",
        "pwd; cat README.md; ls -A; cat odd*; tools/run.sh; git log --format=%s; touch new; ls new",
    )  # fmt: skip
    assert ran.code == 0, ran
    assert ran.output.startswith(f"{victim.root}\na project, changed\n")
    assert "two lines\nran\nBegin\nnew\n" in ran.output
    assert not (victim.root / "new").exists()


def test_a_sparse_file_in_the_tree_costs_what_it_holds(victim: Victim) -> None:
    with (victim.root / "bomb").open("wb") as file:
        file.truncate(1 << 40)
    ran = victim.runs("stat", "-c", "%s", "bomb")
    assert (ran.code, ran.output) == (0, f"{1 << 40}\n"), ran


def test_a_tree_that_is_too_large_is_read_only_and_says_so_when_it_is_written_to(
    victim: Victim,
) -> None:
    (victim.root / "large").write_bytes(os.urandom(40 * MIB))
    assert victim.runs("cat", "README.md").output == "a project, changed\n"
    before = victim.digest()
    ran = victim.runs("touch", "new")
    assert ran.ended == "unborn"
    assert "it writes to the work tree, and the work tree is too large to copy: 40 MiB" in ran.why
    assert victim.digest() == before


def test_a_tree_of_too_many_files_is_not_copied_either(victim: Victim) -> None:
    for number in range(TIGHT.files + 1):
        (victim.root / f"f{number}").touch()
    ran = victim.runs("touch", "new")
    assert ran.ended == "unborn"
    assert "files" in ran.why


def test_installed_folders_and_builds_are_not_copied(victim: Victim) -> None:
    for name in ("node_modules", ".venv", "packages/one/node_modules", "target", "build"):
        (victim.root / name).mkdir(parents=True)
        (victim.root / name / "large").write_bytes(os.urandom(20 * MIB))
    for name in ("target", "build"):
        (victim.root / name / "CACHEDIR.TAG").write_text(
            "Signature: 8a477f597d28d172789f06886806bc55"
        )
    ran = victim.runs(
        "sh", "-c",
        "ls -d */; ls packages/one/node_modules .venv; touch node_modules/x || touch target",
    )  # fmt: skip
    assert ran.code == 0, ran
    assert ran.output.count("large") == 2
    assert "Read-only file system" in ran.output
    assert "build" not in ran.output


def _unkept(victim: Victim, script: str) -> str:
    done = subprocess.run(
        [PYTHON, "-c", victim.script(script)], cwd=victim.root, env=victim.environ,
        capture_output=True, text=True,
    )  # fmt: skip
    return done.stdout


def test_links_and_worktrees_elsewhere_are_not_followed_by_what_is_shown(tmp_path: Path) -> None:
    victim = Victim(tmp_path)
    (victim.root / ".git").rename(victim.home / "moved.git")
    (victim.root / ".git").write_text(f"gitdir: {victim.home}/.ssh\n")
    ran = victim.runs("cat", f"{victim.home}/.ssh/id_ed25519")
    assert SECRET not in ran.output
    assert ran.code == 1
