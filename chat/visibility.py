"""Who reads which messages of a match: the one place that every socket, page and API answer asks.

What a player must not read is left out by the statement that fetches messages, with the match row in it: a race with
the end of the match cannot leak it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils import formats
from django.utils.functional import lazy
from django.utils.timezone import localtime

from accounts.models import User
from accounts.relationships import selectors as relationship_selectors
from chat.errors import Refused
from chat.limits import OPEN_AFTER_END
from chat.models import Case, ChatPreferences, Message, Sanction
from chat.rooms import Room, readable_rooms, room_of
from games.database import now
from games.models import Match, Seat
from games.selectors.matches import visible_match
from tournaments.models import Official, Tournament
from tournaments.roles import Role

_date = lazy(lambda moment: formats.date_format(localtime(moment), "SHORT_DATETIME_FORMAT"), str)


@dataclass(frozen=True, slots=True)
class ChatViewer:
    """A viewer of a match: their rooms, whom they muted, what they may write (`text`, `phrase`) or why not."""

    match: Match
    user: User | None
    seat: Seat | None
    rooms: frozenset[Room]
    called: bool
    muted_ids: frozenset[int]
    preferences: ChatPreferences
    may: tuple[str, ...] = ()
    refusal: Refused | None = None

    @property
    def user_id(self) -> int | None:
        return self.user.pk if self.user else None

    @property
    def room(self) -> Room:
        return room_of(seated=self.seat is not None)

    @property
    def over(self) -> bool:
        return self.match.status == Match.Status.OVER


def chat_viewer(*, match_id: str, user_id: int | None) -> ChatViewer:
    """Read a viewer's rights at a match. Raises NotFound of `games` for a match that they may not see."""
    user = User.objects.filter(pk=user_id, is_active=True).first() if user_id else None
    match = visible_match(match_id=match_id, user=user)
    seats = list(match.seats.all())
    seat = next((candidate for candidate in seats if user and candidate.user_id == user.pk), None)
    over = match.status == Match.Status.OVER
    preferences = preferences_of(user)
    hidden = preferences.level == ChatPreferences.Level.NOBODY or (seat is not None and preferences.hide_watchers)
    called = seat is None and not over and _called_as_director(match, user)
    may, refusal = _may(match, seats, user, seat, preferences)
    return ChatViewer(
        match=match,
        user=user,
        seat=seat,
        rooms=readable_rooms(seated=seat is not None, over=over, hidden=hidden, called=called),
        called=called,
        muted_ids=relationship_selectors.silenced_for(user.pk if user else None),
        preferences=preferences,
        may=may,
        refusal=refusal,
    )


def visible_messages(viewer: ChatViewer) -> QuerySet[Message]:
    """Return the messages that a viewer may read, with authors, removed ones included (without their text: frames)."""
    found = Message.objects.filter(match=viewer.match, room__in=sorted(viewer.rooms)).select_related("by")
    if not viewer.called:
        found = found.filter(Q(room=viewer.room) | Q(match__status=Match.Status.OVER))
    if viewer.preferences.level == ChatPreferences.Level.PHRASES:
        found = found.exclude(~Q(by=viewer.user), room=Room.WATCHERS, phrase="")
    return found.exclude(by__in=viewer.muted_ids) if viewer.muted_ids else found


def preferences_of(user: User | None) -> ChatPreferences:
    """Return a user's chat preferences, or the defaults."""
    return (ChatPreferences.objects.filter(user=user).first() if user else None) or ChatPreferences(user=user)


def active_sanctions(user: User, moment: datetime) -> list[Sanction]:
    """Return a user's sanctions at `moment`, the longest first; a warning until it is read."""
    rows = Sanction.objects.filter(user=user, ended_at=None)
    found = [row for row in rows if row.holds(moment) and not (row.kind == Sanction.Kind.WARNING and row.read_at)]
    return sorted(found, key=lambda row: (row.until is not None, row.until and -row.until.timestamp()))


def refusal_for(user: User, moment: datetime) -> Refused | None:
    """Why a user may not write anywhere, if so: they are muted, or have a warning to read."""
    for row in active_sanctions(user, moment):
        if row.kind == Sanction.Kind.SILENCE and row.until is None:
            return Refused("talk_silenced_for_good")
        if row.kind == Sanction.Kind.SILENCE:
            return Refused("talk_silenced", params={"until": _date(row.until)})
        if row.kind == Sanction.Kind.WARNING:
            return Refused("talk_warned")
    return None


def _may(
    match: Match, seats: list[Seat], user: User | None, seat: Seat | None, preferences: ChatPreferences
) -> tuple[tuple[str, ...], Refused | None]:
    """What a viewer may write at a match, or why not. A visitor may not write; no reason is given to them."""
    if user is None:
        return (), None
    moment = now()
    if len(seats) < 2:
        return (), Refused("talk_early")
    if match.source or (match.ended_at is not None and moment - match.ended_at > OPEN_AFTER_END):
        return (), Refused("talk_ended")
    if refusal := refusal_for(user, moment):
        return (), refusal
    levels = {preferences.level}
    if seat is not None:
        opponent = next(candidate.user for candidate in seats if candidate.pk != seat.pk)
        # One sentence for all of it: nobody learns from it who blocked them.
        if opponent is None or opponent.is_bot or relationship_selectors.blocked_between(user.pk, opponent.pk):
            return (), Refused("talk_closed")
        levels.add(preferences_of(opponent).level)
    if user.is_bot or ChatPreferences.Level.NOBODY in levels:
        return (), Refused("talk_closed")
    if ChatPreferences.Level.PHRASES in levels:
        return ("phrase",), Refused("talk_phrases_only")
    if seat is None and user.is_guest:
        return ("phrase",), Refused("talk_guest")
    return ("text", "phrase"), None


def _called_as_director(match: Match, user: User | None) -> bool:
    """Whether something was reported in a match of a tournament that `user` directs."""
    if user is None or not match.arranged or not Case.objects.filter(match=match).exists():
        return False
    directing = Official.objects.filter(user=user, role=Role.DIRECTOR)
    return Tournament.objects.filter(meetings__match=match, officials__in=directing).exists()
