"""The operations documents agree with the code."""

from __future__ import annotations

import hashlib
import re

import pytest
import yaml

from backgammon.demo import processes
from tools.services.environment import ROOT


def text(path: str) -> str:
    return (ROOT / path).read_text()


def test_every_setting_is_in_the_table() -> None:
    used = set(re.findall(r'\benv\.\w+\(\s*"([A-Z_]+)"', text("backgammon/settings.py")))
    listed = re.findall(r"^\| `([A-Z_]+)` \|", text("docs/operations.md"), re.MULTILINE)
    assert sorted(used) == sorted(listed)  # and none twice


@pytest.fixture
def compose() -> dict:
    return yaml.safe_load(text("compose.yaml"))


def test_compose_has_all_processes(compose: dict) -> None:
    site_services = {"prepare", "web", "clocks", "bots", "analysis", "beat"}
    assert set(compose["services"]) == {"proxy", "postgres", "redis", *site_services}
    for name in site_services:
        assert {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "HTTPS"} <= set(compose["services"][name]["environment"])


@pytest.mark.parametrize("part", [part.name for part in processes.worker_processes(env={})])
def test_compose_and_operations_run_the_same_commands_as_the_demo(compose: dict, part: str) -> None:
    demo_command = next(p.command for p in processes.worker_processes(env={}) if p.name == part)
    what_matters = [word for word in demo_command[demo_command.index("-A") :] if not word.startswith("--without")]
    compose_command = compose["services"][part]["command"]
    assert compose_command[compose_command.index("-A") :] == what_matters
    assert " ".join(what_matters) in text("docs/operations.md").replace(" \\\n  ", " ")


def test_the_web_process_has_the_same_limits_everywhere() -> None:
    limits = f"--websocket-max-message-size {processes.MAX_FRAME} --websocket-max-frame-size {processes.MAX_FRAME}"
    limits += f" --websocket_connect_timeout {processes.CONNECT_TIMEOUT}"
    assert limits in " ".join(processes.web_process(3, env={}).command)
    assert limits in text("docs/operations.md")
    assert limits in text("Dockerfile").replace('", "', " ")


def test_every_path_in_contributing_exists() -> None:
    guide = text("CONTRIBUTING.md")
    named = [*re.findall(r"`([\w.-]+/[\w./-]*)`", guide), *re.findall(r"\]\(([^)#]+)", guide)]
    assert len(named) > 40
    inside_a_named_folder = {"web/"}
    assert [path for path in named if path not in inside_a_named_folder and not (ROOT / path).exists()] == []


def test_every_make_target_in_contributing_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", text("Makefile"), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z-]+)", text("CONTRIBUTING.md"))) <= targets


def test_the_licence_is_the_unchanged_agpl() -> None:
    # MD5 names the text as the Free Software Foundation publishes it; nothing is kept secret by it.
    assert hashlib.md5((ROOT / "LICENSE").read_bytes()).hexdigest() == "eb1e647870add0502f8f010b19de32af"  # noqa: S324


@pytest.mark.parametrize("lock", ["requirements/base.txt", "requirements/test.txt", "package-lock.json"])
def test_no_lock_file_has_registry_addresses(lock: str) -> None:
    assert [line for line in text(lock).splitlines() if "://" in line and '"url"' not in line] == []
