"""Teams: entering, changing and leaving one, and the line-ups of their matches (ruling E21)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from django.db import transaction

from accounts.clubs.roles import is_member
from accounts.models import Club, User
from accounts.names.validation import fold
from tournaments import notify, teams
from tournaments.errors import Refused
from tournaments.formats.core import Invalid
from tournaments.models import Entrant, Team
from tournaments.roles import DeskAct
from tournaments.services.entries import LONGEST_NAME, check_open, check_person, place_assign, row_create
from tournaments.services.entry_conditions import check_conditions
from tournaments.services.transaction import TournamentTransaction

TeamPlayer: TypeAlias = User | str  # an account, or a name without one


def team_enter(
    *,
    tournament_id: str,
    user: User,
    name: str,
    players: Sequence[TeamPlayer],
    club: Club | None = None,
    captain: User | None = None,
    password: str = "",
    invitation: str = "",
) -> Entrant:
    """Enter a team with its players in the order of the boards, then its reserves.

    A member enters a team as its captain, for a club of theirs or for none, with players of that club or of the
    tournament's; a director enters anybody, and may name a `captain`. Where no place is free, the team waits for one.

    Raises Refused: no_teams, members_only, entry_closed, no_name, team_name, team_club, team_small, team_large,
    team_twice, other_team, player_outside, and those of `check_conditions`.
    """
    if user.is_guest:
        raise Refused("members_only")
    with transaction.atomic():
        tx = _lock_teams(tournament_id)
        check_open(tx)
        directs = tx.may(user, DeskAct.MANAGE_ENTRANTS)
        if not directs:
            check_conditions(tx, user, password=password, invitation=invitation)
            _check_club(user, club)
            captain = user
        check_person(captain)
        _check_players(tx, players, clubs=None if directs else _clubs(tx, club))
        entrant = row_create(tx, player=None, name=_team_name(tx, name))
        team = Team.objects.create(entrant=entrant, club=club, captain=captain)
        if tx.has_free_place():
            place_assign(tx, user, entrant)
        else:
            tx.record("waited", user, entrant=entrant.number, name=entrant.name)
        _set_players(tx, user, team, players)
        tx.commit()
    return entrant


def team_change(
    *,
    tournament_id: str,
    user: User,
    number: int,
    name: str,
    players: Sequence[TeamPlayer],
    club: Club | None = None,
    captain: User | None = None,
) -> Entrant:
    """Change a team, as its captain or a director; after the draw a director adds reserves at the end.

    Raises Refused: not_captain, team_fixed, already_over, and as `team_enter`.
    """
    with transaction.atomic():
        tx = _lock_teams(tournament_id)
        tx.check_phase("open", "drawn", "running")
        team, directs = _own_team(tx, user, number)
        if tx.state.phase != "open" and not directs:
            raise Refused("entry_closed")
        if not directs:
            _check_club(user, club, of=team)
        check_person(captain if directs else None)
        before = _rows(tx, number)
        _check_players(tx, players, clubs=None if directs else _clubs(tx, club), team=team, known=before)
        if tx.state.phase != "open" and [_row_of(before, player) for player in players[: len(before)]] != before:
            raise Refused("team_fixed")
        entrant = tx.entrants[number]
        entrant.written_name = _team_name(tx, name, number)
        entrant.save(update_fields=["written_name"])
        team.club = club
        if directs:
            team.captain = captain
        team.save()
        _set_players(tx, user, team, players)
        tx.commit()
    return entrant


def team_leave(*, tournament_id: str, user: User) -> None:
    """Leave one's team before the draw. Raises Refused: not_entered, entry_closed."""
    with transaction.atomic():
        tx = _lock_teams(tournament_id)
        check_open(tx)
        row = next((entrant for entrant in tx.entrants.values() if entrant.user_id == user.pk), None)
        if row is None or row.team is None:
            raise Refused("not_entered")
        number = tx.state.teams.competitor(row.number)
        staying = [player for player in tx.state.rosters.get(number, ()) if player != row.number]
        tx.record("rostered", user, entrant=number, players=staying)
        _free_account(row)
        tx.commit()


def lineup_set(
    *, tournament_id: str, user: User, number: int, section: str, round: int, players: Sequence[int]
) -> None:
    """Set who plays for a team in a round, from the first board, as its captain or a director, until the round opens.

    A round that is not paired yet has a line-up, too. Raises Refused: no_teams, already_over, not_entered, not_captain,
    withdrawn, lineup_round, lineup_fixed, lineup_players.
    """
    with transaction.atomic():
        tx = _lock_teams(tournament_id)
        tx.check_phase("open", "drawn", "running")
        _own_team(tx, user, number)
        state = tx.state
        if number in state.withdrawn:
            raise Refused("withdrawn")
        if (section, round) not in state.lineup_rounds(number):
            raise Refused("lineup_fixed" if state.is_published(section, round) else "lineup_round")
        roster = state.rosters.get(number, ())
        if len(players) != state.teams.boards or len(set(players)) < len(players) or not set(players) <= set(roster):
            raise Refused("lineup_players", params={"boards": state.teams.boards})
        if tuple(players) != state.teams.lineup(section, round, number):
            tx.record("lined_up", user, entrant=number, section=section, round=round, players=list(players))
            tx.commit()


def _lock_teams(tournament_id: str) -> TournamentTransaction:
    """A tournament of teams under lock. Raises NotFound, Refused("no_teams")."""
    tx = TournamentTransaction.lock(tournament_id)
    if not tx.state.teams.boards:
        raise Refused("no_teams")
    return tx


def _own_team(tx: TournamentTransaction, user: User, number: int) -> tuple[Team, bool]:
    """The team with this number, and whether the user directs. Raises Refused: not_entered, not_captain."""
    team = Team.objects.filter(entrant=tx.entrant(number)).first()
    if team is None:
        raise Refused("not_entered")
    directs = tx.may(user, DeskAct.MANAGE_ENTRANTS)
    if not directs and team.captain_id != user.pk:
        raise Refused("not_captain")
    return team, directs


def _check_club(captain: User, club: Club | None, of: Team | None = None) -> None:
    """Check that a captain may choose this club: one of theirs, or the one that the team is `of` already.

    Raises Refused("team_club").
    """
    if club is not None and not (of is not None and of.club_id == club.pk) and not is_member(captain, club):
        raise Refused("team_club")


def _clubs(tx: TournamentTransaction, club: Club | None) -> list[Club]:
    return [tx.tournament.club, *([club] if club is not None else [])]


def _team_name(tx: TournamentTransaction, name: str, number: int = 0) -> str:
    """A team's name as it is stored; no other team has it. Raises Refused: no_name, team_name."""
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise Refused("no_name")
    others = (other for other in tx.entrants.values() if other.team_id is None and other.number != number)
    if any(fold(other.written_name) == fold(name) for other in others):
        raise Refused("team_name")
    return name


def _check_players(
    tx: TournamentTransaction,
    players: Sequence[TeamPlayer],
    *,
    clubs: Iterable[Club] | None,
    team: Team | None = None,
    known: Sequence[Entrant] = (),
) -> None:
    """Check the players of a team; `clubs` are those whose members may be named (None: anybody), beside `known` ones.

    Raises Refused: team_small, team_large, no_name, team_twice, members_only, other_team, player_outside.
    """
    try:
        teams.check_players(players, tx.state.teams.boards)
    except Invalid as error:
        raise Refused(error.code, params=dict(error.params)) from error
    names = [_name_of(player) for player in players]
    if any(not 0 < len(name) <= LONGEST_NAME for name in names):
        raise Refused("no_name")
    name, times = Counter(map(fold, names)).most_common(1)[0]
    if times > 1:
        raise Refused("team_twice", params={"name": next(each for each in names if fold(each) == name)})
    there = {row.user_id for row in known}
    for player in players:
        if isinstance(player, str) or player.pk in there:
            continue
        check_person(player)
        others = (row for row in tx.entrants.values() if row.user_id == player.pk)
        if any(team is None or row.team_id != team.pk for row in others):
            raise Refused("other_team", params={"name": player.username})
        if clubs is not None and not any(is_member(player, club) for club in clubs):
            raise Refused("player_outside", params={"name": player.username})


def _name_of(player: TeamPlayer) -> str:
    return player.username if isinstance(player, User) else " ".join(player.split())


def _rows(tx: TournamentTransaction, number: int) -> list[Entrant]:
    """The players of a team in their order."""
    return [tx.entrants[player] for player in tx.state.rosters.get(number, ())]


def _row_of(rows: Iterable[Entrant], player: TeamPlayer) -> Entrant | None:
    """The row of a player among those of their team."""
    if isinstance(player, User):
        return next((row for row in rows if row.user_id == player.pk), None)
    name = fold(_name_of(player))
    return next((row for row in rows if row.user_id is None and fold(row.written_name) == name), None)


def _set_players(tx: TournamentTransaction, by: User, team: Team, players: Sequence[TeamPlayer]) -> None:
    """Record the players of a team, and tell those who are new. Players who are left out lose their place."""
    number = team.entrant.number
    before = _rows(tx, number)
    rows = [_row_of(before, player) for player in players]
    for left in before:
        if left not in rows:
            _free_account(left)
    numbers = []
    for player, row in zip(players, rows, strict=True):
        if row is None:
            account = player if isinstance(player, User) else None
            row = row_create(tx, player=account, name="" if account else _name_of(player), team=team)
            if account is not None and account != by:
                notify.admitted(row, tx.tournament)
        numbers.append(row.number)
    if tuple(numbers) != tx.state.rosters.get(number):
        tx.record("rostered", by, entrant=number, players=numbers)


def _free_account(row: Entrant) -> None:
    """Let the account of a player who is no longer in a team enter again; the row keeps the name for the log."""
    row.written_name, row.user = row.name, None
    row.save(update_fields=["written_name", "user"])
