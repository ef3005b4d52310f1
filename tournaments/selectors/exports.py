"""A tournament as files: CSV tables, and one JSON document (docs/formats.md)."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from django.utils.text import slugify
from django.utils.timezone import localtime

from accounts.web.csv_escape import escape_cell
from tournaments.final_ranking import final_ranks
from tournaments.formats.core import Bye, LoserOf, Pairing, Placed, Seed, Slot, WinnerOf
from tournaments.models import Placing, TournamentEvent
from tournaments.part_keys import part_number
from tournaments.selectors.tournament_page import TournamentPage, tournament_page
from tournaments.state import State, held_key

FORMAT = "tablero-tournament/1"
STAMP = (1980, 1, 1, 0, 0, 0)  # in a zip: the same tournament gives the same bytes
TERMS = (
    *("variant", "options", "clock", "rated", "venue", "seeding", "lengths", "side_lengths", "pace", "round_minutes"),
    *("round_hours", "clocks", "hours", "no_show_minutes", "penalty_minutes"),
)
# The public data of each kind of event. Names are not public: entrants are identified by their numbers.
EVENTS: Mapping[str, Sequence[str]] = {
    "registered": ("entrant",),
    "rostered": ("entrant", "players"),
    "withdrawn": ("entrant",),
    "reinstated": ("entrant",),
    "drawn": ("order",),
    "started": (),
    "opened": ("section", "round"),
    "paired": ("section", "round", "pairs", "bye", "absent"),
    "result": ("key", "of", "winner", "points", "how", "match", "why", "loser_present"),
    "penalised": ("key", "entrant", "points"),
    "announced": ("text",),
    "ruled": ("text", "why", "key"),
    "finished": (),
    "cancelled": (),
    "undone": ("act",),
    "redone": ("act",),
}
SHEETS = ("entrants", "results", "standings")
Row = Sequence[Any]


def exported_page(tournament_id: str) -> TournamentPage:
    """The tournament to export. Raises NotFound."""
    return tournament_page(tournament_id=tournament_id, user=None)


def filename(view: TournamentPage) -> str:
    """The name of exported files, safe on every system, without the extension."""
    return slugify(view.tournament.name) or f"tournament-{view.tournament.pk}"


def sheet_rows(view: TournamentPage, sheet: str) -> Iterator[Row]:
    """The rows of one snapshot, its heads first."""
    return {"entrants": _entrants, "results": _results, "standings": _standings}[sheet](view)


def csv_lines(rows: Iterable[Row]) -> Iterator[bytes]:
    """The lines of a CSV file in UTF-8 with a byte order mark for spreadsheets; cells are escaped against formulas."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    yield b"\xef\xbb\xbf"
    for row in rows:
        writer.writerow([escape_cell(cell) for cell in row])
        yield buffer.getvalue().encode()
        buffer.seek(0)
        buffer.truncate()


def csv_zip(view: TournamentPage) -> bytes:
    """All tables in one zip file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for sheet in SHEETS:
            archive.writestr(zipfile.ZipInfo(f"{sheet}.csv", STAMP), b"".join(csv_lines(sheet_rows(view, sheet))))
    return file.getvalue()


def _entrants(view: TournamentPage) -> Iterator[Row]:
    yield "number", "holder", "name", "member", "seed", "checked_in", "withdrawn", "entered_at", "team"
    for number, entrant in sorted(view.snapshot.entrants.items()):
        marks = (view.snapshot.seeds.get(number, ""), int(entrant.checked_in), int(entrant.withdrawn))
        for holder, (name, member) in enumerate(_holders(view, number), 1):
            yield number, holder, name, int(member), *marks, _utc(entrant.entered_at), _team(view, number) or ""


def _team(view: TournamentPage, number: int) -> int | None:
    """The number of the team that an entrant plays for."""
    return view.state.teams.team_of.get(number)


def _holders(view: TournamentPage, number: int) -> list[tuple[str, bool]]:
    """Everybody who held the place of an entrant, in order: their name, and whether they have an account."""
    earlier = [person.user is not None for person in view.state.people.get(number, ())[:-1]]
    has_account = [*earlier, view.snapshot.entrants[number].user_id is not None]
    return list(zip(view.snapshot.place_names.holders(number), has_account, strict=True))


def _results(view: TournamentPage) -> Iterator[Row]:
    yield "pairing", "section", "round", "number", "a", "b", "state", "winner", "points_a", "points_b", "how", "match"
    for pairing in _all_pairings(view.state):
        result = pairing.result
        a, b = (view.snapshot.name(slot.entrant, pairing) if slot.entrant else "" for slot in (pairing.a, pairing.b))
        winner = view.snapshot.name(pairing.winner, pairing) if pairing.winner else ""
        points = result.points if result and result.points else ("", "")
        outcome = (result.how, result.match) if result else ("", "")
        yield (
            pairing.key,
            pairing.section,
            pairing.round,
            pairing.number,
            a,
            b,
            pairing.state,
            winner,
            *points,
            *outcome,
        )


def _all_pairings(state: State) -> list[Pairing]:
    """All pairings that somebody may come to: team matches and series, then their boards and matches."""
    parts = (pairing for pairing in state.pairings if part_number(pairing.key))
    return [pairing for pairing in (*state.fixtures, *parts) if pairing.state != "void"]


def _standings(view: TournamentPage) -> Iterator[Row]:
    counted = {name for standing in view.state.standings for name, _value in standing.values}
    breaks = [name for name in view.terms.config.tie_breaks if name in counted]
    yield "section", "place", "name", "played", "wins", "losses", "draws", *breaks, "note", "replaced"
    for standing in view.state.standings:
        values = dict(standing.values)
        tied = [values.get(name, "") for name in breaks]
        yield (
            standing.section,
            standing.place,
            view.snapshot.name(standing.entrant),
            standing.played,
            standing.wins,
            standing.losses,
            standing.draws,
            *tied,
            standing.note,
            ", ".join(view.snapshot.place_names.holders(standing.entrant)[:-1]),
        )


# The JSON document


def export_document(view: TournamentPage) -> dict[str, Any]:
    """The whole tournament, as docs/formats.md describes."""
    tournament, state, terms = view.tournament, view.state, view.terms.as_json()
    placings = {row.number: row for row in Placing.objects.filter(tournament=tournament)}
    return {
        "format": FORMAT,
        "id": tournament.pk,
        "name": tournament.name,
        "club": tournament.club.name,
        "phase": state.phase,
        "timezone": tournament.timezone,
        "starts_at": _utc(tournament.starts_at),
        "begun_at": _utc(tournament.begun_at),
        "ended_at": _utc(tournament.ended_at),
        "seed_hash": tournament.seed_hash,
        "terms": {name: terms[name] for name in TERMS} | {"config": terms["config"]},
        "entrants": [
            {
                "number": number,
                "name": entrant.name,
                "member": entrant.user_id is not None,
                "withdrawn": entrant.withdrawn,
                "team": _team(view, number),
                "holders": [{"name": name, "member": member} for name, member in _holders(view, number)],
            }
            for number, entrant in sorted(view.snapshot.entrants.items())
        ],
        "order": list(state.order),
        "pairings": [_pairing(state, pairing) for pairing in _all_pairings(state)],
        "standings": [
            {
                "section": line.section,
                "place": line.place,
                "entrant": line.entrant,
                "played": line.played,
                "wins": line.wins,
                "losses": line.losses,
                "draws": line.draws,
                "note": line.note,
                "tie_breaks": dict(line.values),
            }
            for line in state.standings
        ],
        "finals": [
            {"entrant": end.entrant, "place": end.place, "wins": end.wins, **_master_points(placings.get(end.entrant))}
            for end in final_ranks(state)
        ],
        "events": list(_events(tournament.pk)),
    }


def _master_points(row: Placing | None) -> dict[str, float]:
    return {"master_points": row.master / 1000} if row is not None else {}


def _pairing(state: State, pairing: Pairing) -> dict[str, Any]:
    result = pairing.result
    data = None
    if result is not None:
        points = list(result.points) if result.points else None
        data = {"winner": result.winner, "points": points, "how": result.how, "match": result.match}
    place = {
        "key": pairing.key,
        "section": pairing.section,
        "round": pairing.round,
        "number": pairing.number,
        "state": pairing.state,
    }
    return {**place, "a": _slot(state, pairing, pairing.a), "b": _slot(state, pairing, pairing.b), "result": data}


def _slot(state: State, pairing: Pairing, slot: Slot) -> dict[str, Any]:
    found = {"entrant": slot.entrant, "from": source_text(slot)}
    if slot.entrant is None:
        return found
    last = len(state.people.get(slot.entrant, (None,))) - 1
    return found | {"holder": state.held.get(held_key(pairing.key, pairing.entrants, slot.entrant), last) + 1}


def source_text(slot: Slot) -> str:
    """The source of a slot: `seed 3`, `winner main-1-2`, `loser ...`, `place 2 group-1`, `bye`."""
    match slot.source:
        case Seed(n):
            return f"seed {n}"
        case WinnerOf(key):
            return f"winner {key}"
        case LoserOf(key):
            return f"loser {key}"
        case Placed(section, place):
            return f"place {place} {section}"
        case Bye():
            return "bye"


def _events(tournament_id: str) -> Iterator[dict[str, Any]]:
    rows = TournamentEvent.objects.filter(tournament=tournament_id, kind__in=EVENTS).order_by("n")
    for n, act, kind, data, at in rows.values_list("n", "act", "kind", "data", "at").iterator():
        public = {name: data[name] for name in EVENTS[kind] if name in data}
        yield {"n": n, "act": act, "at": _utc(at), "kind": kind, **public}


def _utc(moment: datetime | None) -> str:
    return localtime(moment, UTC).isoformat(timespec="seconds") if moment else ""
