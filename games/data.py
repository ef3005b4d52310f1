"""What `games` keeps about a person, and how each of it goes: see accounts.data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import data
from accounts.data import OTHERS, OWNED, SHARED, Hindrance, Table
from accounts.former import Leaver
from accounts.models import DataExport, User
from games import notify
from games.database import now
from games.models import (
    FROM_FILE,
    ArchiveExport,
    Ladder,
    LadderEvent,
    LadderPlayer,
    LadderSeason,
    Match,
    ResultCorrection,
    Seat,
)
from games.selectors import exports
from games.services import leaving
from games.services.exports import UNDER_WAY, matches_of

MOST_NAMED = 5  # matches that are named as a hindrance: who ends these finds the next ones

data.keep(
    Table(
        "games.Match",
        {"creator": SHARED, "invited": SHARED},
        # The title is that of a tournament or ladder; what players have said for the dice and beforehand has no name.
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
    Table(
        "games.Ladder",
        {"created_by": SHARED},
        plain=(
            "id",
            "name",
            "variant",
            "clock_preset",
            "options",
            "config",
            "season_name",
            "state",
        ),  # players by number
        withheld=("state",),
    ),
    Table("games.LadderEvent", {"by": SHARED}, plain=("type",), erased=("payload",)),
    Table("games.LadderPlayer", {"user": SHARED}),
    Table("games.LadderChallenge", {"challenger": SHARED, "defender": SHARED, "winner": SHARED}),
    Table("games.LadderSeason", {}, plain=("name",), erased=("table",)),
    Table("games.LadderPulse", {}),
    Table("games.RatingPool", {}, plain=("variant", "pace")),
    Table("games.RatedMatch", {"white": SHARED, "black": SHARED}, plain=("winner", "results")),
    Table("games.Rating", {"user": SHARED}, plain=("form",)),
    Table("games.RatingEvent", {"user": SHARED}, plain=("formula",)),
    Table("games.ResultCorrection", {"by": SHARED}, plain=("before", "after"), erased=("reason",)),
    Table("games.SeatFacts", {"user": SHARED, "rival": OTHERS}, plain=("variant", "pace")),
    Table("games.RollCount", {"user": SHARED}, plain=("variant", "pace")),
    Table("games.Vacation", {"user": OWNED}),
    Table("games.Alive", {}),
)


# Before he goes


@data.hindrance
def matches_in_play(user: User) -> Iterable[Hindrance]:
    """Somebody sits at the other side of the table."""
    for match in leaving.matches_that_wait(user)[:MOST_NAMED]:
        rival = next((seat.name for seat in match.seats.all() if seat.user_id != user.pk), "")
        text = _("Your match against %(name)s is in play: finish or resign it first.") % {"name": rival}
        yield Hindrance(text, reverse("match", args=[match.pk]))


@data.parting
def leave_the_tables(user: User) -> None:
    leaving.matches_leave(user=user)
    leaving.ladders_leave(user=user)


# What he takes with him


def _files(user: User, there: frozenset[str]) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """His finished matches, each in the first format that holds it."""
    ids = {name.rpartition("_")[2].partition(".")[0] for name in there if name.startswith(exports.FOLDER)}
    for match_id in matches_of(user).values_list("pk", flat=True):
        if match_id not in ids:
            match = exports.with_seats().get(pk=match_id)
            name, text = exports.file_of(match)
            yield exports.FOLDER + name, text, exports.stamp(match.ended_at)


data.files(lambda user: matches_of(user).count(), _files)


# What is erased


@data.eraser("games.Match.pause")
def forget_pauses(leaver: Leaver) -> None:
    leaver.mend(Match.objects.filter(pause__isnull=False), "pause", at=("by", "why"))


@data.eraser("games.Match.headers")
def forget_files(leaver: Leaver) -> None:
    """The matches that he brought in go with him; of those that others brought in, what their files say of him."""
    Match.objects.filter(FROM_FILE, creator=leaver.user).delete()
    for match in Match.objects.filter(FROM_FILE, seats__in=_written(leaver)).only("headers"):
        match.headers = {key: leaver.without(str(value)) for key, value in match.headers.items()}
        match.save(update_fields=["headers"])


@data.eraser("games.Seat.written_name")
def forget_written_names(leaver: Leaver) -> None:
    """Where somebody wrote his name instead of his account, in results over the board and in files."""
    _written(leaver).update(written_name=leaver.left)


def _written(leaver: Leaver) -> QuerySet[Seat]:
    rows = Seat.objects.filter(user=None).only("written_name").iterator(chunk_size=2000)
    return Seat.objects.filter(pk__in=[seat.pk for seat in rows if leaver.is_his(seat.written_name)])


@data.eraser("games.LadderEvent.payload")
def forget_reasons_on_ladders(leaver: Leaver) -> None:
    leaver.mend(LadderEvent.objects.filter(ladder__in=_ladders(leaver)), "payload", at=("reason",))


@data.eraser("games.LadderSeason.table")
def forget_tables_of_seasons(leaver: Leaver) -> None:
    leaver.mend(LadderSeason.objects.filter(ladder__in=_ladders(leaver)), "table", at=("name",))


def _ladders(leaver: Leaver) -> QuerySet[Ladder]:
    """Those that he was on, or whose events he made."""
    on = LadderPlayer.objects.filter(user=leaver.user).values("ladder")
    by = LadderEvent.objects.filter(by=leaver.user).values("ladder")
    return Ladder.objects.filter(Q(pk__in=on) | Q(pk__in=by))


@data.eraser("games.ResultCorrection.reason")
def forget_reasons_of_corrections(leaver: Leaver) -> None:
    his = Q(by=leaver.user) | Q(match__in=Seat.objects.filter(user=leaver.user).values("match"))
    leaver.mend(ResultCorrection.objects.filter(his), "reason")


@data.eraser("games.ArchiveExport.body")
def forget_archives(leaver: Leaver) -> None:
    """The archives of those who played with him name him: what is ready goes, what is under way begins anew."""
    met = Seat.objects.filter(match__in=Seat.objects.filter(user=leaver.user).values("match")).values("user")
    met = met.exclude(user=leaver.user)
    for model in (ArchiveExport, DataExport):
        theirs = model.objects.filter(user__in=met)  # type: ignore[attr-defined]
        theirs.exclude(status__in=UNDER_WAY).delete()
        theirs.update(status=model.Status.WAITING, done=0, body=None, touched_at=now())  # type: ignore[attr-defined]
    for export_id in ArchiveExport.objects.filter(user__in=met).values_list("pk", flat=True):
        notify.archive_called(export_id)
