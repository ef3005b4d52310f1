"""The list of what is kept about a person: nothing is missing in it, and an export holds all of it."""

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

from accounts import data, exports, tasks, ties
from accounts.data import OWNED
from accounts.errors import Refused
from accounts.models import DataExport, User
from accounts.services import BACKEND
from games import services as games

TEXTS = (
    *(models.CharField, models.TextField, models.JSONField, models.BinaryField, models.GenericIPAddressField),
    *(models.FileField, models.FilePathField),
)
ALL = apps.get_models(include_auto_created=True)


def people_of(model: type[models.Model]) -> set[str]:
    """The columns of a table that lead to a person."""
    fields = model._meta.concrete_fields
    return {field.name for field in fields if field.is_relation and field.related_model is User}


def texts_of(model: type[models.Model]) -> set[str]:
    """The columns in which somebody's words or name could stand."""
    fields = model._meta.concrete_fields
    return {field.name for field in fields if isinstance(field, TEXTS) and not getattr(field, "choices", None)}


def opened(body: bytes | memoryview | None) -> zipfile.ZipFile:
    archive = zipfile.ZipFile(io.BytesIO(bytes(body or b"")))
    assert archive.testzip() is None
    return archive


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user, backend=BACKEND)
    return client


# The list


@pytest.mark.parametrize("model", ALL, ids=lambda model: model._meta.label)
def test_every_table_is_declared_with_all_its_people_and_texts(model: type[models.Model]) -> None:
    table = data.table_of(model._meta.label)
    assert table is not None, "declare it in the data.py of its app: see docs/data.md"
    assert people_of(model) <= set(table.people)
    goes = OWNED in table.people.values()
    said = {*table.plain, *table.erased}
    assert goes or texts_of(model) <= said, "say whether a person may be named there: see docs/data.md"
    assert said <= texts_of(model)
    assert set(table.withheld) <= {field.name for field in model._meta.concrete_fields}


def test_nothing_is_declared_that_does_not_exist() -> None:
    assert {table.model.lower() for table in data.tables()} == {model._meta.label_lower for model in ALL}


def test_every_text_that_is_to_be_erased_has_an_eraser_and_every_eraser_a_text() -> None:
    wanted = {f"{table.model}.{column}" for table in data.tables() for column in table.erased}
    deleted = {
        f"{table.model}.{look_up}"
        for table in data.tables()
        for look_up, fate in table.people.items()
        if fate in data.DELETED
    }
    assert set(data.erasers()) == wanted | deleted


# The export


@pytest.fixture
def played(ana: User, bea: User) -> Any:
    """A match that ana resigned."""
    seek = games.match_create(creator=ana, variant="backgammon", length=1, clock="none", rated=False)
    match = games.match_join(match_id=seek.pk, user=bea)
    games.match_act(match_id=match.pk, user_id=ana.pk, action="resign match", client_id="data-1")
    return match


@pytest.mark.django_db
def test_an_export_holds_every_row_that_is_his_and_no_row_that_is_not(ana: User, bea: User, played: Any) -> None:
    ties.note_write(by=ana, about=bea, text="Drops too early.")
    ties.note_write(by=bea, about=ana, text="Nobody's business.")
    games.match_mark(match_id=played.pk, user=ana, favourite=True, note="Well played", tags=["prime"])
    archive = opened(exports.written(ana, seconds=math.inf).body)
    for table in data.tables():
        if not table.exported:
            assert f"data/{table.model}.json" not in archive.namelist()
            continue
        told = json.loads(archive.read(f"data/{table.model}.json"))
        rows = list(table.of(ana, data.EXPORTED).order_by("pk"))
        assert len(told) == len(rows)
        for said, row in zip(told, rows, strict=True):
            assert set(said) == {f.name for f in row._meta.concrete_fields} - set(table.withheld)
            for field in row._meta.concrete_fields:
                if field.name in said and field.related_model is not User:
                    kept = json.loads(json.dumps(getattr(row, field.attname), cls=DjangoJSONEncoder))
                    assert said[field.name] == kept
    notes = json.loads(archive.read("data/accounts.PlayerNote.json"))
    assert [(note["by"], note["about"], note["text"]) for note in notes] == [("ana", "bea", "Drops too early.")]
    assert b"Nobody's business." not in b"".join(archive.read(name) for name in archive.namelist())
    assert [name for name in archive.namelist() if played.pk in name] == [
        f"matches/{played.ended_at or clock.now():%Y-%m-%d}_ana-bea_{played.pk}.mat"
    ]
    assert "ana" in archive.read("README.txt").decode()


@pytest.mark.django_db
def test_a_password_is_never_exported(ana: User) -> None:
    archive = opened(exports.written(ana, seconds=math.inf).body)
    told = b"".join(archive.read(name) for name in archive.namelist()).decode()
    assert ana.password not in told
    assert "password" not in json.loads(archive.read("data/accounts.User.json"))[0]


@pytest.mark.django_db
def test_an_export_in_many_slices_is_the_same_as_one_at_once(ana: User, played: Any) -> None:
    whole = opened(exports.written(ana, seconds=math.inf).body)
    part, slices = exports.Slice(b"", 0, finished=False), 0
    while not part.finished:
        part = exports.written(ana, part.body, seconds=0)
        slices += 1
    assert slices > 10
    pieces = opened(part.body)
    assert pieces.namelist() == whole.namelist()
    assert all(pieces.read(name) == whole.read(name) for name in whole.namelist())


@pytest.mark.django_db
def test_the_rows_of_a_table_take_one_query_however_many_they_are(
    ana: User, person: Callable[..., User], django_assert_num_queries: Any
) -> None:
    table = data.table_of("accounts.Tie")
    assert table is not None
    for names in (["eva"], ["fran", "gil"]):
        for name in names:
            ties.tie_make(by=ana, about=person(name), kind="follow")
        with django_assert_num_queries(1):
            assert len(list(table.export(ana))) == (1 if names == ["eva"] else 3)


@pytest.mark.django_db(transaction=True)
def test_one_asks_waits_and_fetches_and_asks_again_the_next_day(
    ana: User, bea: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(ana)
    assert "Write my data" in client.get(reverse("data")).content.decode()
    client.post(reverse("data-ask"))
    client.post(reverse("data-ask"))
    export = DataExport.objects.get()
    page = client.get(reverse("data")).content.decode()
    assert "is being written" in page
    assert f"0 of {export.total}" in page
    assert client.get(reverse("data-file", args=[export.pk])).status_code == 404

    while DataExport.objects.get().status != "ready":
        tasks.data_write(export.pk)
    answer = client.get(reverse("data-file", args=[export.pk]))
    assert answer.headers["Content-Type"] == "application/zip"
    assert opened(answer.content).namelist()
    assert client_of(bea).get(reverse("data-file", args=[export.pk])).status_code == 404
    assert Client().get(reverse("data-file", args=[export.pk])).status_code == 302

    with pytest.raises(Refused, match="data_soon"):
        exports.export_ask(user=ana)
    later = clock.now() + timedelta(days=1, minutes=1)
    monkeypatch.setattr(exports.clock, "now", lambda: later)
    assert exports.export_ask(user=ana).pk != export.pk


@pytest.mark.django_db
def test_a_link_is_good_for_seven_days(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    export = exports.export_ask(user=ana)
    claimed = exports.export_claim(export_id=export.pk)
    assert claimed is not None
    assert exports.export_save(export=claimed, made=exports.written(ana, seconds=math.inf))
    later = clock.now() + timedelta(days=7, minutes=1)
    monkeypatch.setattr(exports.clock, "now", lambda: later)
    assert client_of(ana).get(reverse("data-file", args=[export.pk])).status_code == 404
    tasks.sweep_data()
    assert not DataExport.objects.exists()


@pytest.mark.django_db
def test_of_two_workers_one_writes(ana: User) -> None:
    export = exports.export_ask(user=ana)
    slow, fast = (exports.export_claim(export_id=export.pk) for _ in range(2))
    assert slow is not None
    assert fast is not None
    made = exports.written(ana, seconds=math.inf)
    assert not exports.export_save(export=slow, made=made)
    assert exports.export_save(export=fast, made=made)


@pytest.mark.django_db
def test_an_archive_whose_worker_is_gone_is_called_for_again(ana: User) -> None:
    export = exports.export_ask(user=ana)
    assert tasks.sweep_data() == 0
    DataExport.objects.update(touched_at=clock.now() - timedelta(minutes=2))
    assert tasks.sweep_data() == 1
    assert exports.export_claim(export_id=export.pk) is not None
