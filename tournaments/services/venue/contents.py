"""The bodies of the two files of a venue copy (`tournaments.venue_file`): what a tournament is made of.

Accounts stay on their sites: the file has names, and the numbers of entrants. E-mail addresses, passwords and ids of
users are not in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tournaments.models import Entrant, Team, Tournament, TournamentEvent, VenueCopy
from tournaments.services.seeding import entrant_ratings
from tournaments.state import State
from tournaments.venue_file import EventContent

EVENTS_WITH_USERS = ("linked", "substituted")


def content_out(copy: VenueCopy, secret: str, state: State) -> dict[str, Any]:
    """The body of the file that goes to the venue, until the event that took it out."""
    tournament = copy.tournament
    entrants = _entrants(tournament)
    ratings = entrant_ratings(entrants, state.rules)
    return {
        "copy": copy.pk,
        "secret": secret,
        "at": copy.at.isoformat(),
        "club": tournament.club.name,
        "tournament": {
            "id": tournament.pk,
            "name": tournament.name,
            "about": tournament.about,
            "timezone": tournament.timezone,
            "capacity": tournament.capacity,
            "starts_at": tournament.starts_at.isoformat() if tournament.starts_at else None,
            "starts_itself": tournament.starts_itself,
            "seed": bytes(tournament.seed).hex(),
            "seed_hash": tournament.seed_hash,
            "created_at": tournament.created_at.isoformat(),
            "begun_at": tournament.begun_at.isoformat() if tournament.begun_at else None,
        },
        "entrants": [
            {**_entrant(entrant), "withdrawn": entrant.withdrawn, "rating": ratings.get(entrant.number)}
            for entrant in entrants
            if entrant.number <= copy.entrants
        ],
        "teams": _teams(tournament),
        "events": events_content(tournament, copy.home_events),
    }


def content_back(copy: VenueCopy) -> dict[str, Any]:
    """The body of the file that goes back to the club's site: everything until now."""
    tournament = copy.tournament
    return {
        "copy": copy.pk,
        "tournament": tournament.pk,
        "entrants": [
            {**_entrant(entrant), "account": entrant.user.username if entrant.user else ""}
            for entrant in _entrants(tournament)
        ],
        "teams": _teams(tournament),
        "events": events_content(tournament),
    }


def events_content(tournament: Tournament, until: int | None = None) -> list[list[Any]]:
    """The events in order: their act, kind and data without ids of users, their time, and who did it."""
    rows = TournamentEvent.objects.filter(tournament=tournament).order_by("n")
    if until is not None:
        rows = rows.filter(n__lte=until)
    columns = rows.values_list("act", "kind", "data", "at", "by__username")
    return [[act, kind, _without_users(kind, data), at.isoformat(), by or ""] for act, kind, data, at, by in columns]


def contents_of(events: Sequence[Sequence[Any]]) -> list[EventContent]:
    """What of these events is compared between the sites."""
    return [(event[0], event[1], event[2]) for event in events]


def _entrants(tournament: Tournament) -> list[Entrant]:
    return list(tournament.entrants.select_related("user", "team__entrant").order_by("number"))


def _entrant(entrant: Entrant) -> dict[str, Any]:
    return {
        "number": entrant.number,
        "name": entrant.name,
        "team": entrant.team.entrant.number if entrant.team is not None else None,
        "seed": entrant.seed_rank,
        "nonce": bytes(entrant.nonce).hex(),
        "at": entrant.entered_at.isoformat(),
    }


def _teams(tournament: Tournament) -> list[int]:
    """The numbers of the entrants who are teams."""
    rows = Team.objects.filter(entrant__tournament=tournament)
    return sorted(rows.values_list("entrant__number", flat=True))


def _without_users(kind: str, data: Mapping[str, Any]) -> Mapping[str, Any]:
    if kind not in EVENTS_WITH_USERS:
        return data
    found = {**data, "user": None}
    return {**found, "first": {**data["first"], "user": None}} if "first" in data else found
