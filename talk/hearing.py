"""Who hears what at a match: the one place that every socket, page and API answer asks.

What a player must not read is left out by the statement itself that fetches messages, with the match row in it: a look
at an earlier moment cannot let it through.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils import formats
from django.utils.functional import lazy
from django.utils.timezone import localtime

from accounts import ties
from accounts.models import User
from games.database import now
from games.models import Match, Seat
from games.selectors import lists
from talk.errors import Refused
from talk.limits import KEPT_OPEN
from talk.models import Case, Message, Sanction, Wishes
from talk.rooms import Room, own, readable
from tournaments.models import Tournament

_date = lazy(lambda moment: formats.date_format(localtime(moment), "SHORT_DATETIME_FORMAT"), str)


@dataclass(frozen=True, slots=True)
class Hearer:
    """Somebody at a match: his rooms, whom he does not hear, what he may write (`text`, `phrase`), or why not."""

    match: Match
    user: User | None
    seat: Seat | None
    rooms: frozenset[Room]
    called: bool
    unheard: frozenset[int]
    wishes: Wishes
    may: tuple[str, ...] = ()
    refusal: Refused | None = None

    @property
    def user_id(self) -> int | None:
        return self.user.pk if self.user else None

    @property
    def room(self) -> Room:
        return own(seated=self.seat is not None)

    @property
    def over(self) -> bool:
        return self.match.status == Match.Status.OVER


def hearer_of(*, match_id: str, user_id: int | None) -> Hearer:
    """Somebody at a match, as the rows say now. Raises NotFound of `games` for a match that he may not see."""
    user = User.objects.filter(pk=user_id, is_active=True).first() if user_id else None
    match = lists.match_seen(match_id=match_id, user=user)
    seats = list(match.seats.all())
    seat = next((one for one in seats if user and one.user_id == user.pk), None)
    over = match.status == Match.Status.OVER
    wishes = wishes_of(user)
    hidden = wishes.level == Wishes.Level.NOBODY or (seat is not None and wishes.hide_watchers)
    called = seat is None and not over and _called(match, user)
    may, refusal = _may(match, seats, user, seat, wishes)
    return Hearer(
        match=match,
        user=user,
        seat=seat,
        rooms=readable(seated=seat is not None, over=over, hidden=hidden, called=called),
        called=called,
        unheard=ties.unheard_by(user.pk if user else None),
        wishes=wishes,
        may=may,
        refusal=refusal,
    )


def heard(hearer: Hearer) -> QuerySet[Message]:
    """The messages that somebody may read, with their authors, removed ones included (without their words: frames)."""
    found = Message.objects.filter(match=hearer.match, room__in=sorted(hearer.rooms)).select_related("by")
    if not hearer.called:
        found = found.filter(Q(room=hearer.room) | Q(match__status=Match.Status.OVER))
    if hearer.wishes.level == Wishes.Level.PHRASES:
        found = found.exclude(~Q(by=hearer.user), room=Room.WATCHERS, phrase="")
    return found.exclude(by__in=hearer.unheard) if hearer.unheard else found


def wishes_of(user: User | None) -> Wishes:
    """How somebody wants to be talked to; the usual where he has not said."""
    return (Wishes.objects.filter(user=user).first() if user else None) or Wishes(user=user)


def bearing(user: User, moment: datetime) -> list[Sanction]:
    """What somebody has to bear at `moment`, the longest first; a warning until it is read."""
    rows = Sanction.objects.filter(user=user, ended_at=None)
    found = [row for row in rows if row.holds(moment) and not (row.kind == Sanction.Kind.WARNING and row.read_at)]
    return sorted(found, key=lambda row: (row.until is not None, row.until and -row.until.timestamp()))


def refused_for(user: User, moment: datetime) -> Refused | None:
    """Why a person may say nothing anywhere, if so: he is silenced, or has a warning to read."""
    for row in bearing(user, moment):
        if row.kind == Sanction.Kind.SILENCE and row.until is None:
            return Refused("talk_silenced_for_good")
        if row.kind == Sanction.Kind.SILENCE:
            return Refused("talk_silenced", params={"until": _date(row.until)})
        if row.kind == Sanction.Kind.WARNING:
            return Refused("talk_warned")
    return None


def _may(
    match: Match, seats: list[Seat], user: User | None, seat: Seat | None, wishes: Wishes
) -> tuple[tuple[str, ...], Refused | None]:
    """What somebody may write at a match, or why he may not. A passer-by may not, and nobody says why."""
    if user is None:
        return (), None
    moment = now()
    if len(seats) < 2:
        return (), Refused("talk_early")
    if match.source or (match.ended_at is not None and moment - match.ended_at > KEPT_OPEN):
        return (), Refused("talk_ended")
    if refusal := refused_for(user, moment):
        return (), refusal
    levels = {wishes.level}
    if seat is not None:
        rival = next(one.user for one in seats if one.pk != seat.pk)
        # One sentence for all of it: nobody learns from it who blocked whom.
        if rival is None or rival.is_bot or ties.blocked_between(user.pk, rival.pk):
            return (), Refused("talk_closed")
        levels.add(wishes_of(rival).level)
    if user.is_bot or Wishes.Level.NOBODY in levels:
        return (), Refused("talk_closed")
    if Wishes.Level.PHRASES in levels:
        return ("phrase",), Refused("talk_phrases_only")
    if seat is None and user.is_guest:
        return ("phrase",), Refused("talk_guest")
    return ("text", "phrase"), None


def _called(match: Match, user: User | None) -> bool:
    """Whether something was reported in a match of a tournament that `user` directs."""
    if user is None or not match.arranged or not Case.objects.filter(match=match).exists():
        return False
    return Tournament.objects.filter(meetings__match=match, directors__user=user).exists()
