"""Uploads and downloads: limited in size, never executed, never served as a page or a formula."""

from __future__ import annotations

import csv
import io

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.users import services as users
from accounts.web.csv_escape import escape_cell

pytestmark = pytest.mark.django_db


@pytest.fixture
def signed_in(client: Client, ana: User) -> Client:
    cache.clear()
    client.force_login(ana, backend=users.BACKEND)
    return client


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_a_cell_is_never_a_formula(start: str) -> None:
    escaped = escape_cell(f"{start}1+1")
    assert escaped == f"'{start}1+1"
    text = io.StringIO()
    csv.writer(text).writerow([escaped])
    assert next(csv.reader(io.StringIO(text.getvalue(), newline="")))[0].startswith("'")


def test_numbers_and_names_are_not_escaped() -> None:
    assert [escape_cell(value) for value in (-2, 1.5, None, "ana", "a=b", "")] == [-2, 1.5, None, "ana", "a=b", ""]


@pytest.mark.parametrize("name", ["x.html", "x.svg", "../../x.mat", "x.php", "x\x00.mat"])
def test_a_file_is_parsed_as_a_match_or_refused_and_never_stored(signed_in: Client, name: str) -> None:
    sent = SimpleUploadedFile(name, b"<script>alert(1)</script>", content_type="text/html")
    answer = signed_in.post(reverse("match-import"), {"file": sent})
    assert answer.status_code in (200, 422)
    assert "<script>alert" not in answer.content.decode()


def test_a_file_that_is_too_large_is_refused(signed_in: Client) -> None:
    answer = signed_in.post(reverse("match-import"), {"file": SimpleUploadedFile("x.mat", b"x" * 5_000_000)})
    assert answer.status_code in (200, 413, 422)


def test_a_form_that_is_too_large_is_refused(signed_in: Client) -> None:
    answer = signed_in.post(reverse("match-import"), {"text": "x" * 3_000_000})
    assert answer.status_code in (400, 413)


def test_no_model_stores_a_file(db: None) -> None:
    from django.apps import apps
    from django.db.models import FileField

    file_fields = [field for model in apps.get_models() for field in model._meta.fields if isinstance(field, FileField)]
    assert file_fields == []
