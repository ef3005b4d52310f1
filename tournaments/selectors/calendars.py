"""The calendars of a tournament, a club and a member, and the secret addresses of the members' ones."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable
from datetime import timedelta

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from accounts.models import Club, User
from games.database import now
from tournaments.errors import NotFound
from tournaments.icalendar import CalendarEvent, calendar_text
from tournaments.models import CalendarFeed, Entrant, Meeting, Tournament, TournamentRound
from tournaments.selectors import labels
from tournaments.selectors.tournament_page import tournament_or_not_found
from tournaments.selectors.weekends.lookups import weekend_seen
from tournaments.terms import Terms

Absolute = Callable[[str], str]
"""Makes the URL of a path."""
SALT = "tournaments.calendar"
PAST = timedelta(days=60)
MOST_EVENTS = 500


def tournament_calendar(tournament_id: str, absolute: Absolute) -> str:
    """A tournament with its rounds that have a time. Raises NotFound."""
    tournament = tournament_or_not_found(tournament_id)
    events = [*_starts([tournament], absolute), *_rounds([tournament], absolute)]
    return calendar_text(tournament.name, events)


def club_calendar(club: Club, absolute: Absolute) -> str:
    """The tournaments of a club that have a start time: those to come, and the last ones."""
    return calendar_text(club.name, _starts(_recent(Tournament.objects.filter(club=club)), absolute))


def weekend_calendar(weekend_id: str, user: User | None, absolute: Absolute) -> str:
    """The tournaments of a weekend, and their rounds that have a time. Raises WeekendNotFound."""
    weekend = weekend_seen(weekend_id=weekend_id, user=user).weekend
    found = Tournament.objects.filter(weekend=weekend).order_by("starts_at", "pk")
    return calendar_text(weekend.name, [*_starts(found, absolute), *_rounds(found, absolute)])


def member_calendar(token: str, absolute: Absolute) -> str:
    """What a member plays: the tournaments that they entered, and their matches with a deadline. Raises NotFound."""
    user = _owner(token)
    entered = Entrant.objects.filter(user=user, withdrawn=False, waiting=False).values("tournament")
    starts = _starts(_recent(Tournament.objects.filter(pk__in=entered)), absolute)
    return calendar_text(f"Tablero · {user.username}", [*starts, *_deadlines(user, absolute)])


def feed_path(feed: CalendarFeed) -> str:
    """The path of a member's calendar, with its secret."""
    return reverse("calendar-feed", args=[f"{feed.key}.{_seal(feed.key)}"])


def calendar_feed(user: User) -> CalendarFeed | None:
    return CalendarFeed.objects.filter(user=user).first()


def _seal(key: str) -> str:
    return salted_hmac(SALT, key, algorithm="sha256").hexdigest()[:32]


def _owner(token: str) -> User:
    """The member whose calendar has this address. Raises NotFound."""
    key, _dot, seal = token.partition(".")
    feed = CalendarFeed.objects.select_related("user").filter(key=key, user__is_active=True).first()
    if feed is None or not hmac.compare_digest(_seal(key).encode(), seal.encode()):
        raise NotFound
    return feed.user


def _recent(found: QuerySet[Tournament]) -> QuerySet[Tournament]:
    return found.filter(starts_at__gte=now() - PAST).order_by("starts_at", "pk")[:MOST_EVENTS]


def _starts(found: Iterable[Tournament], absolute: Absolute) -> list[CalendarEvent]:
    return [
        CalendarEvent(
            uid=f"tournament-{tournament.pk}@tablero",
            start=tournament.starts_at,
            summary=tournament.name,
            changed_at=tournament.created_at,
            description=_about(tournament),
            url=absolute(reverse("tournament", args=[tournament.pk])),
            cancelled=tournament.phase == Tournament.Phase.CANCELLED,
        )
        for tournament in found
        if tournament.starts_at is not None
    ]


def _about(tournament: Tournament) -> str:
    terms = Terms.read(tournament.terms)
    return f"{labels.format_label(terms.config)}. {labels.capitalize(labels.lengths_label(terms.lengths))}."


def _rounds(found: Iterable[Tournament], absolute: Absolute) -> list[CalendarEvent]:
    rows = TournamentRound.objects.filter(tournament__in=found, open_at__isnull=False).select_related("tournament")
    return [
        CalendarEvent(
            uid=f"round-{row.tournament_id}-{row.section}-{row.round}@tablero",
            start=row.open_at,
            summary=_("%(tournament)s: round %(n)s") % {"tournament": row.tournament.name, "n": row.round},
            changed_at=row.tournament.created_at,
            url=absolute(reverse("tournament", args=[row.tournament_id])),
        )
        for row in rows
        if row.open_at is not None
    ]


def _deadlines(user: User, absolute: Absolute) -> list[CalendarEvent]:
    playing = Q(a__user=user) | Q(b__user=user)
    found = Meeting.objects.filter(playing, state=Meeting.State.READY, due_at__isnull=False)
    found = found.select_related("tournament", "a__user", "b__user").order_by("due_at", "pk")[:MOST_EVENTS]
    return [
        CalendarEvent(
            uid=f"match-{meeting.tournament_id}-{meeting.key}@tablero",
            start=meeting.due_at,
            summary=_("Deadline: match against %(name)s") % {"name": _opponent(meeting, user)},
            changed_at=meeting.opened_at or meeting.tournament.created_at,
            description=meeting.tournament.name,
            url=absolute(reverse("tournament", args=[meeting.tournament_id])),
        )
        for meeting in found
        if meeting.due_at is not None
    ]


def _opponent(meeting: Meeting, user: User) -> str:
    return (meeting.b if meeting.a.user_id == user.pk else meeting.a).name
