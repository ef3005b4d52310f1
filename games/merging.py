"""Merging two accounts in `games` (accounts.support.merge_registry).

Matches move as they are; ratings and rolls are counted anew, so that they are those of one account from its first
match. A match between the two accounts counts for neither: the seat of the source account stays its own.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.privacy.registry import DeletionBlocker
from accounts.support import merge_registry
from accounts.support.merge_registry import Merge, MergeCount
from games.models import Match, RatedMatch, RatingPool, RollCount, Seat, SeatFacts
from games.services import leaving
from games.services.ratings import pool_rebuild
from games.services.statistics import Rolls, facts_of, rolls_add

MAX_NAMED = 5

merge_registry.reassign_columns("games.MatchMark.user", "games.MatchTag.user", "games.Vacation.user")
merge_registry.keep_columns(
    "games.Rating.user", "games.RatingEvent.user"
)  # they follow from the log, and are counted anew


@merge_registry.counts
def count_rows(merge: Merge) -> Iterable[MergeCount]:
    source = merge.source
    yield MergeCount(_("Matches"), _seats(merge).count())
    yield MergeCount(_("Rated matches"), _rated(source).count())
    yield MergeCount(_("Favourites, notes and tags"), source.match_marks.count() + source.match_tags.count())


# Blockers


@merge_registry.blocker
def rated_against_each_other(merge: Merge) -> Iterable[DeletionBlocker]:
    """A rated match between the two accounts leaves ratings that no merge can correct."""
    both = (merge.source.pk, merge.target.pk)
    for rated in RatedMatch.objects.filter(white__in=both, black__in=both).order_by("n")[:MAX_NAMED]:
        text = _("These two accounts played a rated match against each other.")
        yield DeletionBlocker(text, reverse("match", args=[rated.match_id]))


@merge_registry.blocker
def in_play(merge: Merge) -> Iterable[DeletionBlocker]:
    live = Match.objects.filter(status=Match.Status.LIVE, seats__user__in=(merge.source, merge.target)).distinct()
    for match in live.order_by("started_at", "pk")[:MAX_NAMED]:
        yield DeletionBlocker(_("A match is in progress. It must end first."), reverse("match", args=[match.pk]))


@merge_registry.blocker
def to_play_each_other(merge: Merge) -> Iterable[DeletionBlocker]:
    """An open match between the two accounts would have one player."""
    waiting = _between(merge).filter(status=Match.Status.OPEN)
    for match in waiting.order_by("pk")[:MAX_NAMED]:
        text = _("A match between these two accounts is waiting to start. Cancel it first.")
        yield DeletionBlocker(text, reverse("match", args=[match.pk]))


@merge_registry.lock
def lock_pools(merge: Merge) -> None:
    """Lock the pools whose ratings change: their services take the pool before they write a line about a user."""
    ids = _rated(merge.source).order_by().values_list("pool", flat=True).distinct()
    list(RatingPool.objects.select_for_update().filter(pk__in=list(ids)).order_by("pk"))


@merge_registry.before
def end_offers(merge: Merge) -> None:
    """Withdraw the open offers of the source account and decline those made to it. It has no live match."""
    leaving.matches_leave(user=merge.source)


# Moving rows


def _between(merge: Merge) -> QuerySet[Match]:
    return Match.objects.filter(seats__user=merge.source).filter(seats__user=merge.target)


def _seats(merge: Merge) -> QuerySet[Seat]:
    return Seat.objects.filter(user=merge.source).exclude(match__in=_between(merge))


def _rated(user: User) -> QuerySet[RatedMatch]:
    return RatedMatch.objects.filter(Q(white=user) | Q(black=user))


@merge_registry.mover("games.RollCount.user")
def move_rolls(merge: Merge) -> None:
    """Move the counted rolls, except those of matches between the two, whose seats stay as they are."""
    staying = _rolls_between(merge)
    moved: Rolls = Rolls()
    for row in RollCount.objects.filter(user=merge.source):
        key = (row.user_id, row.variant, row.pace, row.dice)
        moved[(merge.target.pk, *key[1:])] += row.count - staying[key]
    RollCount.objects.filter(user=merge.source).delete()
    rolls_add({key: count for key, count in (moved + staying).items() if count > 0})


def _rolls_between(merge: Merge) -> Rolls:
    """The rolls of the source account in counted matches against the target."""
    between: Rolls = Rolls()
    counted = _between(merge).filter(seats__facts__isnull=False).distinct()
    for match in counted.prefetch_related("seats__user", "games"):
        _rows, rolls = facts_of(match, list(match.seats.all()), match.games.all(), match.actions.order_by("n"))
        between.update({key: count for key, count in rolls.items() if key[0] == merge.source.pk})
    return between


@merge_registry.mover("games.SeatFacts.user", "games.SeatFacts.opponent")
def move_facts(merge: Merge) -> None:
    others = SeatFacts.objects.exclude(seat__match__in=_between(merge))
    others.filter(user=merge.source).update(user=merge.target)
    others.filter(opponent=merge.source).update(opponent=merge.target)


@merge_registry.mover("games.Seat.user")
def move_seats(merge: Merge) -> None:
    _seats(merge).update(user=merge.target)


@merge_registry.mover("games.RatedMatch.white", "games.RatedMatch.black")
def move_rated(merge: Merge) -> None:
    """Move the lines of the logs and rebuild the pools: as if one account had played all matches."""
    pools = sorted(set(_rated(merge.source).values_list("pool", flat=True)))
    RatedMatch.objects.filter(white=merge.source).update(white=merge.target)
    RatedMatch.objects.filter(black=merge.source).update(black=merge.target)
    for pool_id in pools:
        pool_rebuild(pool_id=pool_id)
