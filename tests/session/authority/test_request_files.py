"""Requests on disk, and what may be planted among them."""

import json
from pathlib import Path

import pytest

from ppgp_tui.session.authority.damage import DamagedError
from ppgp_tui.session.authority.request_files import (
    DamagedRequest,
    RequestFile,
    create_request,
    known_repo_id,
    list_requests,
    read_request,
    repo_id,
    set_repo_id,
)
from ppgp_tui.session.canonical import canonical, digest, new_id
from ppgp_tui.session.files.safe import Folder, UnsafePathError
from tests.session.authority.conftest import HOSTILE, T0, a_request


def plant(root: Path, name: str, data: bytes) -> None:
    folder = root / ".ppgp/run/requests"
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(data)


def test_a_request_reads_back_with_the_digest_over_all_of_it(run: Folder, root: Path):
    request = a_request(
        options=["now", "later"],
        recommended="b",
        why="the tag is set",
        evidence="42 passed",
        frees=["todo:ship"],
        expires_ms=T0 + 1,
        tool={"name": "Bash", "input": {"command": "é"}},
        irreversible=True,
    )
    assert create_request(run, request) == digest(request)
    assert read_request(run, request["id"]) == RequestFile(request, digest(request))
    path = root / f".ppgp/run/requests/{request['id']}.json"
    assert path.read_bytes() == canonical(request) + b"\n"
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_request_never_replaces_another(run: Folder):
    request = a_request()
    create_request(run, request)
    with pytest.raises(FileExistsError):
        create_request(run, request | {"question": "Something else?"})
    assert read_request(run, request["id"]).request == request


def test_a_request_nobody_could_read_is_not_written(run: Folder):
    with pytest.raises(DamagedError, match="question"):
        create_request(run, a_request() | {"question": 1})
    assert list_requests(run) == []


def test_nothing_asked_yet_is_an_empty_list_and_makes_no_folder(run: Folder, root: Path):
    assert list_requests(run) == []
    assert list((root / ".ppgp/run").iterdir()) == []


@pytest.mark.parametrize("name", ["../../etc", "req_1", "req_" + "A" * 32, "goal_" + "a" * 32])
def test_only_an_id_is_part_of_a_path(run: Folder, name: str):
    with pytest.raises(DamagedError, match="not the id"):
        read_request(run, name)


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_among_the_requests_are_named_and_harm_no_other(run, root, data):
    request = a_request()
    create_request(run, request)
    planted = f"{new_id('req')}.json"
    plant(root, planted, data)
    listed = list_requests(run)
    assert RequestFile(request, digest(request)) in listed
    (damaged,) = [item for item in listed if isinstance(item, DamagedRequest)]
    assert damaged.name == planted
    assert damaged.why


@pytest.mark.parametrize(
    "changed",
    [
        {"schema": 2},
        {"id": "req_" + "0" * 32},
        {"kind": "grant"},
        {"class": "E"},
        {"question": ""},
        {"question": "a" * 4001},
        {"evidence": "a" * 8001},
        {"options": [{"key": "b", "label": "x"}]},
        {"options": [{"key": "a", "label": "x" * 501}]},
        {"options": [{"key": key, "label": "x"} for key in "abcdefghij"]},
        {"recommended": "a"},
        {"irreversible": 0},
        {"frees": "todo:x"},
        {"asker": {"actor": "agent:x"}},
        {"created_ms": -1},
        {"expires_ms": "tomorrow"},
        {"tool": {"name": "Bash", "input": "x" * 300_000}},
        {"more": 1},
    ],
    ids=lambda changed: str(changed)[:40],
)
def test_a_request_outside_its_bounds_is_damaged(run, root, changed):
    request = a_request()
    plant(root, f"{request['id']}.json", canonical(request | changed) + b"\n")
    with pytest.raises(DamagedError):
        read_request(run, request["id"])


def test_a_request_that_is_not_canonical_is_damaged(run: Folder, root: Path):
    request = a_request()
    plant(root, f"{request['id']}.json", json.dumps(request).encode())
    with pytest.raises(DamagedError, match="canonical"):
        read_request(run, request["id"])


def test_a_request_under_the_name_of_another_is_damaged(run: Folder, root: Path):
    planted = new_id("req")
    plant(root, f"{planted}.json", canonical(a_request()) + b"\n")
    with pytest.raises(DamagedError, match="not the request"):
        read_request(run, planted)


def test_a_link_is_not_followed(run: Folder, root: Path, tmp_path: Path):
    request = a_request()
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / f"{request['id']}.json").write_bytes(canonical(request) + b"\n")
    folder = root / ".ppgp/run/requests"
    folder.mkdir()
    (folder / f"{request['id']}.json").symlink_to(outside / f"{request['id']}.json")
    with pytest.raises(UnsafePathError):
        read_request(run, request["id"])
    (folder / f"{request['id']}.json").unlink()
    folder.rmdir()
    folder.symlink_to(outside)
    for act in (read_request, lambda run, _: list_requests(run)):
        with pytest.raises(UnsafePathError):
            act(run, request["id"])
    with pytest.raises(UnsafePathError):
        create_request(run, a_request())
    assert len(list(outside.iterdir())) == 1


def test_the_repository_gets_one_random_name(run: Folder, root: Path, tmp_path: Path):
    assert known_repo_id(run) is None
    name = repo_id(run)
    assert len(name) == 32
    assert repo_id(run) == known_repo_id(run) == name
    set_repo_id(run, "f" * 32)
    assert repo_id(run) == name
    (tmp_path / "other").mkdir()
    with Folder.open(tmp_path, "other") as other:
        assert repo_id(other) != name


@pytest.mark.parametrize("data", [b"", b"../..", b"x" * 1000, b"\xff\n"])
def test_a_damaged_name_of_the_repository_is_said_not_replaced(run, root, data):
    (root / ".ppgp/run/repo-id").write_bytes(data)
    with pytest.raises(DamagedError, match=r"repo-id is damaged|longer"):
        repo_id(run)
    assert (root / ".ppgp/run/repo-id").read_bytes() == data
