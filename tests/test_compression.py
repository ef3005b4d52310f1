"""Pages are compressed, so that nobody reads a secret from their lengths."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory
from django.views.decorators.cache import never_cache

from backgammon.compression import CompressionMiddleware

TEXT = "<p>Ana and Bea play.</p>" * 100


def answered(rf: RequestFactory, response: HttpResponseBase, accepted: str = "gzip, br") -> Any:
    request = rf.get("/", headers={"accept-encoding": accepted})
    return CompressionMiddleware(lambda _: response)(request)


@pytest.mark.parametrize("response", [HttpResponse(TEXT), JsonResponse({"text": TEXT})], ids=["page", "JSON"])
def test_pages_and_json_are_compressed(rf: RequestFactory, response: HttpResponse) -> None:
    plain = response.content
    compressed = answered(rf, response)
    assert compressed.headers["Content-Encoding"] == "gzip"
    assert compressed.headers["Vary"] == "Accept-Encoding"
    assert gzip.decompress(compressed.content) == plain
    assert len(compressed.content) < len(plain) / 4


def test_the_length_of_a_compressed_page_says_little(rf: RequestFactory) -> None:
    lengths = {len(answered(rf, HttpResponse(TEXT)).content) for _ in range(40)}
    assert len(lengths) > 5  # up to 100 random bytes; 40 times the same five are not to be expected in any lifetime


def events() -> Iterator[bytes]:
    yield b"data: 1\n\n"


@pytest.mark.parametrize(
    "response",
    [
        never_cache(lambda request: HttpResponse(TEXT))(RequestFactory().get("/")),
        StreamingHttpResponse(events(), content_type="text/event-stream"),
        StreamingHttpResponse([TEXT.encode()], content_type="text/html"),
        HttpResponse(b"PK" * 500, content_type="application/zip"),
        HttpResponse("short"),
    ],
    ids=["with a secret", "events", "stream", "archive", "short"],
)
def test_secrets_streams_and_files_are_not_compressed(rf: RequestFactory, response: HttpResponseBase) -> None:
    assert "Content-Encoding" not in answered(rf, response).headers


def test_browsers_without_compression_get_the_plain_page(rf: RequestFactory) -> None:
    assert answered(rf, HttpResponse(TEXT), "identity").content.decode() == TEXT


@pytest.mark.django_db
def test_pages_of_the_site_are_compressed(client: Client) -> None:
    page = client.get("/", headers={"accept-encoding": "gzip"})
    assert page.headers["Content-Encoding"] == "gzip"
    assert "</html>" in gzip.decompress(page.content).decode()
