"""The lists of the lobby; the number of queries does not depend on their length."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from accounts.relationships.selectors import separated_by_block
from games.models import Match, Seat
from games.selectors.match_rows import MOST_ROWS, MatchRow, match_rows
from games.selectors.matches import recently_active, with_seats


@dataclass(frozen=True, slots=True)
class Lobby:
    """Everything that the lobby lists for one viewer."""

    running: list[MatchRow] = field(default_factory=list)
    adjourned: list[MatchRow] = field(default_factory=list)
    challenges: list[MatchRow] = field(default_factory=list)
    offered: list[MatchRow] = field(default_factory=list)
    seeks: list[MatchRow] = field(default_factory=list)
    live: list[MatchRow] = field(default_factory=list)
    recent: list[MatchRow] = field(default_factory=list)


def lobby(user: User | None) -> Lobby:
    """The lists of the lobby for a user, or for an anonymous visitor (None), without users separated by a block."""
    blocked = separated_by_block(user.pk) if user else frozenset()
    opened = _open_games(user, blocked)
    own_rows = _running(user) if user else []
    own_ids = {row.match.pk for row in own_rows}
    return Lobby(
        running=sorted(
            (row for row in own_rows if not row.adjourned),
            key=lambda row: (row.match.status != Match.Status.OPEN, not row.my_turn),
        ),
        adjourned=sorted((row for row in own_rows if row.adjourned), key=lambda row: not row.opponent_waits),
        challenges=[row for row in opened if user and row.match.invited_id == user.pk],
        offered=[row for row in opened if user and row.match.creator_id == user.pk],
        seeks=[row for row in opened if not row.match.invited_id and not (user and row.match.creator_id == user.pk)],
        live=[row for row in _live(blocked) if row.match.pk not in own_ids and not row.adjourned],
        recent=_recent(),
    )


def _open_games(user: User | None, blocked: frozenset[int]) -> list[MatchRow]:
    """The open games and challenges that the user may see."""
    shown = Q(invited=None) | (Q(invited=user) | Q(creator=user) if user else Q())
    matches = Match.objects.filter(shown, status=Match.Status.OPEN, arranged=False, creator__is_active=True)
    matches = matches.select_related("creator", "invited").order_by("-created_at")
    if user is None:
        matches = matches.filter(invited=None)
    if blocked:
        matches = matches.exclude(creator__in=blocked)
    return [MatchRow(match, []) for match in matches[: 2 * MOST_ROWS]]


def _running(user: User) -> list[MatchRow]:
    """The user's live matches, after the arranged ones that have not started."""
    unfinished = Q(status=Match.Status.LIVE) | Q(status=Match.Status.OPEN, arranged=True)
    matches = Match.objects.filter(unfinished, seats__user=user, seats__ended_at=None).order_by(
        "-status", "-started_at", "-created_at"
    )
    return match_rows(with_seats(matches)[:MOST_ROWS], user, turns=True)


def _live(blocked: frozenset[int]) -> list[MatchRow]:
    """The live matches with a recent action."""
    live = recently_active(timezone.now())
    if blocked:
        live = live.exclude(pk__in=Seat.objects.filter(user__in=blocked, ended_at=None).values("match"))
    # Ordered by their start and not by the last action, so that the rows do not move with every play.
    return match_rows(with_seats(live).order_by("-started_at")[:MOST_ROWS], None)


def _recent() -> list[MatchRow]:
    """The last matches that were played here; imported ones are left out."""
    over = Match.objects.filter(status=Match.Status.OVER, source="")
    return match_rows(with_seats(over).order_by("-ended_at")[:5], None)
