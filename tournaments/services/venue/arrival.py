"""The venue's site: bringing a tournament here from its file, and the file of its results."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.clubs.roles import ClubAction, may
from accounts.clubs.services import default_club_ensure
from accounts.models import User
from accounts.web.encryption import site_cipher
from accounts.web.staff import refusal_code
from games.database import now
from tournaments import venue_file
from tournaments.errors import Refused
from tournaments.models import Entrant, Official, Team, Tournament, TournamentEvent, VenueCopy
from tournaments.roles import Role
from tournaments.services.setup import LONGEST_NAME, LONGEST_TEXT
from tournaments.services.transaction import TournamentTransaction
from tournaments.services.venue.contents import content_back, contents_of, events_content
from tournaments.services.venue.home import PURPOSE, secret_of
from tournaments.services.venue.reading import (
    MOST_RATING,
    ReadEvent,
    damaged_is_refused,
    moment_in,
    number_in,
    read_entrants,
    read_events,
    read_file,
    text_in,
)
from tournaments.state import State


def check_may_bring_here(user: User) -> None:
    """Raises Refused("not_club_owner") unless the user owns the club of this site, or is staff."""
    if not may(user, ClubAction.EDIT, default_club_ensure()):
        raise Refused(refusal_code(user, "not_club_owner"))


def venue_bring_here(*, user: User, data: bytes, replace: bool = False) -> Tournament:
    """Bring a tournament to this site, to be played here; `user` directs it.

    `replace`: an earlier copy of it goes, with what was played here and never came to the club's site.
    Raises Refused: not_club_owner, venue_large, venue_damaged, venue_version, venue_is_back, venue_signature,
    venue_own_site, venue_here, venue_replaces.
    """
    check_may_bring_here(user)
    file = read_file(data, "out")
    with damaged_is_refused(), transaction.atomic():
        body = file.body
        secret = text_in(body["secret"], 2 * venue_file.SECRET_BYTES)
        file.check(secret)
        copy_id = text_in(body["copy"], venue_file.LONGEST_COPY)
        events = read_events(body["events"])
        _remove_earlier(text_in(body["tournament"]["id"], 16), copy_id, events, replace=replace)
        tournament = _tournament(body["tournament"], user)
        entrants = read_entrants(body["entrants"])
        _create_entrants(tournament, entrants, body["teams"])
        ratings = {str(row["number"]): row["rating"] for row in body["entrants"] if row["rating"] is not None}
        VenueCopy.objects.create(
            id=copy_id,
            tournament=tournament,
            here=True,
            secret=site_cipher(PURPOSE).encrypt(secret),
            club=text_in(body["club"], LONGEST_NAME),
            by=user,
            at=now(),
            entrants=len(entrants),
            venue_events=len(events),
            home_events=len(events),
            offsets=[[1, 0]],
            digest=venue_file.digest(event.content for event in events),
            ratings={number: number_in(rating, MOST_RATING) for number, rating in ratings.items()},
        )
        tx = TournamentTransaction(tournament, State(), now())
        tx.adopt(
            [
                TournamentEvent(
                    tournament=tournament, n=n, act=event.act, kind=event.kind, data=event.data, by=None, at=event.at
                )
                for n, event in enumerate(events, 1)
            ]
        )
        stay = tx.state.venue_stay
        if stay is None or stay.copy != copy_id:
            raise Refused("venue_damaged")
        tx.commit()
    return tournament


def _remove_earlier(tournament_id: str, copy_id: str, events: list[ReadEvent], *, replace: bool) -> None:
    """Remove an earlier copy of a tournament from this site.

    Raises Refused: venue_own_site (it is not a copy), venue_here (it is this one), venue_replaces (something was played
    here that the file does not have).
    """
    earlier = Tournament.objects.select_for_update().filter(pk=tournament_id).first()
    if earlier is None:
        return
    copy = earlier.venue_copies.filter(here=True).first()
    if copy is None:
        raise Refused("venue_own_site")
    if copy.pk == copy_id:
        raise Refused("venue_here", params={"name": earlier.name})
    played = contents_of(events_content(earlier))
    lost = len(played) - _common(played, [event.content for event in events])
    if lost and not replace:
        raise Refused("venue_replaces", params={"name": earlier.name, "count": lost})
    earlier.delete()


def _common(first: list[Any], second: list[Any]) -> int:
    """How many of two lists are the same from the beginning."""
    return next(
        (n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )


def _tournament(facts: Mapping[str, Any], user: User) -> Tournament:
    seed = bytes.fromhex(text_in(facts["seed"], 64))
    tournament = Tournament(
        id=text_in(facts["id"], 16),
        club=default_club_ensure(),
        name=text_in(facts["name"], LONGEST_NAME),
        about=text_in(facts["about"], LONGEST_TEXT, empty=True),
        timezone=text_in(facts["timezone"], 64),
        capacity=None if facts["capacity"] is None else number_in(facts["capacity"], 512),
        starts_at=_moment_or_none(facts["starts_at"]),
        starts_itself=facts["starts_itself"] is True and facts["starts_at"] is not None,
        seed=seed,
        seed_hash=text_in(facts["seed_hash"], 64),
        created_by=user,
        created_at=moment_in(facts["created_at"]),
        begun_at=_moment_or_none(facts["begun_at"]),
    )
    tournament.save(force_insert=True)
    Official.objects.create(tournament=tournament, user=user, role=Role.DIRECTOR, appointed_by=user, appointed_at=now())
    return tournament


def _moment_or_none(value: object) -> datetime | None:
    return None if value is None else moment_in(value)


def _create_entrants(tournament: Tournament, entrants: list[Mapping[str, Any]], teams: list[int]) -> None:
    """Create the rows of entrants, as names without an account."""
    rows = {
        row["number"]: Entrant(
            tournament=tournament,
            number=row["number"],
            written_name=row["name"],
            seed_rank=row["seed"],
            nonce=row["nonce"],
            withdrawn=row["withdrawn"],
            entered_at=row["at"],
        )
        for row in entrants
    }
    Entrant.objects.bulk_create(rows.values())
    made = {number: Team(entrant=rows[number]) for number in teams}
    Team.objects.bulk_create(made.values())
    players = [rows[row["number"]] for row in entrants if row["team"] is not None]
    for row in entrants:
        if row["team"] is not None:
            rows[row["number"]].team = made[row["team"]]
    Entrant.objects.bulk_update(players, ["team"])


def venue_file_back(copy: VenueCopy) -> bytes:
    """The file of what was played here, for the club's site."""
    return venue_file.write("back", content_back(copy), secret_of(copy))
