"""A player's whole archive as a file: everything in it, written in slices, by one worker at a time."""

from __future__ import annotations

import csv
import io
import json
import math
import zipfile
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.users.services import BACKEND
from games import formats, services, tasks
from games.errors import Refused
from games.models import ArchiveExport, Match
from games.selectors import exports
from tests.games.test_imports import MAT

pytestmark = pytest.mark.django_db
Table = Callable[..., Match]


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user, backend=BACKEND)
    return client


@pytest.fixture
def played(open_table: Table, act: Callable[..., Any], bea: User) -> Callable[..., Match]:
    """Return a function that plays a short match of ana and bea to its end."""

    def play(**terms: Any) -> Match:
        match = open_table(**{"clock": "none", "rated": False, **terms})
        act(match, bea, "resign match")
        match.refresh_from_db()
        return match

    return play


def opened(body: bytes | memoryview | None) -> zipfile.ZipFile:
    archive = zipfile.ZipFile(io.BytesIO(bytes(body or b"")))
    assert archive.testzip() is None
    return archive


def test_an_archive_holds_each_match_in_a_suitable_format_with_csv_and_marks(
    played: Callable[..., Match], ana: User, bea: User
) -> None:
    plain, damas, acey = played(), played(variant="damas", length=2), played(variant="acey-deucey", length=15)
    client_of(ana).post(reverse("match-import"), {"file": SimpleUploadedFile("match.mat", MAT.encode())})
    read = Match.objects.get(source="mat")
    services.match_mark(match_id=damas.pk, user=ana, favourite=True, note="¡qué final!", tags=["final"])
    services.match_mark(match_id=damas.pk, user=bea, note="hers")
    ana.language = "es"
    archive = opened(exports.write_archive(ana, seconds=math.inf).body)
    names = {name.rpartition("_")[2]: name for name in archive.namelist() if name.startswith("matches/")}
    assert set(names) == {f"{plain.pk}.mat", f"{damas.pk}.pdn", f"{acey.pk}.json", f"{read.pk}.mat"}
    for name in names.values():
        assert formats.read(archive.read(name), name).record is not None
    assert "ana-bea" in names[f"{plain.pk}.mat"]
    rows = list(csv.DictReader(io.StringIO(archive.read("matches.csv").decode())))
    assert {row["match"]: (row["white"], row["black"], row["winner"]) for row in rows} == {
        plain.pk: ("ana", "bea", "white"),
        damas.pk: ("ana", "bea", "white"),
        acey.pk: ("ana", "bea", "white"),
        read.pk: ("gus", "hugo", "white"),
    }
    assert {row["file"] for row in rows} == set(names.values())
    assert json.loads(archive.read("marks.json")) == [
        {"match": damas.pk, "favourite": True, "note": "¡qué final!", "tags": ["final"]}
    ]


def test_a_name_that_looks_like_a_formula_stays_a_name(ana: User) -> None:
    text = MAT.replace("gus", "=1+1")
    client_of(ana).post(reverse("match-import"), {"file": SimpleUploadedFile("match.mat", text.encode())})
    archive = opened(exports.write_archive(ana, seconds=math.inf).body)
    assert next(csv.DictReader(io.StringIO(archive.read("matches.csv").decode())))["white"] == "'=1+1"


def test_an_archive_is_written_in_resumable_slices(played: Callable[..., Match], ana: User) -> None:
    ids = {played(length=1).pk for _ in range(3)}
    whole = exports.write_archive(ana, seconds=math.inf)
    part = exports.write_archive(ana, seconds=0)
    done = [part.done]
    while not part.finished:
        part = exports.write_archive(ana, part.body, seconds=0)
        done.append(part.done)
    assert done == [1, 2, 3]
    assert opened(part.body).namelist() == opened(whole.body).namelist()
    assert {name.rpartition("_")[2].partition(".")[0] for name in opened(part.body).namelist()} >= ids


def test_a_worker_that_is_killed_loses_one_slice(
    played: Callable[..., Match], ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        played(length=1)
    export = services.archive_request(user=ana)
    monkeypatch.setattr(exports, "SLICE_SECONDS", 0)
    claimed = services.archive_claim(export_id=export.pk)
    first = exports.write_archive(ana, seconds=0)
    assert claimed
    assert services.archive_save(export=claimed, body=first.body, done=first.done, finished=False)
    dead = services.archive_claim(export_id=export.pk)  # and never returns
    assert services.archives_sweep() == 0
    ArchiveExport.objects.update(touched_at=dead.touched_at - timedelta(minutes=2))
    assert services.archives_sweep() == 1
    for _ in range(3):
        tasks.archive_write(export.pk)
    export.refresh_from_db()
    assert (export.status, export.done, export.total) == ("ready", 3, 3)
    assert len([name for name in opened(export.body).namelist() if name.startswith("matches/")]) == 3


def test_a_stalled_worker_does_not_overwrite_the_work_of_its_successor(played: Callable[..., Match], ana: User) -> None:
    played()
    export = services.archive_request(user=ana)
    slow = services.archive_claim(export_id=export.pk)
    tasks.archive_write(export.pk)
    assert not services.archive_save(export=slow, body=b"old", done=0, finished=False)
    export.refresh_from_db()
    assert export.status == "ready"
    assert services.archive_claim(export_id=export.pk) is None
    opened(export.body)


def test_there_is_one_archive_at_a_time_and_a_new_one_replaces_it(
    played: Callable[..., Match], ana: User, bea: User
) -> None:
    played()
    first = services.archive_request(user=ana)
    assert services.archive_request(user=ana) == first
    assert services.archive_request(user=bea) != first
    tasks.archive_write(first.pk)
    second = services.archive_request(user=ana)
    ready, last = exports.latest_exports(ana)
    assert (ready, last) == (first, second)
    tasks.archive_write(second.pk)
    assert list(ArchiveExport.objects.filter(user=ana)) == [second]


def test_an_archive_is_kept_for_seven_days(played: Callable[..., Match], ana: User) -> None:
    played()
    export = services.archive_request(user=ana)
    tasks.archive_write(export.pk)
    export.refresh_from_db()
    for days, left in ((6, 1), (8, 0)):
        ArchiveExport.objects.update(touched_at=export.touched_at - timedelta(days=days))
        tasks.sweep_archives()
        assert ArchiveExport.objects.count() == left


def test_an_invalid_archive_request_is_refused(
    played: Callable[..., Match], ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Refused) as refused:
        services.archive_request(user=ana)
    assert refused.value.code == "no_matches"
    played()
    played()
    monkeypatch.setattr("games.services.exports.MAX_MATCHES", 1)
    with pytest.raises(Refused) as refused:
        services.archive_request(user=ana)
    assert refused.value.text.startswith("An export can hold up to 1 matches, and you have 2.")


def test_an_archive_that_grows_too_large_is_given_up(
    played: Callable[..., Match], ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    played()
    monkeypatch.setattr("games.services.exports.MAX_BYTES", 10)
    export = services.archive_request(user=ana)
    tasks.archive_write(export.pk)
    export.refresh_from_db()
    assert (export.status, export.body) == ("failed", None)


def test_the_page_shows_progress_and_only_the_owner_gets_the_file(
    played: Callable[..., Match], ana: User, bea: User
) -> None:
    played()
    client = client_of(ana)
    assert client.post(reverse("archive-ask")).headers["Location"] == reverse("archive")
    export = ArchiveExport.objects.get()
    page = client.get(reverse("archive"), headers={"hx-request": "true"}).content.decode()
    assert 'hx-trigger="every 2s"' in page
    assert '<progress id="archive-progress" max="1" value="0">' in page
    url = reverse("archive-file", args=[export.pk])
    assert client.get(url).status_code == 404
    tasks.archive_write(export.pk)
    assert url in client.get(reverse("archive")).content.decode()
    answer = client.get(url)
    assert answer.headers["Content-Type"] == "application/zip"
    opened(answer.content)
    assert client_of(bea).get(url).status_code == 404
