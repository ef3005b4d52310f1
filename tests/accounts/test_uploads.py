"""Files that come and files that go: bounded, never run, never taken for a page or a formula."""

from __future__ import annotations

import csv
import io

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts import services
from accounts.cells import cell
from accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def inside(client: Client, ana: User) -> Client:
    cache.clear()
    client.force_login(ana, backend=services.BACKEND)
    return client


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_no_cell_is_taken_for_a_formula(start: str) -> None:
    told = cell(f"{start}1+1")
    assert told == f"'{start}1+1"
    text = io.StringIO()
    csv.writer(text).writerow([told])
    assert next(csv.reader(io.StringIO(text.getvalue(), newline="")))[0].startswith("'")


def test_numbers_and_names_stay_as_they_are() -> None:
    assert [cell(one) for one in (-2, 1.5, None, "ana", "a=b", "")] == [-2, 1.5, None, "ana", "a=b", ""]


@pytest.mark.parametrize("name", ["x.html", "x.svg", "../../x.mat", "x.php", "x\x00.mat"])
def test_a_file_is_read_as_a_match_or_refused_and_never_kept(inside: Client, name: str) -> None:
    sent = SimpleUploadedFile(name, b"<script>alert(1)</script>", content_type="text/html")
    answer = inside.post(reverse("match-import"), {"file": sent})
    assert answer.status_code in (200, 422)
    assert "<script>alert" not in answer.content.decode()


def test_a_file_that_is_too_large_is_refused(inside: Client) -> None:
    answer = inside.post(reverse("match-import"), {"file": SimpleUploadedFile("x.mat", b"x" * 5_000_000)})
    assert answer.status_code in (200, 413, 422)


def test_a_form_that_is_too_large_is_refused(inside: Client) -> None:
    answer = inside.post(reverse("match-import"), {"text": "x" * 3_000_000})
    assert answer.status_code in (400, 413)


def test_no_model_keeps_a_file(db: None) -> None:
    from django.apps import apps
    from django.db.models import FileField

    kept = [field for model in apps.get_models() for field in model._meta.fields if isinstance(field, FileField)]
    assert kept == []
