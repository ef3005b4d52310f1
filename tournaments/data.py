"""What `tournaments` keeps about a person, and how each of it goes: see accounts.data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import data
from accounts.data import OWNED, SHARED, Hindrance, Table
from accounts.former import Leaver
from accounts.models import User
from games.models import Match
from games.services import match_call_off
from tournaments import services
from tournaments.models import ClubRecords, Director, Entrant, Placing, Tournament, TournamentEvent

Phase = Tournament.Phase
UNDER_WAY = (Phase.OPEN, Phase.DRAWN, Phase.RUNNING)
NAMES = ("name", "was", "names", "why", "text")
"""The keys at which an event holds names or what a director said; see tournaments.fold."""

data.keep(
    Table(
        "tournaments.Tournament",
        {"created_by": SHARED},
        plain=("id", "name", "about", "timezone", "terms", "password", "invitation", "seed", "seed_hash"),
        withheld=("password", "invitation", "seed"),
    ),
    Table("tournaments.Director", {"user": OWNED}),
    Table("tournaments.Entrant", {"user": SHARED}, plain=("nonce",), erased=("written_name",), withheld=("nonce",)),
    Table("tournaments.TournamentEvent", {"by": SHARED}, plain=("kind",), erased=("data",)),
    Table("tournaments.Meeting", {}, plain=("key", "section")),
    Table("tournaments.TournamentRound", {}, plain=("section",)),
    Table("tournaments.NightTemplate", {"made_by": SHARED}, plain=("name", "terms", "facts")),
    Table("tournaments.Recurrence", {"made_by": SHARED}, plain=("name", "rhythm")),
    Table("tournaments.Night", {}, plain=("why",)),
    Table("tournaments.OutsideResult", {"by": SHARED}, plain=("key", "event")),
    Table("tournaments.Placing", {"user": SHARED}, erased=("name",)),
    Table("tournaments.Season", {"made_by": SHARED}, plain=("name", "points", "variants")),
    Table("tournaments.ClubRecords", {}, erased=("found",)),
)


# Before he goes


@data.hindrance
def tournaments_without_director(user: User) -> Iterable[Hindrance]:
    """A tournament under way keeps somebody who directs it."""
    others = Director.objects.filter(user__is_active=True).exclude(user=user).values("tournament")
    alone = Tournament.objects.filter(directors__user=user, phase__in=UNDER_WAY).exclude(pk__in=others)
    for one in alone.order_by("created_at", "pk"):
        text = _("You alone direct %(name)s: let somebody else direct it, or bring it to an end.") % {"name": one.name}
        yield Hindrance(text, reverse("tournament-desk", args=[one.pk]))


@data.parting
def leave_tournaments(user: User) -> None:
    """Withdraw from every tournament under way: what he did not play there is lost."""
    for match_id in Match.objects.filter(
        seats__user=user, arranged=True, status=Match.Status.OVER, meeting__state="ready"
    ).values_list("pk", flat=True):
        services.match_over(match_id=match_id)  # what he has just resigned counts as played
    entered = Entrant.objects.filter(user=user, tournament__phase__in=UNDER_WAY, withdrawn=False)
    for tournament_id, number in entered.order_by("tournament").values_list("tournament", "number"):
        services.entrant_withdraw(tournament_id=tournament_id, user=user, number=number)
    waiting = Match.objects.filter(seats__user=user, arranged=True, status=Match.Status.OPEN)
    for match_id in list(waiting.values_list("pk", flat=True)):
        match_call_off(match_id=match_id)


# What is erased


@data.eraser("tournaments.TournamentEvent.data")
def forget_events(leaver: Leaver) -> None:
    """The events name people as they were called then. Who plays whom is said by numbers: the fold stays the same."""
    for tournament in _tournaments(leaver).only("pk"):
        known = leaver.known_as(_names_in(tournament, leaver.user))
        known.mend(TournamentEvent.objects.filter(tournament=tournament), "data", at=NAMES)


@data.eraser("tournaments.Entrant.written_name")
def forget_written_entrants(leaver: Leaver) -> None:
    """The name that a director wrote before the place was linked to his account, or instead of it."""
    Entrant.objects.filter(user=leaver.user).update(written_name="")
    leaver_names = Entrant.objects.filter(user=None).only("written_name").iterator(chunk_size=2000)
    his = [one.pk for one in leaver_names if leaver.is_his(one.written_name)]
    Entrant.objects.filter(pk__in=his).update(written_name=leaver.left)


@data.eraser("tournaments.Placing.name")
def forget_placings(leaver: Leaver) -> None:
    Placing.objects.filter(user=leaver.user).update(name=leaver.left)
    rows = Placing.objects.filter(user=None).only("name").iterator(chunk_size=2000)
    Placing.objects.filter(pk__in=[row.pk for row in rows if leaver.is_his(row.name)]).update(name=leaver.left)


@data.eraser("tournaments.ClubRecords.found")
def forget_records(leaver: Leaver) -> None:
    """The records are counted without him within the hour; until then they do not name him."""
    leaver.mend(ClubRecords.objects.all(), "found", at=("name",))


def _tournaments(leaver: Leaver) -> QuerySet[Tournament]:
    """Those that he entered, directed or did something in, and those where his name was written."""
    user = leaver.user
    written = Entrant.objects.filter(user=None).only("tournament", "written_name").iterator(chunk_size=2000)
    his = Q(entrants__user=user) | Q(directors__user=user) | Q(created_by=user) | Q(placings__user=user)
    by = TournamentEvent.objects.filter(by=user).values("tournament")
    told = TournamentEvent.objects.filter(kind__in=("linked", "substituted"), data__user=user.pk).values("tournament")
    places = {one.tournament_id for one in written if leaver.is_his(one.written_name)}
    return Tournament.objects.filter(his | Q(pk__in=by) | Q(pk__in=told) | Q(pk__in=places)).distinct()


def _names_in(tournament: Tournament, user: User) -> Iterator[str]:
    """What he was called in one tournament: the name that was written for his place, and that of his account then."""
    for one in tournament.entrants.filter(user=user):
        yield one.written_name
    for event in tournament.events.filter(kind__in=("linked", "substituted")):
        for said in (event.data, event.data.get("first", {})):
            if said.get("user") == user.pk:
                yield said["name"]
        if event.kind == "linked" and event.data["user"] == user.pk:
            yield from _written_before(tournament, event.data["entrant"])


def _written_before(tournament: Tournament, number: int) -> Iterator[Any]:
    """The name under which a place was entered before it was linked."""
    entered = tournament.events.filter(kind__in=("registered", "waited"), data__entrant=number)
    return (event.data["name"] for event in entered)
