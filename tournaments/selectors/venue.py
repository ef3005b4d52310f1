"""Venue mode for pages: where a tournament is, and what a file of results would bring (ruling E27)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.text import slugify

from accounts.models import User
from games.models import Match
from tournaments.formats.core import Key
from tournaments.models import Meeting, Tournament, TournamentEvent, VenueCopy
from tournaments.roles import DeskAct
from tournaments.selectors import labels, lookups, tournament_log
from tournaments.selectors.director_desk import DirectorDesk, director_desk
from tournaments.selectors.venue_status import VenueStatus, venue_status
from tournaments.services.transaction import load_state
from tournaments.services.venue.arrival import venue_file_back
from tournaments.services.venue.home import venue_file_out
from tournaments.services.venue.returning import Newcomer, Return

Status = VenueCopy.Status


@dataclass(frozen=True, slots=True)
class VenuePage:
    """The page about the venue, for directors: the `copy` that is out, came back or was given up last, if any."""

    tournament: Tournament
    status: VenueStatus | None
    copy: VenueCopy | None
    by: str
    in_play: bool  # a match on this site would have to end first
    is_active: bool
    played: int  # at the venue: how many results were entered here

    @property
    def can_return(self) -> bool:
        """Whether a file of results may be brought here."""
        return self.copy is not None and not self.copy.here


def venue_page(*, tournament_id: str, user: User) -> VenuePage:
    """The page about the venue. Raises NotFound, Refused("not_director")."""
    tournament = lookups.desk_tournament(tournament_id=tournament_id, user=user, act=DeskAct.TAKE_TO_VENUE)
    state = load_state(tournament)
    copy = tournament.venue_copies.select_related("by").order_by("here", "at", "pk").last()
    busy = tournament.meetings.filter(
        state=Meeting.State.READY, match__status__in=(Match.Status.LIVE, Match.Status.OVER)
    )
    played = 0
    if copy is not None and copy.here:
        played = tournament.events.filter(kind="result", n__gt=copy.venue_events).count()
    return VenuePage(
        tournament=tournament,
        status=venue_status(tournament, state),
        copy=copy,
        by=copy.by.username if copy is not None and copy.by is not None else "",
        in_play=busy.exists(),
        is_active=state.phase in ("open", "drawn", "running"),
        played=played,
    )


@dataclass(frozen=True, slots=True)
class Download:
    """A file with its name."""

    name: str
    content: bytes


def venue_download(*, tournament_id: str, user: User) -> Download | None:
    """The file to take along from here: to the venue, or back from it; None where there is none.

    Raises NotFound, Refused: not_director, venue_secret.
    """
    tournament = lookups.desk_tournament(tournament_id=tournament_id, user=user, act=DeskAct.TAKE_TO_VENUE)
    name = slugify(tournament.name) or f"tournament-{tournament.pk}"
    here = tournament.venue_copies.filter(here=True).select_related("tournament__club").first()
    if here is not None:
        return Download(f"{name}-results.json", venue_file_back(here))
    out = tournament.venue_copies.filter(here=False, status=Status.OUT).select_related("tournament__club").first()
    return Download(f"{name}-venue.json", venue_file_out(out)) if out is not None else None


# What a file of results would bring


@dataclass(frozen=True, slots=True)
class Overruled:
    """Something done on this site that the file overrules, who did it and when; `venue`: what the venue says."""

    text: str
    by: str
    at: str
    venue: str = ""


@dataclass(frozen=True, slots=True)
class ReturnPage:
    """What a file would bring: the results in words, newcomers, and what it overrules."""

    found: Return
    results: Sequence[str]
    newcomers: Sequence[Newcomer]
    overruled: Sequence[Overruled]

    @property
    def others(self) -> int:
        """How many log entries come beside the results."""
        return len(self.found.events) - len(self.results)


def return_page(found: Return, user: User) -> ReturnPage:
    """The preview of a file of results."""
    desk = director_desk(tournament_id=found.tournament.pk, user=user, act=DeskAct.TAKE_TO_VENUE)
    at_venue = {row["number"]: row["account"] or row["name"] for row in found.entrants}
    names = tournament_log.LogNames({**at_venue, **desk.names}, desk.round_name)
    in_order = sorted(found.results.items(), key=_order)
    results = {key: tournament_log.result_sentence(event.data, names) for key, event in in_order}
    overruled = [_overruled(event, desk, names, results) for event in found.overruled]
    return ReturnPage(found, list(results.values()), found.newcomers, overruled)


def _order(item: tuple[Key, object]) -> tuple[str, ...]:
    return tuple(part.zfill(4) for part in item[0].split("-"))


def _overruled(
    event: TournamentEvent, desk: DirectorDesk, names: tournament_log.LogNames, results: dict[Key, str]
) -> Overruled:
    return Overruled(
        text=tournament_log.event_sentence(event.kind, event.data, names),
        by=event.by.username if event.by is not None else "",
        at=labels.format_moment(event.at, desk.snapshot.zone, labels.SHORT),
        venue=results.get(event.data["key"], "") if event.kind == "result" else "",
    )
