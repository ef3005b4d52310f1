"""The tournament of test_venue.py: code that runs beside its two sites (`Site.ask`)."""

from __future__ import annotations

from typing import Any

from accounts.clubs.services import default_club_ensure
from accounts.models import Club, Membership, User
from games.models import Rating
from tools.load.sessions import session_of
from tournaments import services
from tournaments.models import Placing, Tournament
from tournaments.services import results_sync
from tournaments.services.transaction import load_state
from tournaments.terms import Terms

PLAYERS = 4
TERMS = {
    "config": {"format": "swiss", "rounds": 3},
    "clock": "club",
    "rated": True,
    "lengths": [5],
    "seeding": "hand",
    "venue": "board",
}


def director() -> str:
    """Create dora, who owns the club of the site, and return her session."""
    dora = User.objects.create_user("dora")
    Membership.objects.create(club=default_club_ensure(), user=dora, role="owner")
    return session_of(dora)


def tournament(letter: str) -> str:
    """Create a tournament of four members, `a1` to `a4`, and return its id."""
    dora = User.objects.get(username="dora")
    Club.objects.update(outside=True, rated=Club.Rated.ALL)
    made = services.tournament_create(creator=dora, name=f"Open {letter}", terms=Terms.read(TERMS))
    for number in range(1, PLAYERS + 1):
        player = User.objects.create_user(f"{letter}{number}")
        services.entrant_add(tournament_id=made.pk, user=dora, player=player)
    services.tournament_start(tournament_id=made.pk, user=dora)
    return made.pk


def open_results(tournament_id: str) -> list[dict[str, str]]:
    """The results to enter now, as the desk sends them; each depends on its pairing alone."""
    found = []
    for pairing in load_state(Tournament.objects.get(pk=tournament_id)).pairings:
        if pairing.state != "ready":
            continue
        a, b = pairing.entrants
        winner = a if (a + 2 * b + pairing.round) % 3 else b
        lost = (a * b + pairing.round) % 5
        form = {"key": pairing.key, "of": f"{a} {b}", "winner": str(winner), "how": "played", "won": "5"}
        found.append({**form, "lost": str(lost), "sent": f"0123456789abcdef-{pairing.round}-{pairing.number}"})
    return found


def play_straight(tournament_id: str) -> None:
    """Play a tournament to its end on this site."""
    dora = User.objects.get(username="dora")
    while found := open_results(tournament_id):
        form = found[0]
        a, _b = map(int, form["of"].split())
        winner, lost = int(form["winner"]), int(form["lost"])
        points = (5, lost) if winner == a else (lost, 5)
        services.result_enter(tournament_id=tournament_id, user=dora, key=form["key"], winner=winner, points=points)
        results_sync.tournament_sync_results(tournament_id=tournament_id)


def figures(tournament_id: str) -> list[list[Any]]:
    """By entrant: rating, matches, place and master points."""
    rows = Placing.objects.filter(tournament=tournament_id).order_by("number")
    ratings = {row.user_id: row for row in Rating.objects.all()}
    return [
        [
            row.number,
            row.place,
            row.master,
            *(getattr(ratings[row.user_id], name) for name in ("rating", "matches", "form")),
        ]
        for row in rows
    ]
