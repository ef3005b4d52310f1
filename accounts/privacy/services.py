"""Delete accounts and write data exports. The only writers of both.

Deleting an account runs what the apps declared (accounts.privacy.registry), all of it in one transaction. A `User` row
without a name stays, so that matches, ratings and tournaments hold together and every replay opens.

The row of an export is its job: each slice of work is claimed (`touched_at`), adds files to `body` and is saved, so a
killed worker loses one slice and the next goes on from what is in the file (accounts.privacy.archive).
"""

from __future__ import annotations

import logging
from datetime import timedelta

from celery import current_app
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone as clock
from django.utils.formats import date_format

from accounts.errors import Refused
from accounts.models import DataExport, User
from accounts.privacy import registry as data_registry
from accounts.privacy.anonymize import Anonymizer
from accounts.privacy.archive import Archive, file_count
from accounts.privacy.data_policy import emails_of, former_names
from accounts.privacy.selectors import REQUEST_INTERVAL, RETENTION, Status, may_request

log = logging.getLogger(__name__)

MAX_BYTES = 64 * 1024 * 1024
WORKER_TIMEOUT = timedelta(seconds=60)
"""An export in progress that nobody touched for so long has lost its worker."""
IN_PROGRESS = (Status.WAITING, Status.MAKING)


# Deleting an account


def account_delete(*, user: User) -> User:
    """Delete an account for good, with its bots and the accounts merged into it; again changes nothing.

    Matches by correspondence are resigned, tournaments and ladders left. Returns the anonymous row that stays.
    Raises Refused("leave_house") for the site's bots, and ("leave_hindered") while something has to happen first: see
    `data_registry.deletion_blockers`.
    """
    if user.is_house_bot:
        raise Refused("leave_house")
    with transaction.atomic():
        locked = User.objects.select_for_update().get(pk=user.pk)
        if locked.left_at is not None:
            return locked
        if data_registry.deletion_blockers(locked):
            raise Refused("leave_hindered")
        dependants = User.objects.select_for_update(of=("self",)).filter(
            Q(owner=locked) | Q(merged_account__target=locked)
        )
        for account in [*dependants.filter(left_at=None), locked]:
            for run in data_registry.on_delete_functions():
                run(account)
            anonymizer = Anonymizer.for_user(account, emails=[*emails_of(account), *former_names(account)])
            for erase in dict.fromkeys(data_registry.erasers().values()):  # some erase several columns
                erase(anonymizer)
        locked.refresh_from_db()
    return locked


# Exporting data


def export_request(*, user: User) -> DataExport:
    """Request an archive of the user's data; returns the one in progress if there is one.

    Raises Refused("data_soon"): one a day.
    """
    moment = clock.now()
    try:
        with transaction.atomic():
            User.objects.select_for_update().get(pk=user.pk)
            last = DataExport.objects.filter(user=user).exclude(status=Status.FAILED).order_by("-asked_at").first()
            if last is not None and last.status == Status.READY and not may_request(last):
                raise Refused(
                    "data_soon", params={"when": date_format(last.asked_at + REQUEST_INTERVAL, "DATETIME_FORMAT")}
                )
            export = DataExport.objects.create(user=user, total=file_count(user), asked_at=moment, touched_at=moment)
            _enqueue(export.pk)
            return export
    except IntegrityError:  # one at a time
        return DataExport.objects.get(user=user, status__in=IN_PROGRESS)


def export_claim(*, export_id: int) -> DataExport | None:
    """Take over the writing of an archive; None when it is done, or another worker was faster."""
    export = DataExport.objects.select_related("user").filter(pk=export_id, status__in=IN_PROGRESS).first()
    if export is None:
        return None
    as_seen = DataExport.objects.filter(pk=export_id, status=export.status, touched_at=export.touched_at)
    export.status, export.touched_at = Status.MAKING, clock.now()
    return export if as_seen.update(status=export.status, touched_at=export.touched_at) else None


def export_save(*, export: DataExport, made: Archive) -> bool:
    """Save what was written since the claim, and enqueue the rest; returns whether it was saved.

    Nothing is saved when another worker has taken over meanwhile; a file that has grown too large is given up. A
    finished archive replaces the older ones.
    """
    if len(made.body) > MAX_BYTES:
        export_fail(export_id=export.pk)
        return False
    status = Status.READY if made.finished else Status.MAKING
    total = made.done if made.finished else max(made.done, export.total)
    claimed = DataExport.objects.filter(pk=export.pk, status=export.status, touched_at=export.touched_at)
    with transaction.atomic():
        saved = claimed.update(body=made.body, done=made.done, total=total, status=status, touched_at=clock.now())
        if saved and made.finished:
            DataExport.objects.filter(user=export.user_id).exclude(pk=export.pk).exclude(
                status__in=IN_PROGRESS
            ).delete()
        elif saved:
            _enqueue(export.pk)
    return bool(saved)


def export_fail(*, export_id: int) -> None:
    """Give an archive up: its file could not be written."""
    rows = DataExport.objects.filter(pk=export_id, status__in=IN_PROGRESS)
    rows.update(status=Status.FAILED, body=None, touched_at=clock.now())


def exports_sweep() -> int:
    """Delete expired archives, and enqueue those that lost their worker. Returns how many were enqueued."""
    moment = clock.now()
    DataExport.objects.exclude(status__in=IN_PROGRESS).filter(touched_at__lt=moment - RETENTION).delete()
    lost = DataExport.objects.filter(status__in=IN_PROGRESS, touched_at__lt=moment - WORKER_TIMEOUT)
    for export_id in (export_ids := list(lost.values_list("pk", flat=True))):
        _enqueue(export_id)
    return len(export_ids)


def _enqueue(export_id: int) -> None:
    """Ask a worker to write (some more of) an archive. If the queue is lost, the sweep asks again."""

    def send() -> None:
        try:
            current_app.send_task("accounts.tasks.data_export_write", args=[export_id], expires=30, ignore_result=True)
        except Exception as error:
            log.warning("no broker to write the data export %s: %s", export_id, error)

    transaction.on_commit(send)
