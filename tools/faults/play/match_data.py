"""Django code that runs beside the site (`Site.ask`): it creates the matches, and reads all their rows at the end."""

from __future__ import annotations

from typing import Any

from accounts.models import User
from backgammon.ops.snapshot import open_snapshot
from games import services
from games.engine import SIDES
from games.models import Match
from games.selectors.dice_proofs import transcript_of
from tools.faults.tournament_data import cookie_of

TERMS: tuple[dict[str, Any], ...] = (
    {"variant": "backgammon", "length": 3, "clock": "club", "options": {}},
    {"variant": "backgammon", "length": 5, "clock": "slow", "options": {}},
    {"variant": "acey-deucey", "length": 15, "clock": "game5", "options": {}},
    {"variant": "damas", "length": 1, "clock": "min15", "options": {}},
    {"variant": "hypergammon", "length": 3, "clock": "blitz", "options": {}},
)


def create_matches(matches: int, *, since: int = 0) -> list[dict[str, Any]]:
    """Create challenges of all kinds between two new members each, numbered from `since`; ids and cookies.

    No clock runs until the second player (the second cookie) joins.
    """
    created = []
    for number in range(since, since + matches):
        ana, bea = (User.objects.create_user(f"{name}.{number}") for name in ("ana", "bea"))
        seek = services.match_create(creator=ana, invited=bea, rated=False, **TERMS[number % len(TERMS)])
        created.append({"id": seek.pk, "cookies": {user.username: cookie_of(user) for user in (ana, bea)}})
    return created


def create_unplayed_match() -> str:
    """Create a match that nobody joins."""
    dora = User.objects.create_user("dora")
    return str(services.match_create(creator=dora, rated=False, **TERMS[0]).pk)


def crowd(people: int) -> list[str]:
    """Create members who only watch; their cookies."""
    return [cookie_of(User.objects.create_user(f"carlos.{number}")) for number in range(people)]


ACTION = ("n", "game_number", "actor", "text", "client_id", "asked", "answer", "white_ms", "black_ms")


def read_matches(match_ids: list[str]) -> list[dict[str, Any]]:
    """Return the rows of these matches at one moment, as `audit.Rows` takes them: the site's sweeps go on meanwhile."""
    with open_snapshot() as snapshot:
        matches = Match.objects.using(snapshot.alias).filter(pk__in=match_ids)
        return [_rows(match) for match in matches.prefetch_related("seats__user")]


def _rows(match: Match) -> dict[str, Any]:
    seats = {seat.side: seat for seat in match.seats.all()}
    return {
        "id": match.pk,
        "variant": match.variant,
        "length": match.length,
        "options": match.options,
        "over": match.status == Match.Status.OVER,
        "version": match.version,
        "roll_index": match.roll_index,
        "snapshot": match.snapshot,
        "winner": match.winner,
        "ended_by": match.ended_by,
        "points": {side: seats[side].points for side in SIDES},
        "names": {seats[side].name: side for side in SIDES},
        "transcript": transcript_of(match),
        "actions": [list(row) for row in match.actions.order_by("n").values_list(*ACTION)],
    }
