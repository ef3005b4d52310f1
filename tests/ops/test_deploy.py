"""The deployment samples: well formed, and consistent with the code."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from backgammon.demo import processes
from tools.services.environment import ROOT

DEPLOY = ROOT / "docs" / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
NGINX = (DEPLOY / "nginx.conf").read_text()
CADDY = (DEPLOY / "Caddyfile").read_text()
PLACES = "location", "server", "upstream", "map"


def unit(path: Path) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment]
    parser.read_string(path.read_text())
    return parser


def names(text: str) -> set[str]:
    """Return the variables that an environment file sets, or shows in a comment."""
    return set(re.findall(r"^#? ?([A-Z_]+)=", text, re.MULTILINE))


def test_there_is_a_unit_for_each_process() -> None:
    assert {path.name for path in UNITS} == {
        "tablero-prepare.service", "tablero-web@.service", "tablero-backup.service",
        *(f"tablero-{part.name}.service" for part in processes.worker_processes(env={})),
    }  # fmt: skip
    wants = unit(DEPLOY / "systemd" / "tablero.target")["Unit"]["Wants"].split()
    assert wants == [
        "tablero-web@1.service", "tablero-web@2.service",
        *(f"tablero-{part.name}.service" for part in processes.worker_processes(env={})),
    ]  # fmt: skip


@pytest.mark.parametrize("part", processes.worker_processes(env={}), ids=lambda part: part.name)
def test_the_units_run_the_commands_of_the_demo(part: processes.ProcessSpec) -> None:
    exec_start = unit(DEPLOY / "systemd" / f"tablero-{part.name}.service")["Service"]["ExecStart"].replace("%%", "%")
    demo_command = [word for word in part.command[part.command.index("-A") :] if not word.startswith("--without")]
    assert exec_start.endswith(" ".join(demo_command))


def test_the_unit_of_the_web_has_the_limits_of_the_demo() -> None:
    service = unit(DEPLOY / "systemd" / "tablero-web@.service")["Service"]
    limits = f"--websocket-max-message-size {processes.MAX_FRAME} --websocket-max-frame-size {processes.MAX_FRAME}"
    assert limits in service["ExecStart"]
    assert service["ExecStart"].endswith("-b 127.0.0.1 -p 800%i backgammon.asgi:application")
    assert int(service["TimeoutStopSec"]) >= 5


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_no_unit_runs_as_root_or_may_write_elsewhere(path: Path) -> None:
    service = unit(path)["Service"]
    assert service["User"] == "tablero"
    assert service["ProtectSystem"] == "strict"
    assert service["EnvironmentFile"] == "/etc/tablero.env"
    assert "ReadWritePaths" not in service  # StateDirectory alone


def test_the_sample_environment_has_known_and_all_required_settings() -> None:
    text = (DEPLOY / "tablero.env").read_text()
    listed = set(re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs" / "operations.md").read_text(), re.MULTILINE))
    assert names(text) <= listed
    assert {"SECRET_KEY", "DATABASE_URL", "REDIS_URL", "HTTPS", "TRUST_PROXY", "TABLERO_VAR"} <= names(text)


def test_nginx_accepts_the_sample(tmp_path: Path) -> None:
    """Checked by nginx itself where it is installed; everywhere: every block is closed, every line ends."""
    assert NGINX.count("{") == NGINX.count("}")
    code = [
        line.split("  #")[0].strip() for line in NGINX.splitlines() if line.strip() and not line.strip().startswith("#")
    ]
    assert [line for line in code if not line.endswith((";", "{", "}"))] == []
    program = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
    openssl = shutil.which("openssl")
    if program is None or openssl is None:
        return
    make = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=club.example -keyout privkey.pem -out fullchain.pem"
    subprocess.run([openssl, *make.split()], cwd=tmp_path, check=True, capture_output=True)
    moved = NGINX.replace("/etc/ssl/tablero", str(tmp_path)).replace("/var/log/nginx", str(tmp_path))
    (tmp_path / "tablero.conf").write_text(moved)
    main = f"pid {tmp_path}/pid; error_log {tmp_path}/error; events {{}} http {{ include {tmp_path}/tablero.conf; }}"
    (tmp_path / "nginx.conf").write_text(main)
    done = subprocess.run([program, "-t", "-c", str(tmp_path / "nginx.conf")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_nginx_replaces_forwarding_headers_of_browsers() -> None:
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in NGINX
    assert "$proxy_add_x_forwarded_for" not in NGINX
    assert "proxy_set_header X-Forwarded-Proto $scheme;" in NGINX
    assert re.search(r"location = /metrics \{ return 404; \}", NGINX)
    assert "proxy_set_header Upgrade $http_upgrade;" in NGINX


def test_no_proxy_redirects_api_clients_from_http_to_https() -> None:
    """A token would be sent unencrypted again. The site refuses, too: tests/accounts/test_headers.py."""
    programs = "location ~ ^/(api|identity/o/api)/ { return 403; }"
    assert NGINX.index(programs) < NGINX.index("location / { return 301")
    composed = yaml.safe_load((ROOT / "compose.yaml").read_text())["configs"]["caddyfile"]["content"]
    for text in (CADDY, composed):
        _, _, plain = text.partition("http://")
        order = ["@programs path /api/* /identity/o/api/*", "handle @programs", "respond 403", "redir https://"]
        assert sorted(order, key=plain.index) == order


def test_the_caddyfile_is_balanced_and_hides_the_metrics() -> None:
    assert CADDY.count("{") == CADDY.count("}")
    assert "respond @numbers 404" in CADDY
    assert [line for line in CADDY.splitlines() if line.startswith(" ")] == []  # tabs, as `caddy fmt` writes


def test_both_proxies_forward_to_the_two_web_processes() -> None:
    for text in (NGINX, CADDY):
        assert "127.0.0.1:8001" in text
        assert "127.0.0.1:8002" in text


@pytest.mark.parametrize(
    "name", ["nginx.conf", "Caddyfile", "tablero.env", "systemd/tablero.target", "systemd/tablero-backup.timer"]
)
def test_the_manual_names_every_sample(name: str) -> None:
    assert name.rsplit("/", 1)[-1] in (DEPLOY / "README.md").read_text()


def test_containers_are_checked_by_the_readiness_probe() -> None:
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text())
    assert "/health/ready" in " ".join(compose["services"]["web"]["healthcheck"]["test"])
    assert compose["services"]["proxy"]["depends_on"]["web"]["condition"] == "service_healthy"
