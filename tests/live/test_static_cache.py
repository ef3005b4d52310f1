"""The files of a real site, from Django and from memory."""

from __future__ import annotations

import re
import urllib.request

import brotli
import pytest

from tools.services.site import Site

pytestmark = [pytest.mark.processes, pytest.mark.looks]


def answered(url: str, encodings: str = "identity") -> tuple[dict[str, str], bytes]:
    """(headers that are not of this one answer, body)"""
    request = urllib.request.Request(url, headers={"Accept-Encoding": encodings})  # noqa: S310 - the site's own
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
        headers = {name.lower(): value for name, value in answer.headers.items()}
        assert headers.pop("x-request-id")
        headers.pop("date", None)
        return headers, answer.read()


def test_a_cached_file_is_served_with_all_its_headers(site: Site) -> None:
    with urllib.request.urlopen(site.url, timeout=60) as page:  # noqa: S310 - the site's own
        found = re.search(r"/static/css/site\.[0-9a-f]{12}\.css", page.read().decode())
    assert found
    url = f"{site.url}{found.group()}"
    first, second = answered(url), answered(url)
    assert first == second
    assert "immutable" in first[0]["cache-control"]
    assert first[0]["x-content-type-options"] == "nosniff"
    assert first[0]["cross-origin-resource-policy"] == "same-origin"
    assert b"--" in first[1]
    for _ in range(2):
        headers, body = answered(url, "gzip, deflate, br, zstd")
        assert headers["content-encoding"] == "br"
        assert headers["vary"] == "Accept-Encoding"
        assert brotli.decompress(body) == first[1]
