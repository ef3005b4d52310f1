"""Which URLs of users may be called."""

from __future__ import annotations

import pytest

from accounts.web.outbound_http import BadEndpoint, Endpoint, is_public, parse


def test_a_url_is_parsed() -> None:
    assert parse("https://push.example.net/send/abc-1?v=2") == Endpoint(
        True, "push.example.net", 443, "/send/abc-1?v=2"
    )
    assert parse("https://PUSH.example.net:443").origin == "https://push.example.net"


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://push.example.net/a", "scheme"),
        ("ftp://push.example.net/a", "scheme"),
        ("file:///etc/passwd", "scheme"),
        ("//push.example.net/a", "scheme"),
        ("https://push.example.net:8443/a", "port"),
        ("https://push.example.net:22/a", "port"),
        ("https://push.example.net:99999/a", "form"),
        ("https://127.0.0.1/a", "name"),
        ("https://10.0.0.1/a", "name"),
        ("https://169.254.169.254/latest", "name"),
        ("https://8.8.8.8/a", "name"),
        ("https://2130706433/a", "name"),
        ("https://127.1/a", "name"),
        ("https://0x7f.0.0.0x1/a", "name"),
        ("https://0177.0.0.01/a", "name"),
        ("https://[::1]/a", "name"),
        ("https://[::ffff:127.0.0.1]/a", "name"),
        ("https://[fe80::1%25eth0]/a", "name"),
        ("https://localhost/a", "name"),
        ("https://localhost./a", "name"),
        ("https://club.localhost/a", "name"),
        ("https://redis/a", "name"),
        ("https://printer.local/a", "name"),
        ("https://db.internal/a", "name"),
        ("https://router.home.arpa/a", "name"),
        ("https://-push.example.net/a", "name"),
        ("https://push..example.net/a", "name"),
        ("https:///a", "name"),
        ("https://ana@push.example.net/a", "form"),
        ("https://push.example.net@127.0.0.1/a", "form"),
        ("https://push.example.net/a#b", "form"),
        ("https://push.example.net/a b", "letters"),
        ("https://push.example.net/\r\nX: 1", "letters"),
        ("https://push.example.net\\@127.0.0.1/", "letters"),
        ("https://pusĥ.example.net/a", "letters"),
        ("\thttps://push.example.net/a", "letters"),
        ("https://push.example.net/" + "a" * 2000, "length"),
        ("", "length"),
    ],
)
def test_everything_but_https_to_a_public_name_is_refused(url: str, why: str) -> None:
    with pytest.raises(BadEndpoint, match=f"^{why}$"):
        parse(url)


def test_localhost_is_allowed_for_tests_only() -> None:
    assert parse("http://127.0.0.1:8080/push/a", loopback=True).origin == "http://127.0.0.1:8080"
    assert parse("http://[::1]:8080/push/a", loopback=True).origin == "http://[::1]:8080"
    for url in ("http://10.0.0.1/a", "http://push.example.net/a", "https://127.0.0.1/a"):
        with pytest.raises(BadEndpoint):
            parse(url, loopback=True)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        *((each, True) for each in ("8.8.8.8", "142.250.184.206", "2606:4700::1111", "64:ff9b::808:808")),
        *((each, False) for each in ("127.0.0.1", "127.8.8.8", "10.1.2.3", "172.16.0.1", "192.168.1.1")),
        *((each, False) for each in ("169.254.169.254", "100.64.0.1", "192.0.2.1", "198.18.0.1", "255.255.255.255")),
        *((each, False) for each in ("224.0.0.1", "240.0.0.1", "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1")),
        *((each, False) for each in ("ff02::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "2001:db8::1")),
        *(
            (each, False)
            for each in ("64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2001:0:7f00:1::", "fec0::1")
        ),
    ],
)
def test_only_public_addresses_are_called(address: str, public: bool) -> None:
    assert is_public(address) is public
