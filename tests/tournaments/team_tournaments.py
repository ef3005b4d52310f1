"""Team tournaments as tests set them up and play them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accounts.models import User
from tests.tournaments.conftest import fresh
from tests.tournaments.staging import terms_of
from tournaments import services
from tournaments.formats.core import Pairing
from tournaments.models import Entrant, Tournament

LENGTH = 5


def team_tournament(dora: User, format_: str, teams: Sequence[str], *, boards: int, **chosen: Any) -> Tournament:
    """A tournament in which each team has a player for every board: `A1`, `A2` ..., drawn in the order of entry."""
    chosen = {"pace": "hand", "seeding": "hand", "venue": "board", "lengths": (LENGTH,), **chosen}
    made = services.tournament_create(
        creator=dora, name="Liga de clubes", terms=terms_of(format_, boards=boards, **chosen)
    )
    for team in teams:
        enter(made, dora, team, boards)
    return made


def enter(tournament: Tournament, by: User, team: str, players: int, **more: Any) -> Entrant:
    names = [f"{team}{number}" for number in range(1, players + 1)]
    return services.team_enter(tournament_id=tournament.pk, user=by, name=team, players=names, **more)


def names(tournament: Tournament) -> dict[int, str]:
    return dict(tournament.entrants.values_list("number", "written_name"))


def boards_of(tournament: Tournament, a: str, b: str) -> list[Pairing]:
    """The boards between two teams, from the first one; a is the home team."""
    name = names(tournament)
    state = fresh(tournament)
    fixture = next(each for each in state.fixtures if [name[number] for number in each.entrants] == [a, b])
    return [pairing for pairing in state.pairings if pairing.key.startswith(f"{fixture.key}_")]


def win(tournament: Tournament, dora: User, board: Pairing, winner: int, lost: int = 0) -> None:
    """Enter the result of a board."""
    points = (LENGTH, lost) if winner == board.entrants[0] else (lost, LENGTH)
    services.result_enter(tournament_id=tournament.pk, user=dora, key=board.key, winner=winner, points=points)


def team_match(tournament: Tournament, dora: User, a: str, b: str, home: int) -> None:
    """Play a team match: the home team wins its first `home` boards and loses the others."""
    for number, board in enumerate(boards_of(tournament, a, b)):
        win(tournament, dora, board, board.entrants[0 if number < home else 1])


def open_round(tournament: Tournament, dora: User, number: int, section: str = "league") -> None:
    services.round_open(tournament_id=tournament.pk, user=dora, section=section, round=number)


def table(tournament: Tournament) -> list[tuple[Any, ...]]:
    """Place, team, played, won, drawn, lost, match points, board points."""
    name = names(tournament)
    rows = []
    for line in fresh(tournament).standings:
        values = dict(line.values)
        rows.append(
            (
                *(line.place, name[line.entrant], line.played, line.wins, line.draws, line.losses),
                *(values["match-points"], values["boards"]),
            )
        )
    return rows


def players(tournament: Tournament, team: str, *boards: int) -> list[int]:
    """The numbers of the players of a team, by the boards at which they are registered."""
    number = {name: number for number, name in names(tournament).items()}
    return [number[f"{team}{board}"] for board in boards]


def line_up(tournament: Tournament, user: User, team: str, section: str, round_: int, lineup: Sequence[int]) -> None:
    number = tournament.entrants.get(written_name=team).number
    services.lineup_set(
        tournament_id=tournament.pk, user=user, number=number, section=section, round=round_, players=lineup
    )


def six_clubs(dora: User) -> Tournament:
    """Six clubs of four boards, started; no round is open."""
    made = team_tournament(dora, "round-robin", "ABCDEF", boards=4)
    services.tournament_start(tournament_id=made.pk, user=dora)
    return made
