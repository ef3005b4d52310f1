"""Data exports, and the declaration of every table with personal data."""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.test import Client
from django.urls import reverse
from django.utils import timezone as clock

from accounts import tasks
from accounts.errors import Refused
from accounts.models import DataExport, User
from accounts.privacy import archive
from accounts.privacy import registry as data_registry
from accounts.privacy import services as privacy
from accounts.privacy.registry import OWNED
from accounts.relationships import services as relationships
from accounts.users.services import BACKEND
from games import services as games

TEXTS = (
    *(models.CharField, models.TextField, models.JSONField, models.BinaryField, models.GenericIPAddressField),
    *(models.FileField, models.FilePathField),
)
ALL = apps.get_models(include_auto_created=True)


def people_of(model: type[models.Model]) -> set[str]:
    """The columns of a table that refer to a user."""
    fields = model._meta.concrete_fields
    return {field.name for field in fields if field.is_relation and field.related_model is User}


def texts_of(model: type[models.Model]) -> set[str]:
    """The columns that could hold text or a name of a user."""
    fields = model._meta.concrete_fields
    return {field.name for field in fields if isinstance(field, TEXTS) and not getattr(field, "choices", None)}


def opened(body: bytes | memoryview | None) -> zipfile.ZipFile:
    file = zipfile.ZipFile(io.BytesIO(bytes(body or b"")))
    assert file.testzip() is None
    return file


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user, backend=BACKEND)
    return client


# The declarations


@pytest.mark.parametrize("model", ALL, ids=lambda model: model._meta.label)
def test_every_table_declares_its_user_and_text_columns(model: type[models.Model]) -> None:
    table = data_registry.table_for(model._meta.label)
    assert table is not None, "declare it in the data.py of its app: see docs/data.md"
    assert people_of(model) <= set(table.people)
    owned = OWNED in table.people.values()
    declared = {*table.plain, *table.erased}
    assert owned or texts_of(model) <= declared, "say whether a person may be named there: see docs/data.md"
    assert declared <= texts_of(model)
    assert set(table.withheld) <= {field.name for field in model._meta.concrete_fields}


def test_every_declared_column_exists() -> None:
    assert {table.model.lower() for table in data_registry.tables()} == {model._meta.label_lower for model in ALL}


def test_every_text_to_erase_has_an_eraser_and_every_eraser_a_text() -> None:
    wanted = {f"{table.model}.{column}" for table in data_registry.tables() for column in table.erased}
    deleted = {
        f"{table.model}.{lookup}"
        for table in data_registry.tables()
        for lookup, ownership in table.people.items()
        if ownership in data_registry.DELETED
    }
    assert set(data_registry.erasers()) == wanted | deleted


# The export


@pytest.fixture
def played(ana: User, bea: User) -> Any:
    """A match that ana resigned."""
    seek = games.match_create(creator=ana, variant="backgammon", length=1, clock="none", rated=False)
    match = games.match_join(match_id=seek.pk, user=bea)
    games.match_act(match_id=match.pk, user_id=ana.pk, action="resign match", client_id="data-1")
    return match


@pytest.mark.django_db
def test_an_export_has_all_rows_of_its_user_and_no_others(ana: User, bea: User, played: Any) -> None:
    relationships.note_save(by=ana, about=bea, text="Drops too early.")
    relationships.note_save(by=bea, about=ana, text="Nobody's business.")
    games.match_mark(match_id=played.pk, user=ana, favourite=True, note="Well played", tags=["prime"])
    file = opened(archive.write_archive(ana, seconds=math.inf).body)
    for table in data_registry.tables():
        if not table.exported:
            assert f"data/{table.model}.json" not in file.namelist()
            continue
        data = json.loads(file.read(f"data/{table.model}.json"))
        rows = list(table.rows_of(ana, data_registry.EXPORTED).order_by("pk"))
        assert len(data) == len(rows)
        for exported, row in zip(data, rows, strict=True):
            assert set(exported) == {f.name for f in row._meta.concrete_fields} - set(table.withheld)
            for field in row._meta.concrete_fields:
                if field.name in exported and field.related_model is not User:
                    stored = json.loads(json.dumps(getattr(row, field.attname), cls=DjangoJSONEncoder))
                    assert exported[field.name] == stored
    notes = json.loads(file.read("data/accounts.PlayerNote.json"))
    assert [(note["by"], note["about"], note["text"]) for note in notes] == [("ana", "bea", "Drops too early.")]
    assert b"Nobody's business." not in b"".join(file.read(name) for name in file.namelist())
    assert [name for name in file.namelist() if played.pk in name] == [
        f"matches/{played.ended_at or clock.now():%Y-%m-%d}_ana-bea_{played.pk}.mat"
    ]
    assert "ana" in file.read("README.txt").decode()


@pytest.mark.django_db
def test_a_password_is_never_exported(ana: User) -> None:
    file = opened(archive.write_archive(ana, seconds=math.inf).body)
    data = b"".join(file.read(name) for name in file.namelist()).decode()
    assert ana.password not in data
    assert "password" not in json.loads(file.read("data/accounts.User.json"))[0]


@pytest.mark.django_db
def test_an_export_in_many_slices_is_the_same_as_one_at_once(ana: User, played: Any) -> None:
    whole = opened(archive.write_archive(ana, seconds=math.inf).body)
    part, slices = archive.Archive(b"", 0, finished=False), 0
    while not part.finished:
        part = archive.write_archive(ana, part.body, seconds=0)
        slices += 1
    assert slices > 10
    pieces = opened(part.body)
    assert pieces.namelist() == whole.namelist()
    assert all(pieces.read(name) == whole.read(name) for name in whole.namelist())


@pytest.mark.django_db
def test_the_rows_of_a_table_take_one_query_for_any_count(
    ana: User, person: Callable[..., User], django_assert_num_queries: Any
) -> None:
    table = data_registry.table_for("accounts.Relationship")
    assert table is not None
    for names in (["eva"], ["fran", "gil"]):
        for name in names:
            relationships.relationship_create(by=ana, about=person(name), kind="follow")
        with django_assert_num_queries(1):
            assert len(list(table.export(ana))) == (1 if names == ["eva"] else 3)


@pytest.mark.django_db(transaction=True)
def test_an_export_is_requested_downloaded_and_requested_again_the_next_day(
    ana: User, bea: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(ana)
    assert "Export my data" in client.get(reverse("data")).content.decode()
    client.post(reverse("data-ask"))
    client.post(reverse("data-ask"))
    export = DataExport.objects.get()
    page = client.get(reverse("data")).content.decode()
    assert "Preparing your data" in page
    assert f"0 of {export.total}" in page
    assert client.get(reverse("data-file", args=[export.pk])).status_code == 404

    while DataExport.objects.get().status != "ready":
        tasks.data_export_write(export.pk)
    answer = client.get(reverse("data-file", args=[export.pk]))
    assert answer.headers["Content-Type"] == "application/zip"
    assert opened(answer.content).namelist()
    assert client_of(bea).get(reverse("data-file", args=[export.pk])).status_code == 404
    assert Client().get(reverse("data-file", args=[export.pk])).status_code == 302

    with pytest.raises(Refused, match="data_soon"):
        privacy.export_request(user=ana)
    later = clock.now() + timedelta(days=1, minutes=1)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert privacy.export_request(user=ana).pk != export.pk


@pytest.mark.django_db
def test_a_download_link_is_valid_for_seven_days(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    export = privacy.export_request(user=ana)
    claimed = privacy.export_claim(export_id=export.pk)
    assert claimed is not None
    assert privacy.export_save(export=claimed, made=archive.write_archive(ana, seconds=math.inf))
    later = clock.now() + timedelta(days=7, minutes=1)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert client_of(ana).get(reverse("data-file", args=[export.pk])).status_code == 404
    tasks.sweep_data_exports()
    assert not DataExport.objects.exists()


@pytest.mark.django_db
def test_only_one_of_two_workers_writes_the_archive(ana: User) -> None:
    export = privacy.export_request(user=ana)
    slow, fast = (privacy.export_claim(export_id=export.pk) for _ in range(2))
    assert slow is not None
    assert fast is not None
    made = archive.write_archive(ana, seconds=math.inf)
    assert not privacy.export_save(export=slow, made=made)
    assert privacy.export_save(export=fast, made=made)


@pytest.mark.django_db
def test_an_archive_of_a_dead_worker_is_queued_again(ana: User) -> None:
    export = privacy.export_request(user=ana)
    assert tasks.sweep_data_exports() == 0
    DataExport.objects.update(touched_at=clock.now() - timedelta(minutes=2))
    assert tasks.sweep_data_exports() == 1
    assert privacy.export_claim(export_id=export.pk) is not None
