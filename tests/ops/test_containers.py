"""compose.yaml and the Dockerfile: pinned, without root, without rights, limited, and with health checks."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from backgammon.demo import processes
from tools.services.environment import ROOT

SERVICES: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
PINNED = re.compile(r"[\w./-]+:\d+\.\d+(\.\d+)?(-[\w.]+)*")
every_service = pytest.mark.parametrize("name", sorted(SERVICES))


@every_service
def test_it_has_no_rights_and_writes_nowhere_else(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else [])
    assert not {"privileged", "network_mode", "pid", "devices", "ipc"} & set(service)
    assert all(":" in volume and not volume.startswith(("/", ".")) for volume in service.get("volumes", []))


@every_service
def test_it_has_limits_and_its_log_does_not_fill_the_disk(name: str) -> None:
    service = SERVICES[name]
    assert re.fullmatch(r"\d+[mg]", service["mem_limit"])
    assert 0 < service["pids_limit"] <= 512
    assert service["logging"]["options"]["max-size"] == "10m"


@pytest.mark.parametrize("name", sorted(SERVICES.keys() - {"prepare"}))
def test_it_has_a_health_check(name: str) -> None:
    check = SERVICES[name]["healthcheck"]
    assert check["test"][0] in ("CMD", "CMD-SHELL")
    assert {"interval", "timeout", "retries"} <= set(check)


@pytest.mark.parametrize("name", [part.name for part in processes.worker_processes(env={}) if part.name != "beat"])
def test_a_worker_is_asked_by_its_own_name(name: str) -> None:
    service = SERVICES[name]
    assert service["environment"]["WORKER"] == name
    assert f"--hostname={name}@%h" in service["command"]


@pytest.mark.parametrize("name", ["postgres", "redis"])
def test_it_does_not_run_as_root(name: str) -> None:
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", SERVICES[name]["user"])


def test_the_site_s_image_does_not_run_as_root_and_owns_no_code() -> None:
    assert DOCKERFILE.index("USER tablero") < DOCKERFILE.index("CMD [")
    assert "chown -R root: /srv/static" in DOCKERFILE
    assert "--require-hashes" in DOCKERFILE


def test_images_have_a_version() -> None:
    images = [service["image"] for service in SERVICES.values() if service["image"] != "tablero"]
    images += re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert len(images) == 4
    assert [image for image in images if not PINNED.fullmatch(image.partition("@")[0])] == []


def test_only_the_proxy_is_reachable_from_outside() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
