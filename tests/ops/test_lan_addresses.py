"""A site opened to the local network accepts this machine's own private addresses there, and no others."""

from __future__ import annotations

import pytest

from backgammon.demo import lan_addresses
from backgammon.demo.site_command import lan_settings

EVERYWHERE = "0.0.0.0"  # noqa: S104


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with two private addresses, a public one, and those that phones cannot use."""
    monkeypatch.setattr(lan_addresses, "_outgoing", lambda family: ["192.168.1.20"])
    monkeypatch.setattr(
        lan_addresses, "_listed_by_linux", lambda: ["127.0.0.1", "10.0.0.7", "192.168.1.20", "169.254.3.3", "8.8.8.8"]
    )
    monkeypatch.setattr(lan_addresses, "_of_host_name", lambda: ["127.0.1.1", "::1", "fe80::1", "not an address"])
    monkeypatch.setattr("socket.gethostname", lambda: "Clubroom.home.arpa")


@pytest.mark.usefixtures("machine")
def test_listening_everywhere_adds_the_private_addresses() -> None:
    assert lan_addresses.addresses(EVERYWHERE) == ["192.168.1.20", "10.0.0.7"]
    assert lan_addresses.hosts(EVERYWHERE) == ["192.168.1.20", "10.0.0.7", "clubroom.local"]


@pytest.mark.parametrize(
    ("host", "hosts"), [("127.0.0.1", []), ("localhost", []), ("::1", []), ("10.0.0.7", ["10.0.0.7"])]
)
@pytest.mark.usefixtures("machine")
def test_listening_on_one_address_adds_only_that(host: str, hosts: list[str]) -> None:
    assert lan_addresses.hosts(host) == hosts


@pytest.mark.usefixtures("machine")
def test_the_site_accepts_exactly_these_addresses(settings: object, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "SITE_URL"):
        monkeypatch.delenv(name, raising=False)
    settings.ALLOWED_HOSTS, settings.CSRF_TRUSTED_ORIGINS = ["localhost"], []  # type: ignore[attr-defined]
    outside = ["http://192.168.1.20:8000", "http://10.0.0.7:8000"]
    assert lan_settings(EVERYWHERE, outside) == {
        "ALLOWED_HOSTS": "localhost,192.168.1.20,10.0.0.7,clubroom.local",
        "CSRF_TRUSTED_ORIGINS": "http://192.168.1.20:8000,http://10.0.0.7:8000",
        "SITE_URL": "http://192.168.1.20:8000",
    }
    assert lan_settings("127.0.0.1", []) == {}
    monkeypatch.setenv("ALLOWED_HOSTS", "club.example")
    assert lan_settings(EVERYWHERE, outside) == {}


def test_the_qr_code_has_the_url() -> None:
    import qrcode

    lines = lan_addresses.qr_code("http://192.168.1.20:8000")
    code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_L, border=2)
    code.add_data("http://192.168.1.20:8000")
    wanted = code.get_matrix()
    light = {" ": (False, False), "▀": (True, False), "▄": (False, True), "█": (True, True)}
    read = [[not light[sign][half] for sign in line] for line in lines for half in (0, 1)]
    assert read[: len(wanted)] == wanted


def test_ipv6_addresses_have_brackets_in_a_url() -> None:
    assert [lan_addresses.bracketed(address) for address in ("10.0.0.7", "fd00::7")] == ["10.0.0.7", "[fd00::7]"]


def test_only_private_addresses_of_this_machine_are_found() -> None:
    import ipaddress

    assert all(ipaddress.ip_address(address).is_private for address in lan_addresses.addresses(EVERYWHERE))
