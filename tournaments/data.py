"""The personal data that tournaments store, and how it is erased: see accounts.privacy.registry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.privacy import registry as data_registry
from accounts.privacy.anonymize import Anonymizer
from accounts.privacy.registry import OTHERS, OWNED, SHARED, DeletionBlocker, Table
from accounts.web.encryption import register_encrypted_texts
from games.models import Match
from games.services import match_call_off
from tournaments import services
from tournaments.models import (
    ClubRecords,
    Entrant,
    Official,
    Placing,
    Tournament,
    TournamentEvent,
    VenueCopy,
    WeekendRecord,
)
from tournaments.roles import Role
from tournaments.services.venue.home import PURPOSE

Phase = Tournament.Phase
UNDER_WAY = (Phase.OPEN, Phase.DRAWN, Phase.RUNNING)
NAMES = ("name", "was", "names", "why", "text")
"""The keys of event data with names or texts of directors; see tournaments.fold."""

data_registry.register_tables(
    Table(
        "tournaments.Tournament",
        {"created_by": SHARED},
        plain=("id", "name", "about", "timezone", "terms", "password", "invitation", "seed", "seed_hash"),
        withheld=("password", "invitation", "seed"),
    ),
    Table("tournaments.CalendarFeed", {"user": OWNED}, withheld=("key",)),
    Table("tournaments.Official", {"user": OWNED, "appointed_by": OTHERS}),
    Table(
        "tournaments.Entrant",
        {"user": SHARED},
        plain=("nonce",),
        erased=("written_name", "federation_number"),
        withheld=("nonce",),
    ),
    Table("tournaments.Team", {"captain": OTHERS}),
    Table("tournaments.TournamentEvent", {"by": SHARED}, plain=("kind",), erased=("data",)),
    Table("tournaments.Meeting", {}, plain=("key", "section")),
    Table("tournaments.TournamentRound", {}, plain=("section",)),
    Table("tournaments.EventTemplate", {"made_by": SHARED}, plain=("name", "terms", "facts")),
    Table("tournaments.RecurringEvent", {"made_by": SHARED}, plain=("name", "recurrence")),
    Table("tournaments.Occurrence", {}, plain=("reason",)),
    Table("tournaments.OutsideResult", {"by": SHARED}, plain=("key", "event")),
    Table(
        "tournaments.VenueCopy",
        {"by": SHARED},
        plain=("id", "secret", "club", "offsets", "digest", "ratings"),
        withheld=("secret",),
    ),
    Table("tournaments.Placing", {"user": SHARED}, erased=("name",)),
    Table("tournaments.Season", {"made_by": SHARED}, plain=("name", "points", "variants")),
    Table("tournaments.ClubRecords", {}, erased=("found",)),
    Table("tournaments.Weekend", {"created_by": SHARED}, plain=("id", "name", "about", "place")),
    Table("tournaments.WeekendRecord", {"by": SHARED}, erased=("data",)),
)


def _venue_secrets() -> Iterable[str]:
    return VenueCopy.objects.values_list("secret", flat=True)


register_encrypted_texts(PURPOSE, gettext_lazy("keys of tournaments at a venue"), _venue_secrets)


# Before an account is deleted


@data_registry.deletion_blocker
def tournaments_without_director(user: User) -> Iterable[DeletionBlocker]:
    """Block the deletion of the only director of a tournament under way."""
    directors = Official.objects.filter(role=Role.DIRECTOR)
    others = directors.filter(user__is_active=True).exclude(user=user).values("tournament")
    directed = Tournament.objects.filter(pk__in=directors.filter(user=user).values("tournament"), phase__in=UNDER_WAY)
    directed = directed.exclude(pk__in=others)
    for tournament in directed.order_by("created_at", "pk"):
        text = _("You are the only director of %(name)s. Add another director or finish the tournament first.") % {
            "name": tournament.name
        }
        yield DeletionBlocker(text, reverse("tournament-desk", args=[tournament.pk]))


@data_registry.on_delete
def leave_tournaments(user: User) -> None:
    """Withdraw the user from every tournament under way: matches that were not played are lost.

    Not from one that is at its venue: there they play or withdraw under the name that the file has (ruling E27).
    """
    for match_id in Match.objects.filter(
        seats__user=user, arranged=True, status=Match.Status.OVER, meeting__state="ready"
    ).values_list("pk", flat=True):
        services.match_result_record(match_id=match_id)  # a match that was just resigned counts as played
    entered = Entrant.objects.filter(user=user, team=None, tournament__phase__in=UNDER_WAY, withdrawn=False)
    away = VenueCopy.objects.filter(here=False, status=VenueCopy.Status.OUT).values("tournament")
    entered = entered.exclude(tournament__in=away)
    rows = Tournament.objects.select_for_update().filter(pk__in=entered.values("tournament")).order_by("pk")
    list(rows.values_list("pk", flat=True))  # all locked before the weekend of any (services.shared_boards)
    for tournament_id, number in entered.order_by("tournament").values_list("tournament", "number"):
        services.entrant_withdraw(tournament_id=tournament_id, user=user, number=number)
    waiting = Match.objects.filter(seats__user=user, arranged=True, status=Match.Status.OPEN)
    for match_id in list(waiting.values_list("pk", flat=True)):
        match_call_off(match_id=match_id)


# Erasing


@data_registry.eraser("tournaments.TournamentEvent.data")
def forget_events(anonymizer: Anonymizer) -> None:
    """Replace names in the data of events. Entrants are numbers there: the folded state stays the same."""
    for tournament in _tournaments(anonymizer).only("pk"):
        known = anonymizer.also_named(_names_in(tournament, anonymizer.user))
        known.anonymize_column(TournamentEvent.objects.filter(tournament=tournament), "data", keys=NAMES)


@data_registry.eraser("tournaments.Entrant.written_name", "tournaments.Entrant.federation_number")
def forget_written_entrants(anonymizer: Anonymizer) -> None:
    """Replace the names that directors wrote for walk-ins who are, or were later linked to, the user."""
    Entrant.objects.filter(user=anonymizer.user).update(written_name="", federation_number="")
    walk_ins = Entrant.objects.filter(user=None).only("written_name").iterator(chunk_size=2000)
    named = [entrant.pk for entrant in walk_ins if anonymizer.is_name(entrant.written_name)]
    Entrant.objects.filter(pk__in=named).update(written_name=anonymizer.replacement, federation_number="")


@data_registry.eraser("tournaments.Placing.name")
def forget_placings(anonymizer: Anonymizer) -> None:
    Placing.objects.filter(user=anonymizer.user).update(name=anonymizer.replacement)
    rows = Placing.objects.filter(user=None).only("name").iterator(chunk_size=2000)
    Placing.objects.filter(pk__in=[row.pk for row in rows if anonymizer.is_name(row.name)]).update(
        name=anonymizer.replacement
    )


@data_registry.eraser("tournaments.ClubRecords.found")
def forget_records(anonymizer: Anonymizer) -> None:
    """Remove the name from club records, which are counted without the user within the hour."""
    anonymizer.anonymize_column(ClubRecords.objects.all(), "found", keys=("name",))


@data_registry.eraser("tournaments.WeekendRecord.data")
def forget_weekend_records(anonymizer: Anonymizer) -> None:
    """Replace the name of a buyer at an auction; other people are entrants there, by number."""
    anonymizer.anonymize_column(WeekendRecord.objects.filter(kind="lot"), "data", keys=("buyer",))


def _tournaments(anonymizer: Anonymizer) -> QuerySet[Tournament]:
    """The tournaments that the user entered, had a role or acted in, and those with a walk-in of that name."""
    user = anonymizer.user
    walk_ins = Entrant.objects.filter(user=None).only("tournament", "written_name").iterator(chunk_size=2000)
    own = Q(entrants__user=user) | Q(officials__user=user) | Q(created_by=user) | Q(placings__user=user)
    acted = TournamentEvent.objects.filter(by=user).values("tournament")
    named = TournamentEvent.objects.filter(kind__in=("linked", "substituted"), data__user=user.pk).values("tournament")
    written = {entrant.tournament_id for entrant in walk_ins if anonymizer.is_name(entrant.written_name)}
    return Tournament.objects.filter(own | Q(pk__in=acted) | Q(pk__in=named) | Q(pk__in=written)).distinct()


def _names_in(tournament: Tournament, user: User) -> Iterator[str]:
    """The names of the user in one tournament: written by a director, or of the account at that time."""
    for entrant in tournament.entrants.filter(user=user):
        yield entrant.written_name
    for event in tournament.events.filter(kind__in=("linked", "substituted")):
        for person in (event.data, event.data.get("first", {})):
            if person.get("user") == user.pk:
                yield person["name"]
        if event.kind == "linked" and event.data["user"] == user.pk:
            yield from _names_before_link(tournament, event.data["entrant"])


def _names_before_link(tournament: Tournament, number: int) -> Iterator[Any]:
    """The names under which an entrant was registered before they were linked to an account."""
    entered = tournament.events.filter(kind__in=("registered", "waited"), data__entrant=number)
    return (event.data["name"] for event in entered)
