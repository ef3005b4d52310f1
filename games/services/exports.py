"""A player's whole archive as one zip file, written in the background a slice at a time.

The row is the job: each slice is claimed, adds matches to `body` (games.selectors.exports) and is saved, so a killed
worker loses one slice, and the next goes on from what is in the file. `touched_at` is the claim: a worker writes only
where it is still as the worker left it.
"""

from __future__ import annotations

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from games import notify
from games.database import now
from games.errors import Refused
from games.models import FROM_FILE, ArchiveExport, Match, Seat

MAX_MATCHES = 20_000
MAX_BYTES = 64 * 1024 * 1024
KEEP_FOR = timedelta(days=7)
STALLED_AFTER = timedelta(seconds=60)  # without a write, after which a worker is taken for lost
UNDER_WAY = (ArchiveExport.Status.WAITING, ArchiveExport.Status.MAKING)


def archive_request(*, user: User) -> ArchiveExport:
    """Request one's archive; returns the one that is already under way.

    Raises Refused("no_matches", "export_too_large").
    """
    total = matches_of(user).count()
    if not total:
        raise Refused("no_matches")
    if total > MAX_MATCHES:
        raise Refused("export_too_large", params={"most": MAX_MATCHES, "matches": total})
    moment = now()
    try:
        with transaction.atomic():
            export = ArchiveExport.objects.create(user=user, total=total, asked_at=moment, touched_at=moment)
            notify.enqueue_archive(export.pk)
            return export
    except IntegrityError:  # one at a time
        return ArchiveExport.objects.get(user=user, status__in=UNDER_WAY)


def archive_claim(*, export_id: int) -> ArchiveExport | None:
    """Claim the writing of an archive; None when it is done, or another worker was faster."""
    export = ArchiveExport.objects.select_related("user").filter(pk=export_id, status__in=UNDER_WAY).first()
    if export is None:
        return None
    as_seen = ArchiveExport.objects.filter(pk=export_id, status=export.status, touched_at=export.touched_at)
    export.status, export.touched_at = ArchiveExport.Status.MAKING, now()
    return export if as_seen.update(status=export.status, touched_at=export.touched_at) else None


def archive_save(*, export: ArchiveExport, body: bytes, done: int, finished: bool) -> bool:
    """Save what was written since the claim, and enqueue the rest; whether it was saved.

    Nothing is saved when another worker has claimed it meanwhile, or when the file has grown too large (it fails then).
    A finished archive replaces the player's older ones.
    """
    if len(body) > MAX_BYTES:
        archive_fail(export_id=export.pk)
        return False
    status = ArchiveExport.Status.READY if finished else ArchiveExport.Status.MAKING
    total = done if finished else max(done, export.total)
    claimed = ArchiveExport.objects.filter(pk=export.pk, status=export.status, touched_at=export.touched_at)
    with transaction.atomic():
        saved = claimed.update(body=body, done=done, total=total, status=status, touched_at=now())
        if saved and finished:
            older = ArchiveExport.objects.filter(user=export.user_id).exclude(pk=export.pk)
            older.exclude(status__in=UNDER_WAY).delete()
        if saved and not finished:
            notify.enqueue_archive(export.pk)
    return bool(saved)


def archive_fail(*, export_id: int) -> None:
    """Mark an archive as failed: its file could not be written."""
    ArchiveExport.objects.filter(pk=export_id, status__in=UNDER_WAY).update(
        status=ArchiveExport.Status.FAILED, body=None, touched_at=now()
    )


def archives_sweep() -> int:
    """Delete old archives, and enqueue those whose worker was lost; returns how many were enqueued."""
    moment = now()
    ArchiveExport.objects.exclude(status__in=UNDER_WAY).filter(touched_at__lt=moment - KEEP_FOR).delete()
    stalled = ArchiveExport.objects.filter(status__in=UNDER_WAY, touched_at__lt=moment - STALLED_AFTER)
    for export_id in (enqueued := list(stalled.values_list("pk", flat=True))):
        notify.enqueue_archive(export_id)
    return len(enqueued)


def matches_of(user: User) -> QuerySet[Match]:
    """The matches that a player has finished or imported, the oldest first."""
    played = Seat.objects.filter(user=user, ended_at__isnull=False).values("match")
    own = Q(pk__in=played) | FROM_FILE & Q(creator=user)
    return Match.objects.filter(own, status=Match.Status.OVER).order_by("ended_at", "pk")
