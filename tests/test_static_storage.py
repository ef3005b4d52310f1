"""The collected static files, as WhiteNoise serves them."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

import brotli
import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import RequestFactory, override_settings
from whitenoise.middleware import WhiteNoiseMiddleware

from tools.services import prebuilt
from tools.services.environment import ROOT

SMALL = 400  # bytes: compression may not pay
TEXT = (".js", ".css", ".svg", ".json", ".webmanifest", ".txt", ".html")
FOR_EVER = "max-age=315360000, public, immutable"


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(prebuilt.static_files(tmp_path_factory.mktemp("var"))["STATIC_ROOT"])


@pytest.fixture(scope="module")
def names(collected: Path) -> dict[str, str]:
    """The files that pages may name, with their names with hashes."""
    paths: dict[str, str] = json.loads((collected / "staticfiles.json").read_text())["paths"]
    return paths


@pytest.fixture
def served(collected: Path) -> Iterator[WhiteNoiseMiddleware]:
    hashed = {"staticfiles": {"BACKEND": "backgammon.static_storage.ManifestStaticFilesStorage"}}
    storages, folder = {**settings.STORAGES, **hashed}, str(collected)
    with override_settings(STORAGES=storages, STATIC_ROOT=folder, WHITENOISE_USE_FINDERS=False):
        yield WhiteNoiseMiddleware(lambda request: HttpResponse(status=404))


def test_every_file_is_served_compressed_and_for_ever(
    collected: Path, names: dict[str, str], served: WhiteNoiseMiddleware, rf: RequestFactory
) -> None:
    checked = 0
    for name in names.values():
        plain = (collected / name).read_bytes()
        if len(plain) < SMALL or not name.endswith(TEXT):
            continue
        checked += 1
        for accepted, used, decompress in (
            ("gzip, deflate, br, zstd", "br", brotli.decompress),
            ("gzip, deflate", "gzip", gzip.decompress),
            ("identity", None, bytes),
        ):
            response = served(rf.get(f"/static/{name}", headers={"accept-encoding": accepted}))
            assert response.status_code == 200, name
            body = b"".join(response)
            response.file_to_stream.close()
            facts = {key: response.headers.get(key) for key in ("Content-Encoding", "Cache-Control", "Vary")}
            assert facts == {"Content-Encoding": used, "Cache-Control": FOR_EVER, "Vary": "Accept-Encoding"}, name
            assert int(response.headers["Content-Length"]) == len(body) <= len(plain), name
            assert decompress(body) == plain, name
    assert checked > 100


def test_pages_name_only_files_that_are_collected(names: dict[str, str]) -> None:
    named = {
        found
        for path in (ROOT / "templates").rglob("*.html")
        for found in re.findall(r"""\{% static ['"]([^'"]+)['"] %\}""", path.read_text())
    }
    assert {"css/site.css", "js/site.js", "js/match/live-page.js", "img/favicon.svg"} <= named
    assert named - {*names} == set()


def test_only_bundles_have_names_with_hashes(collected: Path, names: dict[str, str]) -> None:
    assert "js/board/dice.js" not in names
    assert (collected / "js/board/dice.js").exists()
    bundle = (collected / names["js/match/live-page.js"]).read_text()
    assert bundle.count('$modules["js/board/dice.js"]??=') == 1
    assert re.findall(r'\bimport\b.{,20}["\'(]', bundle) == []
    assert "@import" not in (collected / names["css/site.css"]).read_text()


def test_an_address_in_a_sheet_has_its_hash(collected: Path, names: dict[str, str]) -> None:
    font = names["vendor/fonts/alegreya-latin.woff2"]
    assert f'url("../{font}")' in (collected / names["css/site.css"]).read_text()
