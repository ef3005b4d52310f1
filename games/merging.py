"""What `games` does when two accounts become one: see accounts.merging.

What was played moves as it is; ratings and rolls are counted anew, so that they are those of one account from its first
match. A match between the two accounts is nobody's match: the seat of the account that goes stays its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import merging
from accounts.data import Hindrance
from accounts.merging import Count, Merge
from accounts.models import User
from games.models import (
    Ladder,
    LadderEvent,
    LadderPlayer,
    LadderSeason,
    Match,
    RatedMatch,
    RatingPool,
    RollCount,
    Seat,
    SeatFacts,
)
from games.services import leaving
from games.services.ratings import pool_rebuild
from games.services.statistics import Rolls, facts_of, rolls_add

MOST_NAMED = 5
PLAYERS = ("player", "challenger", "defender", "winner", "loser")
"""The keys at which the event of a ladder names somebody by number (games.ladders.fold)."""

merging.moves("games.MatchMark.user", "games.MatchTag.user", "games.Vacation.user")
merging.stays("games.Rating.user", "games.RatingEvent.user")  # they follow from the log, and are counted anew


@merging.counted
def told(merge: Merge) -> Iterable[Count]:
    gone = merge.gone
    yield Count(_("Matches"), _seats(merge).count())
    yield Count(_("Rated matches"), _rated(gone).count())
    yield Count(_("Places on ladders"), LadderPlayer.objects.filter(user=gone).count())
    yield Count(_("Marks and tags on matches"), gone.match_marks.count() + gone.match_tags.count())


# What forbids it


@merging.hindrance
def rated_against_each_other(merge: Merge) -> Iterable[Hindrance]:
    """Who played rated against himself has ratings that no merge can put right."""
    both = (merge.gone.pk, merge.into.pk)
    for rated in RatedMatch.objects.filter(white__in=both, black__in=both).order_by("n")[:MOST_NAMED]:
        text = _("The two played a rated match against each other.")
        yield Hindrance(text, reverse("match", args=[rated.match_id]))


@merging.hindrance
def in_play(merge: Merge) -> Iterable[Hindrance]:
    live = Match.objects.filter(status=Match.Status.LIVE, seats__user__in=(merge.gone, merge.into)).distinct()
    for match in live.order_by("started_at", "pk")[:MOST_NAMED]:
        yield Hindrance(_("A match is in play: it has to end first."), reverse("match", args=[match.pk]))


@merging.hindrance
def to_play_each_other(merge: Merge) -> Iterable[Hindrance]:
    """A match that waits for both would have one player."""
    waiting = _between(merge).filter(status=Match.Status.OPEN)
    for match in waiting.order_by("pk")[:MOST_NAMED]:
        text = _("A match of the two against each other waits: it has to be called off first.")
        yield Hindrance(text, reverse("match", args=[match.pk]))


@merging.hindrance
def on_one_ladder(merge: Merge) -> Iterable[Hindrance]:
    """Nobody can have been two on a ladder."""
    both = Ladder.objects.filter(players__user=merge.gone).filter(players__user=merge.into).distinct()
    for ladder in both.order_by("name", "pk")[:MOST_NAMED]:
        text = _("Both were on the ladder %(name)s.") % {"name": ladder.name}
        yield Hindrance(text, reverse("ladder", args=[ladder.pk]))


@merging.lock
def lock_pools(merge: Merge) -> None:
    """The ratings that change: their services take the pool before they write a line about a person."""
    ids = _rated(merge.gone).order_by().values_list("pool", flat=True).distinct()
    list(RatingPool.objects.select_for_update().filter(pk__in=list(ids)).order_by("pk"))


@merging.parting
def take_offers_back(merge: Merge) -> None:
    """What he offers is taken back, what he is offered declined. Nothing of his is in play."""
    leaving.matches_leave(user=merge.gone)


# What moves


def _between(merge: Merge) -> QuerySet[Match]:
    return Match.objects.filter(seats__user=merge.gone).filter(seats__user=merge.into)


def _seats(merge: Merge) -> QuerySet[Seat]:
    return Seat.objects.filter(user=merge.gone).exclude(match__in=_between(merge))


def _rated(user: User) -> QuerySet[RatedMatch]:
    return RatedMatch.objects.filter(Q(white=user) | Q(black=user))


@merging.mover("games.RollCount.user")
def move_rolls(merge: Merge) -> None:
    """What he threw, but for the matches of the two against each other: that stays where those seats stay."""
    kept = _thrown_between(merge)
    moved: Rolls = Rolls()
    for row in RollCount.objects.filter(user=merge.gone):
        key = (row.user_id, row.variant, row.pace, row.dice)
        moved[(merge.into.pk, *key[1:])] += row.count - kept[key]
    RollCount.objects.filter(user=merge.gone).delete()
    rolls_add({key: count for key, count in (moved + kept).items() if count > 0})


def _thrown_between(merge: Merge) -> Rolls:
    """What the one who goes threw in counted matches against the one who stays."""
    thrown: Rolls = Rolls()
    counted = _between(merge).filter(seats__facts__isnull=False).distinct()
    for match in counted.prefetch_related("seats__user", "games"):
        _rows, rolls = facts_of(match, list(match.seats.all()), match.games.all(), match.actions.order_by("n"))
        thrown.update({key: count for key, count in rolls.items() if key[0] == merge.gone.pk})
    return thrown


@merging.mover("games.SeatFacts.user", "games.SeatFacts.rival")
def move_facts(merge: Merge) -> None:
    apart = SeatFacts.objects.exclude(seat__match__in=_between(merge))
    apart.filter(user=merge.gone).update(user=merge.into)
    apart.filter(rival=merge.gone).update(rival=merge.into)


@merging.mover("games.Seat.user")
def move_seats(merge: Merge) -> None:
    _seats(merge).update(user=merge.into)


@merging.mover("games.RatedMatch.white", "games.RatedMatch.black")
def move_rated(merge: Merge) -> None:
    """The lines of the logs, and all that follows from them: as if one had played them all."""
    pools = sorted(set(_rated(merge.gone).values_list("pool", flat=True)))
    RatedMatch.objects.filter(white=merge.gone).update(white=merge.into)
    RatedMatch.objects.filter(black=merge.gone).update(black=merge.into)
    for pool_id in pools:
        pool_rebuild(pool_id=pool_id)


@merging.mover("games.LadderEvent.payload", "games.Ladder.state", "games.LadderSeason.table")
def move_places(merge: Merge) -> None:
    """A ladder says by number who did what: in its events, in what is folded of them, and in the tables of seasons.

    The other was never on it, so that putting one number for another gives the same fold with the other player.
    """
    one = {merge.gone.pk: merge.into.pk}
    ladders = Ladder.objects.filter(Q(players__user=merge.gone) | Q(challenges__challenger=merge.gone)).distinct()
    for ladder in Ladder.objects.select_for_update().filter(pk__in=list(ladders.values_list("pk", flat=True))):
        for event in LadderEvent.objects.filter(ladder=ladder).only("pk", "payload").iterator(chunk_size=500):
            payload = _event_of(event.payload, one)
            if payload != event.payload:
                LadderEvent.objects.filter(pk=event.pk).update(payload=payload)
        Ladder.objects.filter(pk=ladder.pk).update(state=_state_of(ladder.state, one))
        for season in LadderSeason.objects.filter(ladder=ladder):
            season.table = [{**row, "user": one.get(row.get("user"), row.get("user"))} for row in season.table]
            season.save(update_fields=["table"])


def _event_of(payload: dict[str, Any], one: dict[int, int]) -> dict[str, Any]:
    """An event with the other's number at the keys that name players; `moves` and `points` are by number as text."""
    found = {key: one.get(value, value) if key in PLAYERS else value for key, value in payload.items()}
    for key in ("moves", "points"):
        if isinstance(found.get(key), dict):
            names = {str(was): str(now) for was, now in one.items()}
            found[key] = {names.get(player, player): value for player, value in found[key].items()}
    return found


def _state_of(state: dict[str, Any], one: dict[int, int]) -> dict[str, Any]:
    """A dumped state (games.ladders.snapshot) with the other player in it."""

    def player(number: Any) -> Any:
        return one.get(number, number)

    found = dict(state)
    if "order" in state:
        found["order"] = [player(number) for number in state["order"]]
    if "rows" in state:
        found["rows"] = [
            {
                **row,
                "player": player(row["player"]),
                "results": [[player(rival), points] for rival, points in row["results"]],
                "met": [[player(rival), when] for rival, when in row["met"]],
            }
            for row in state["rows"]
        ]
    if "calls" in state:
        found["calls"] = [[number, player(one_), player(other)] for number, one_, other in state["calls"]]
    return found
