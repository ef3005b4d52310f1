"""A player's whole archive as one zip file, written in the background a slice at a time.

The row is the job: each slice is claimed, adds matches to `body` (games.selectors.exports) and is saved, so a killed
worker loses one slice, and the next goes on from what is in the file. `touched_at` is the claim: a worker writes only
where it still stands as he left it.
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

MOST_MATCHES = 20_000
MOST_BYTES = 64 * 1024 * 1024
KEPT = timedelta(days=7)
PATIENCE = timedelta(seconds=60)  # a row in the making that nobody touched for so long has lost its worker
UNDER_WAY = (ArchiveExport.Status.WAITING, ArchiveExport.Status.MAKING)


def archive_ask(*, user: User) -> ArchiveExport:
    """Ask for one's archive; what is already under way is the answer.

    Raises Refused("no_matches", "export_too_large").
    """
    total = matches_of(user).count()
    if not total:
        raise Refused("no_matches")
    if total > MOST_MATCHES:
        raise Refused("export_too_large", params={"most": MOST_MATCHES, "matches": total})
    moment = now()
    try:
        with transaction.atomic():
            export = ArchiveExport.objects.create(user=user, total=total, asked_at=moment, touched_at=moment)
            notify.archive_called(export.pk)
            return export
    except IntegrityError:  # one at a time
        return ArchiveExport.objects.get(user=user, status__in=UNDER_WAY)


def archive_claim(*, export_id: int) -> ArchiveExport | None:
    """Take over the writing of an archive, with what is written of it; None when it is done, or another was faster."""
    export = ArchiveExport.objects.select_related("user").filter(pk=export_id, status__in=UNDER_WAY).first()
    if export is None:
        return None
    as_seen = ArchiveExport.objects.filter(pk=export_id, status=export.status, touched_at=export.touched_at)
    export.status, export.touched_at = ArchiveExport.Status.MAKING, now()
    return export if as_seen.update(status=export.status, touched_at=export.touched_at) else None


def archive_save(*, export: ArchiveExport, body: bytes, done: int, finished: bool) -> bool:
    """Keep what was written since the claim, and call for the rest; whether it was kept.

    Nothing is kept when another worker has taken over meanwhile, or when the file has grown too large (it is given up).
    A finished archive takes the place of the player's older ones.
    """
    if len(body) > MOST_BYTES:
        archive_fail(export_id=export.pk)
        return False
    status = ArchiveExport.Status.READY if finished else ArchiveExport.Status.MAKING
    total = done if finished else max(done, export.total)
    claimed = ArchiveExport.objects.filter(pk=export.pk, status=export.status, touched_at=export.touched_at)
    with transaction.atomic():
        kept = claimed.update(body=body, done=done, total=total, status=status, touched_at=now())
        if kept and finished:
            older = ArchiveExport.objects.filter(user=export.user_id).exclude(pk=export.pk)
            older.exclude(status__in=UNDER_WAY).delete()
        if kept and not finished:
            notify.archive_called(export.pk)
    return bool(kept)


def archive_fail(*, export_id: int) -> None:
    """Give an archive up: its file could not be written."""
    ArchiveExport.objects.filter(pk=export_id, status__in=UNDER_WAY).update(
        status=ArchiveExport.Status.FAILED, body=None, touched_at=now()
    )


def archives_sweep() -> int:
    """Delete the archives that have been kept long enough, and call for those whose worker is gone: how many."""
    moment = now()
    ArchiveExport.objects.exclude(status__in=UNDER_WAY).filter(touched_at__lt=moment - KEPT).delete()
    lost = ArchiveExport.objects.filter(status__in=UNDER_WAY, touched_at__lt=moment - PATIENCE)
    for export_id in (called := list(lost.values_list("pk", flat=True))):
        notify.archive_called(export_id)
    return len(called)


def matches_of(user: User) -> QuerySet[Match]:
    """Everything that a player has played to an end or brought in, the oldest first."""
    played = Seat.objects.filter(user=user, ended_at__isnull=False).values("match")
    mine = Q(pk__in=played) | FROM_FILE & Q(creator=user)
    return Match.objects.filter(mine, status=Match.Status.OVER).order_by("ended_at", "pk")
