"""Everything that is kept about a person as one zip file, written in the background a slice at a time.

The row is the job: each slice is claimed, adds files to `body` and is saved, so a killed worker loses one slice and the
next goes on from what is in the file. `touched_at` is the claim. Links are for their owner alone, for `KEPT`.
"""

from __future__ import annotations

import io
import json
import logging
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from celery import current_app
from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, transaction
from django.utils import timezone as clock
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts import data
from accounts.errors import Refused
from accounts.models import DataExport, User

log = logging.getLogger(__name__)

AGAIN = timedelta(days=1)
KEPT = timedelta(days=7)
MOST_BYTES = 64 * 1024 * 1024
PATIENCE = timedelta(seconds=60)  # a row in the making that nobody touched for so long has lost its worker
SLICE = 1.0  # seconds of work
FOLDER = "data/"
EPOCH = (1980, 1, 1, 0, 0, 0)
Status = DataExport.Status
UNDER_WAY = (Status.WAITING, Status.MAKING)


@dataclass(frozen=True, slots=True)
class Slice:
    """An archive after some more work: its bytes, how many files are in it, and whether that is all."""

    body: bytes
    done: int
    finished: bool


# The job


def export_ask(*, user: User) -> DataExport:
    """Ask for one's data; what is already under way is the answer. Raises Refused("data_soon"): one a day."""
    moment = clock.now()
    try:
        with transaction.atomic():
            User.objects.select_for_update().get(pk=user.pk)
            last = DataExport.objects.filter(user=user).exclude(status=Status.FAILED).order_by("-asked_at").first()
            if last is not None and last.status == Status.READY and not may_ask(last):
                raise Refused("data_soon", params={"when": date_format(last.asked_at + AGAIN, "DATETIME_FORMAT")})
            export = DataExport.objects.create(user=user, total=_total(user), asked_at=moment, touched_at=moment)
            _call(export.pk)
            return export
    except IntegrityError:  # one at a time
        return DataExport.objects.get(user=user, status__in=UNDER_WAY)


def export_claim(*, export_id: int) -> DataExport | None:
    """Take over the writing of an archive; None when it is done, or another was faster."""
    export = DataExport.objects.select_related("user").filter(pk=export_id, status__in=UNDER_WAY).first()
    if export is None:
        return None
    as_seen = DataExport.objects.filter(pk=export_id, status=export.status, touched_at=export.touched_at)
    export.status, export.touched_at = Status.MAKING, clock.now()
    return export if as_seen.update(status=export.status, touched_at=export.touched_at) else None


def export_save(*, export: DataExport, made: Slice) -> bool:
    """Keep what was written since the claim, and call for the rest; whether it was kept.

    Nothing is kept when another worker has taken over meanwhile; a file that has grown too large is given up. A
    finished archive takes the place of the older ones.
    """
    if len(made.body) > MOST_BYTES:
        export_fail(export_id=export.pk)
        return False
    status = Status.READY if made.finished else Status.MAKING
    total = made.done if made.finished else max(made.done, export.total)
    claimed = DataExport.objects.filter(pk=export.pk, status=export.status, touched_at=export.touched_at)
    with transaction.atomic():
        kept = claimed.update(body=made.body, done=made.done, total=total, status=status, touched_at=clock.now())
        if kept and made.finished:
            DataExport.objects.filter(user=export.user_id).exclude(pk=export.pk).exclude(status__in=UNDER_WAY).delete()
        elif kept:
            _call(export.pk)
    return bool(kept)


def export_fail(*, export_id: int) -> None:
    """Give an archive up: its file could not be written."""
    rows = DataExport.objects.filter(pk=export_id, status__in=UNDER_WAY)
    rows.update(status=Status.FAILED, body=None, touched_at=clock.now())


def exports_sweep() -> int:
    """Delete the archives that have been kept long enough, and call for those whose worker is gone: how many."""
    moment = clock.now()
    DataExport.objects.exclude(status__in=UNDER_WAY).filter(touched_at__lt=moment - KEPT).delete()
    lost = DataExport.objects.filter(status__in=UNDER_WAY, touched_at__lt=moment - PATIENCE)
    for export_id in (called := list(lost.values_list("pk", flat=True))):
        _call(export_id)
    return len(called)


def _call(export_id: int) -> None:
    """Ask a worker to write (some more of) an archive. If the queue is lost, the sweep asks again."""

    def send() -> None:
        try:
            current_app.send_task("accounts.tasks.data_write", args=[export_id], expires=30, ignore_result=True)
        except Exception as error:
            log.warning("no broker to write the data export %s: %s", export_id, error)

    transaction.on_commit(send)


# Reading


def latest(user: User) -> DataExport | None:
    """What he asked for last, without its body."""
    return DataExport.objects.filter(user=user).defer("body").order_by("-asked_at").first()


def may_ask(last: DataExport | None) -> bool:
    """Whether another archive can be asked for after `last`: one a day."""
    return last is None or last.status == Status.FAILED or last.asked_at <= clock.now() - AGAIN


def ready(user: User, export_id: int) -> DataExport | None:
    """An archive of `user` that can be fetched, with its body."""
    rows = DataExport.objects.filter(user=user, pk=export_id, status=Status.READY)
    return rows.filter(touched_at__gte=clock.now() - KEPT).first()


# The file


def written(user: User, body: bytes = b"", *, seconds: float = SLICE) -> Slice:
    """The archive of `user` with more files than `body` holds, after about so many seconds of work.

    All of it is `written(user, seconds=math.inf).body`.
    """
    end = time.monotonic() + seconds
    file = io.BytesIO(body)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as made:
        there = frozenset(made.namelist())
        for _written in _missing(user, made, there):
            if time.monotonic() > end:
                made.close()  # writes the directory of the file: only then are its bytes a zip
                return Slice(file.getvalue(), len(made.namelist()), finished=False)
    return Slice(file.getvalue(), len(made.namelist()), finished=True)


def _missing(user: User, made: zipfile.ZipFile, there: frozenset[str]) -> Iterator[str]:
    """Write what is not there yet, a file at a time; the page that explains it comes last."""
    for table in data.tables():
        name = f"{FOLDER}{table.model}.json"
        if table.exported and name not in there:
            _put_rows(made, name, table, user)
            yield name
    for _count, write in data.more_files():
        for name, text, at in write(user, there):
            made.writestr(_entry(name, at), text)
            yield name
    with override(user.language or settings.LANGUAGE_CODE):
        made.writestr(_entry(_("README.txt")), _readme(user))


def _put_rows(made: zipfile.ZipFile, name: str, table: data.Table, user: User) -> None:
    """The rows of a table as a JSON list, a row a line: never more than one of them in memory."""
    with made.open(_entry(name), "w") as file:
        between = b"[\n"
        for row in table.export(user):
            file.write(between + json.dumps(row, cls=DjangoJSONEncoder, ensure_ascii=False).encode())
            between = b",\n"
        file.write(b"\n]\n" if between == b",\n" else b"[]\n")


def _entry(name: str, at: tuple[int, ...] = EPOCH) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, at)  # type: ignore[arg-type]
    entry.external_attr = 0o644 << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _total(user: User) -> int:
    """About how many files there will be."""
    return sum(table.exported for table in data.tables()) + sum(count(user) for count, _w in data.more_files()) + 1


def _readme(user: User) -> str:
    said = [
        _("Everything that Tablero keeps about %(name)s.") % {"name": user.username},
        _("data/ has a file for each table of the database, with your rows in it as JSON. Times are in UTC."),
        _(
            "matches/ has a file for each finished match. Backgammon is .mat, which most programs read; draughts is "
            ".pdn; what neither can hold is .json, which Tablero reads again."
        ),
        _("Not in it: your password, of which only a hash is kept, other secrets, and what others keep to themselves."),
    ]
    return "\n\n".join(said) + "\n"
