"""Django code that runs beside a site (`Site.ask`): it creates the tournament, and checks every row at the end."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

from accounts.models import User
from games.database import now
from games.events import state_of as match_state
from games.models import Action, Match
from tests.replayed_state import replayed_state
from tools.load.sessions import session_of
from tournaments import services
from tournaments.models import Meeting, Tournament
from tournaments.services.transaction import load_state
from tournaments.state import State
from tournaments.terms import Terms


def opened(players: int, *, format_: str, variant: str, seconds: float) -> dict[str, Any]:
    """Create a tournament of 1-point matches without clocks, with all players entered; it starts after `seconds`."""
    dora = User.objects.create_user("dora")
    chosen = {"clock": "none", "lengths": [1], "variant": variant, "venue": "online"}
    made = services.tournament_create(
        creator=dora,
        name="A night of bots",
        terms=Terms.read({"config": {"format": format_, "consolation": "progressive"}, **chosen}),
        starts_at=now() + timedelta(days=1),
        starts_itself=True,
    )
    people = [User.objects.create_user(f"player.{number}") for number in range(1, players + 1)]
    with transaction.atomic():
        for person in people:
            services.entrant_register(tournament_id=made.pk, user=person)
    services.tournament_update(tournament_id=made.pk, user=dora, starts_at=now() + timedelta(seconds=seconds))
    return {"id": made.pk, "cookies": {person.username: cookie_of(person) for person in people}}


def cookie_of(user: User) -> str:
    """Return the Cookie header of a signed-in user."""
    return f"{settings.SESSION_COOKIE_NAME}={session_of(user)}"


def audited(tournament_id: str) -> dict[str, Any]:
    """Check the rows: `wrong` describes every breach and is empty if nothing was lost or doubled."""
    tournament = Tournament.objects.get(pk=tournament_id)
    state = load_state(tournament)
    events = list(tournament.events.order_by("n"))
    results = {event.data["key"]: event for event in events if event.kind == "result"}
    rows = {row.key: row for row in tournament.meetings.select_related("match", "a", "b")}
    wrong = [*_wrong_events(state, tournament), *_wrong_boards(tournament, rows)]
    late = 0
    for pairing in state.pairings:
        if len(pairing.entrants) < 2:
            continue
        row, event = rows.get(pairing.key), results.get(pairing.key)
        if row is None or row.match is None or event is None or row.state != Meeting.State.DONE:
            wrong.append(f"{pairing.key}: {row and row.state}, match {row and row.match_id}, event {event}")
            continue
        if (row.a.number, row.b.number) != pairing.entrants or row.match.ended_at is None:
            wrong.append(f"{pairing.key}: the row is not the pairing")
            continue
        points = {seat.user_id: seat.points for seat in row.match.seats.all()}
        winner = next((seat.user_id for seat in row.match.seats.all() if seat.won), None)
        recorded_winner = {row.a.number: row.a.user_id, row.b.number: row.b.user_id}[event.data["winner"]]
        if recorded_winner != winner or event.data["points"] != [points[row.a.user_id], points[row.b.user_id]]:
            wrong.append(f"{pairing.key}: {event.data}, but on the board {points}, {winner}")
        if replayed_state(row.match) != match_state(row.match):
            wrong.append(f"{pairing.key}: the record of {row.match_id} does not lead to its end")
        late += event.at - row.match.ended_at > timedelta(seconds=0.5)
    seated = Action.objects.filter(client_id__isnull=False).values_list("match_id", "client_id")
    return {
        "wrong": wrong,
        "phase": state.phase,
        "champion": next((row.name for row in tournament.entrants.all() if row.number == _first(state)), ""),
        "pairings": Counter(pairing.state for pairing in state.pairings),
        "how": Counter(pairing.result.how for pairing in state.pairings if pairing.result),
        "kinds": Counter(event.kind for event in events),
        "late": late,
        "started_late": _seconds(tournament.begun_at, tournament.starts_at),
        "acts": [f"{match_id} {client_id}" for match_id, client_id in seated],
    }


def _wrong_events(state: State, tournament: Tournament) -> list[str]:
    events = list(tournament.events.order_by("n"))
    wrong = []
    if [event.n for event in events] != list(range(1, tournament.version + 1)):
        wrong.append("the events are not numbered from 1")
    for kind in ("drawn", "started", "finished"):
        if sum(event.kind == kind for event in events) != 1:
            wrong.append(f"{kind}: not once")
    keys = Counter(event.data["key"] for event in events if event.kind == "result")
    wrong += [f"{key}: {times} results" for key, times in keys.items() if times > 1]
    if (state.phase, state.alerts) != (tournament.phase, {}):
        wrong.append(f"{tournament.phase}, {state.phase}, alerts {state.alerts}")
    unplayed = [pairing for pairing in state.pairings if pairing.state in ("ready", "waiting")]
    wrong += [f"{pairing.key} is {pairing.state}" for pairing in unplayed]
    return wrong


def _wrong_boards(tournament: Tournament, rows: dict[str, Meeting]) -> list[str]:
    """Return matches that belong to no pairing or are not over."""
    linked = {row.match_id for row in rows.values()}
    return [
        f"match {match.pk} ({match.status}) belongs to no pairing"
        for match in Match.objects.filter(arranged=True)
        if match.pk not in linked or match.status != Match.Status.OVER
    ]


def _first(state: State) -> int | None:
    return next((line.entrant for line in state.standings if line.place == 1), None)


def _seconds(late: Any, early: Any) -> float:
    return round((late - early).total_seconds(), 1) if late and early else 0.0
