"""The fair play report of a club: the numbers of its members, and who looked at them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import groupby

from django.db.models import Q, QuerySet

from accounts.models import Club, Membership, User
from analysis import error_ranking
from analysis.error_rates import ErrorSum
from analysis.fair_play import DecisionTime, Finding, PlayerFigures, findings
from analysis.models import FairPlayView, MatchTally
from games.database import now
from games.models import Rating

POOL = {"pool__variant": "backgammon", "pool__pace": "live"}
LEAST_DECISIONS = 150
MOST_LOOKS = 50


def fair_play_report(club: Club) -> list[Finding]:
    """The members of a club with enough decisions and a rating, who stands out most first. Three queries."""
    members = list(_members(club).values_list("pk", flat=True))
    ratings = dict(Rating.objects.filter(**POOL, user__in=members).values_list("user_id", "rating"))
    tallies = MatchTally.objects.filter(
        user__in=ratings, ended_at__gte=now() - timedelta(days=error_ranking.WINDOW_DAYS)
    )
    rows = tallies.select_related("user").order_by("user_id")
    found = (_figures(user, ratings[user.pk], list(each)) for user, each in groupby(rows, key=lambda tally: tally.user))
    return findings([figures for figures in found if figures is not None])


def tallies_of(user: User) -> QuerySet[MatchTally]:
    """The matches of one player that the report counts, the latest first."""
    since = now() - timedelta(days=error_ranking.WINDOW_DAYS)
    found = MatchTally.objects.filter(user=user, ended_at__gte=since, decisions__gt=0).select_related("match")
    return found.prefetch_related("match__seats__user").order_by("-ended_at")


def club_member(club: Club, name: str) -> User | None:
    """The member of a club with this name."""
    return _members(club).filter(username=name).first()


def report_views(club: Club) -> QuerySet[FairPlayView]:
    """Who looked at the report last."""
    return FairPlayView.objects.filter(club=club).select_related("by", "about")[:MOST_LOOKS]


def _members(club: Club) -> QuerySet[User]:
    people = User.objects.filter(is_bot=False, is_guest=False, is_active=True)
    if club.is_default:
        return people
    return people.filter(Q(pk__in=Membership.objects.filter(club=club).values("user")))


def _figures(user: User, rating: float, tallies: Sequence[MatchTally]) -> PlayerFigures | None:
    total = sum((tally.sums for tally in tallies), ErrorSum())
    pace = sum((DecisionTime.read(tally.pace) for tally in tallies), DecisionTime())
    if total.rate is None or total.decisions < LEAST_DECISIONS:
        return None
    return PlayerFigures(user, rating, total.rate, total.decisions, pace)
