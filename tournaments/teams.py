"""Team matches: their boards, and what the results of the boards make of them (rulings E20 and E21). Pure.

The entrants of a team tournament are teams, and a format pairs teams as it pairs players: its pairings are the
*fixtures*. Between two teams who meet, the players of their line-ups play board against board: these *boards* are the
pairings that have results, matches and deadlines. A player is an entrant of their own, who is never drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from tournaments.formats.core import (
    Entrant,
    Invalid,
    Key,
    Pairing,
    PairingReason,
    Result,
    ResultKey,
    Seed,
    Slot,
    set_result,
)
from tournaments.formats.resolve import resolve_pairing
from tournaments.part_keys import PART, fixture_key, part_key, section_and_round

FEWEST_BOARDS, MOST_BOARDS = 3, 8
MOST_PLAYERS = 20  # of a team, with its reserves
FORMATS = ("knockout", "swiss", "round-robin", "league")
PACES = ("hand", "timed")  # a line-up is set before its round opens, so rounds open one by one

LineupKey: TypeAlias = tuple[str, int, Entrant]  # section, round, team
Results: TypeAlias = Mapping[ResultKey, Result]


def check_players(players: Sequence[object], boards: int) -> None:
    """Raises Invalid: team_small, team_large."""
    if len(players) < boards:
        raise Invalid("team_small", least=boards)
    if len(players) > MOST_PLAYERS:
        raise Invalid("team_large", most=MOST_PLAYERS)


@dataclass(frozen=True)
class Teams:
    """The teams of a tournament; without `boards` there are none, and every method answers so.

    `rosters` are the players of each team in the order of the boards, then its reserves; `lineups` who plays for a team
    in a round, where that was set. `ties_decided`: no match may be drawn, as its winner goes on.
    """

    boards: int = 0
    rosters: Mapping[Entrant, tuple[Entrant, ...]] = field(default_factory=dict)
    lineups: Mapping[LineupKey, tuple[Entrant, ...]] = field(default_factory=dict)
    ties_decided: bool = False

    @cached_property
    def team_of(self) -> Mapping[Entrant, Entrant]:
        """The team of each player."""
        return {player: team for team, players in self.rosters.items() for player in players}

    def competitor(self, number: Entrant) -> Entrant:
        """The entrant of the draw that a number stands for: the team of a player, else the entrant itself."""
        return self.team_of.get(number, number)

    def players_of(self, teams: Collection[Entrant]) -> frozenset[Entrant]:
        """The players of these teams."""
        return frozenset(player for team in teams for player in self.rosters.get(team, ()))

    def without_players(self, teams: Iterable[Entrant]) -> frozenset[Entrant]:
        """Those of these teams who have no player, and so lose without playing: an undo may leave one so."""
        return frozenset(team for team in teams if not self.rosters.get(team))

    def lineup(self, section: str, round_: int, team: Entrant) -> tuple[Entrant, ...]:
        """Who plays for a team in a round, from the first board: as set, else in the registered order."""
        return self.lineups.get((section, round_, team)) or self.rosters.get(team, ())[: self.boards]

    def check_rosters(self, teams: Iterable[Entrant]) -> None:
        """Check that each of these teams has a player for every board. Raises Invalid("teams_small", entrants=...)."""
        small = tuple(team for team in teams if len(self.rosters.get(team, ())) < self.boards)
        if self.boards and small:
            raise Invalid("teams_small", least=self.boards, entrants=small)

    # The boards of the fixtures

    def board_pairings(
        self,
        fixtures: Iterable[Pairing],
        results: Results,
        withdrawn: Collection[Entrant],
        published: Collection[tuple[str, int]],
    ) -> tuple[Pairing, ...]:
        """The boards of all fixtures whose line-ups can be seen: of published rounds, and of decided matches."""
        begun = {key for key, _a, _b in self._begun(results)}
        players = self.players_of(withdrawn)
        return tuple(
            board
            for fixture in fixtures
            if len(fixture.entrants) == 2
            and ((fixture.section, fixture.round) in published or fixture.state == "done" or fixture.key in begun)
            for board in self._boards_of(fixture.key, *fixture.entrants, fixture.number, results, players)
        )

    def _boards_of(
        self,
        fixture: Key,
        a: Entrant,
        b: Entrant,
        number: int,
        results: Results,
        withdrawn: frozenset[Entrant],
    ) -> tuple[Pairing, ...]:
        section, round_ = section_and_round(fixture)
        sides = [self._slots(self.lineup(section, round_, team)) for team in (a, b)]
        return tuple(
            resolve_pairing(
                section=section,
                round_=round_,
                number=(number - 1) * self.boards + board,
                a=slot_a,
                b=slot_b,
                why=PairingReason("board", {"board": board}),
                results=results,
                withdrawn=withdrawn,
                key=part_key(fixture, board),
            )
            for board, (slot_a, slot_b) in enumerate(zip(*sides, strict=True), start=1)
        )

    def _slots(self, lineup: Sequence[Entrant]) -> list[Slot]:
        """A slot for each board: empty where a team has no player."""
        players = [*lineup[: self.boards], *[None] * (self.boards - len(lineup))]
        return [Slot(Seed(board), player, is_empty=player is None) for board, player in enumerate(players, start=1)]

    # The results of the fixtures

    def fixture_results(self, results: Results, withdrawn: Collection[Entrant]) -> dict[ResultKey, Result]:
        """The results of the team matches all of whose boards are decided, by the two teams; their points are boards.

        A match in which nobody played because a team withdrew is left to the format.
        """
        found: dict[ResultKey, Result] = {}
        players = self.players_of(withdrawn)
        for fixture, a, b in self._begun(results):
            boards = self._boards_of(fixture, a, b, 1, results, players)
            if all(board.state != "ready" for board in boards):
                set_result(found, fixture, a, b, self._result(a, b, boards))
        return found

    def _begun(self, results: Results) -> set[tuple[Key, Entrant, Entrant]]:
        """The fixtures in which a board has a result, with their two teams in the order of their numbers."""
        found = set()
        for key in results:
            if isinstance(key, tuple) and PART in key[0]:
                teams = sorted({self.team_of[player] for player in key[1:] if player in self.team_of})
                if len(teams) == 2:
                    found.add((fixture_key(key[0]), teams[0], teams[1]))
        return found

    def _result(self, a: Entrant, b: Entrant, boards: Sequence[Pairing]) -> Result:
        won = [[board for board in boards if board.winner == slot(board)] for slot in (_player_a, _player_b)]
        points = (float(len(won[0])), float(len(won[1])))
        if all(board.result is None or board.result.how == "withdrawn" for board in boards):
            winner = a if points[0] > points[1] else b if points[1] > points[0] else None
            return Result(winner, how="withdrawn")
        if points == (0, 0):
            return Result(None, points, "walkover")
        winner = a if points[0] > points[1] else b if points[1] > points[0] else None
        if winner is None and self.ties_decided:
            winner = a if _is_ahead(boards) else b
        return Result(winner, points)


def _player_a(board: Pairing) -> Entrant | None:
    return board.a.entrant


def _player_b(board: Pairing) -> Entrant | None:
    return board.b.entrant


def _is_ahead(boards: Sequence[Pairing]) -> bool:
    """Whether a team who won as many boards as the other goes on (ruling E20): by the points of all boards, else by the
    highest board that somebody won.
    """
    scores = [board.result.points for board in boards if board.result is not None and board.result.points is not None]
    difference = sum(own - lost for own, lost in scores)
    if difference:
        return difference > 0
    highest = next(board for board in boards if board.winner is not None)
    return highest.winner == highest.a.entrant
