"""Who opens the site to the network opens it under this machine's own addresses there, and no others."""

from __future__ import annotations

import pytest

from backgammon.demo import lan
from backgammon.management.commands.demo import opened

EVERYWHERE = "0.0.0.0"  # noqa: S104


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two addresses in local networks, one on the internet, and the usual ones that no phone can use."""
    monkeypatch.setattr(lan, "_towards", lambda family: ["192.168.1.20"])
    monkeypatch.setattr(lan, "_routed", lambda: ["127.0.0.1", "10.0.0.7", "192.168.1.20", "169.254.3.3", "8.8.8.8"])
    monkeypatch.setattr(lan, "_named", lambda: ["127.0.1.1", "::1", "fe80::1", "not an address"])
    monkeypatch.setattr("socket.gethostname", lambda: "Clubroom.home.arpa")


@pytest.mark.usefixtures("machine")
def test_everywhere_means_the_local_network() -> None:
    assert lan.addresses(EVERYWHERE) == ["192.168.1.20", "10.0.0.7"]
    assert lan.hosts(EVERYWHERE) == ["192.168.1.20", "10.0.0.7", "clubroom.local"]


@pytest.mark.parametrize(
    ("host", "hosts"), [("127.0.0.1", []), ("localhost", []), ("::1", []), ("10.0.0.7", ["10.0.0.7"])]
)
@pytest.mark.usefixtures("machine")
def test_one_address_means_that_one(host: str, hosts: list[str]) -> None:
    assert lan.hosts(host) == hosts


@pytest.mark.usefixtures("machine")
def test_the_site_answers_there_and_nowhere_else(settings: object, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "SITE_URL"):
        monkeypatch.delenv(name, raising=False)
    settings.ALLOWED_HOSTS, settings.CSRF_TRUSTED_ORIGINS = ["localhost"], []  # type: ignore[attr-defined]
    outside = ["http://192.168.1.20:8000", "http://10.0.0.7:8000"]
    assert opened(EVERYWHERE, outside) == {
        "ALLOWED_HOSTS": "localhost,192.168.1.20,10.0.0.7,clubroom.local",
        "CSRF_TRUSTED_ORIGINS": "http://192.168.1.20:8000,http://10.0.0.7:8000",
        "SITE_URL": "http://192.168.1.20:8000",
    }
    assert opened("127.0.0.1", []) == {}
    monkeypatch.setenv("ALLOWED_HOSTS", "club.example")
    assert opened(EVERYWHERE, outside) == {}


def test_the_code_on_the_terminal_is_the_address() -> None:
    import qrcode

    lines = lan.qr("http://192.168.1.20:8000")
    code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_L, border=2)
    code.add_data("http://192.168.1.20:8000")
    wanted = code.get_matrix()
    light = {" ": (False, False), "▀": (True, False), "▄": (False, True), "█": (True, True)}
    read = [[not light[sign][half] for sign in line] for line in lines for half in (0, 1)]
    assert read[: len(wanted)] == wanted


def test_an_address_in_a_url() -> None:
    assert [lan.bracketed(address) for address in ("10.0.0.7", "fd00::7")] == ["10.0.0.7", "[fd00::7]"]


def test_this_machine_has_no_address_that_is_not_local() -> None:
    import ipaddress

    assert all(ipaddress.ip_address(address).is_private for address in lan.addresses(EVERYWHERE))
