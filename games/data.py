"""The personal data of `games`: how each table is exported and erased (accounts.privacy.registry)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import DataExport, User
from accounts.privacy import registry as data_registry
from accounts.privacy.anonymize import Anonymizer
from accounts.privacy.registry import OTHERS, OWNED, SHARED, DeletionBlocker, Table
from games import notify
from games.database import now
from games.models import FROM_FILE, ArchiveExport, Match, ResultCorrection, Seat
from games.selectors import exports
from games.services import leaving
from games.services.exports import UNDER_WAY, matches_of

MAX_NAMED = 5  # matches that are named as blockers; once they are ended the next ones are named

data_registry.register_tables(
    Table(
        "games.Match",
        {"creator": SHARED, "invited": SHARED},
        # The title is that of a tournament or ladder; dice and orders contain no names.
        plain=(
            *("id", "variant", "clock_preset", "options", "source", "title", "from_url", "winner"),
            *("snapshot", "dice", "clock", "orders"),
        ),
        erased=("headers", "pause"),
        withheld=("snapshot", "dice", "clock", "orders", "pause"),
    ),
    Table("games.Seat", {"user": SHARED}, erased=("written_name",)),
    Table("games.Game", {}, plain=("score_before", "winner", "kind")),
    Table("games.Action", {}, plain=("text", "client_id", "asked", "element")),  # exported as the match's file
    Table("games.DiceSecret", {}, plain=("seed", "marks")),
    Table("games.MatchMark", {"user": OWNED}),
    Table("games.MatchTag", {"user": OWNED}),
    Table("games.ArchiveExport", {"user": OWNED}, erased=("body",), withheld=("body",)),
    Table("games.RatingPool", {}, plain=("variant", "pace")),
    Table("games.RatedMatch", {"white": SHARED, "black": SHARED}, plain=("winner", "results")),
    Table("games.Rating", {"user": SHARED}, plain=("form",)),
    Table("games.RatingEvent", {"user": SHARED}, plain=("formula",)),
    Table("games.ResultCorrection", {"by": SHARED}, plain=("before", "after"), erased=("reason",)),
    Table("games.SeatFacts", {"user": SHARED, "opponent": OTHERS}, plain=("variant", "pace")),
    Table("games.RollCount", {"user": SHARED}, plain=("variant", "pace")),
    Table("games.Vacation", {"user": OWNED}),
    Table("games.SiteHeartbeat", {}),
    Table("games.WebProcess", {}),
)


# Before deletion


@data_registry.deletion_blocker
def matches_in_play(user: User) -> Iterable[DeletionBlocker]:
    """Live matches block a deletion: an opponent is playing."""
    for match in leaving.matches_that_wait(user)[:MAX_NAMED]:
        opponent = next((seat.name for seat in match.seats.all() if seat.user_id != user.pk), "")
        text = _("Your match against %(name)s is still in progress. Finish or resign it first.") % {"name": opponent}
        yield DeletionBlocker(text, reverse("match", args=[match.pk]))


@data_registry.on_delete
def end_matches(user: User) -> None:
    leaving.matches_leave(user=user)


# Export


def _match_files(user: User, written: frozenset[str]) -> Iterator[tuple[str, str, tuple[int, int, int, int, int, int]]]:
    """The finished matches of a user that are not `written` yet, each in the first format that can hold it."""
    ids = {name.rpartition("_")[2].partition(".")[0] for name in written if name.startswith(exports.FOLDER)}
    for match_id in matches_of(user).values_list("pk", flat=True):
        if match_id not in ids:
            match = exports.exported_matches().get(pk=match_id)
            name, text = exports.match_file(match)
            yield exports.FOLDER + name, text, exports.zip_timestamp(match.ended_at)


data_registry.register_export_files(lambda user: matches_of(user).count(), _match_files)


# Erasure


@data_registry.eraser("games.Match.pause")
def erase_pause_names(anonymizer: Anonymizer) -> None:
    anonymizer.anonymize_column(Match.objects.filter(pause__isnull=False), "pause", keys=("by", "why"))


@data_registry.eraser("games.Match.headers")
def erase_file_headers(anonymizer: Anonymizer) -> None:
    """Delete the matches that the user imported; anonymize the headers of those that others imported."""
    Match.objects.filter(FROM_FILE, creator=anonymizer.user).delete()
    for match in Match.objects.filter(FROM_FILE, seats__in=_seats_by_name(anonymizer)).only("headers"):
        match.headers = {key: anonymizer.anonymize_text(str(value)) for key, value in match.headers.items()}
        match.save(update_fields=["headers"])


@data_registry.eraser("games.Seat.written_name")
def erase_written_names(anonymizer: Anonymizer) -> None:
    """Replace the user's name where it was written instead of the account, in results over the board and in files."""
    _seats_by_name(anonymizer).update(written_name=anonymizer.replacement)


def _seats_by_name(anonymizer: Anonymizer) -> QuerySet[Seat]:
    rows = Seat.objects.filter(user=None).only("written_name").iterator(chunk_size=2000)
    return Seat.objects.filter(pk__in=[seat.pk for seat in rows if anonymizer.is_name(seat.written_name)])


@data_registry.eraser("games.ResultCorrection.reason")
def erase_correction_reasons(anonymizer: Anonymizer) -> None:
    concerned = Q(by=anonymizer.user) | Q(match__in=Seat.objects.filter(user=anonymizer.user).values("match"))
    anonymizer.anonymize_column(ResultCorrection.objects.filter(concerned), "reason")


@data_registry.eraser("games.ArchiveExport.body")
def erase_archives(anonymizer: Anonymizer) -> None:
    """Archives of opponents name the user: finished ones are deleted, those under way begin anew."""
    opponents = Seat.objects.filter(match__in=Seat.objects.filter(user=anonymizer.user).values("match")).values("user")
    opponents = opponents.exclude(user=anonymizer.user)
    for model in (ArchiveExport, DataExport):
        archives = model.objects.filter(user__in=opponents)
        archives.exclude(status__in=UNDER_WAY).delete()
        archives.update(status=model.Status.WAITING, done=0, body=None, touched_at=now())
    for export_id in ArchiveExport.objects.filter(user__in=opponents).values_list("pk", flat=True):
        notify.enqueue_archive(export_id)
