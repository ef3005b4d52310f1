"""Which pairings are called to which boards when a tournament has changed; the boards of a weekend are shared (E22)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.models import Match
from tournaments.formats.core import Key
from tournaments.models import Tournament
from tournaments.part_keys import fixture_key, part_key, part_number
from tournaments.state import State

if TYPE_CHECKING:
    from tournaments.services.transaction import TournamentTransaction


def leave_boards_of_others(tx: TournamentTransaction) -> None:
    """End calls to boards that another tournament of the weekend uses: an undo may have brought one back."""
    if tx.tournament.weekend_id is None or tx.state.phase != "running":
        return
    for key, call in list(tx.state.called.items()):
        if call.board in tx.other_boards.names:
            tx.call(tx.state.by_key[key], None)


def call_to_free_boards(tx: TournamentTransaction) -> set[Key]:
    """Call pairings to free boards, in their order; none in a break, and none that is played on this site.

    The next match of a series stays at its board; the keys of these are returned.
    """
    staying = _stay_at_boards(tx)
    state = tx.state
    if not state.boards.automatic or not state.boards.rooms or state.current_break is not None:
        return staying
    free = state.boards.free({call.board for call in state.called.values()})
    if not free:
        return staying
    others = tx.other_boards
    free = [board for board in free if board not in others.names]
    online = set(tx.tournament.meetings.filter(match__status=Match.Status.LIVE).values_list("key", flat=True))
    uncalled = (
        pairing
        for pairing in state.pairings
        if pairing.state == "ready"
        and state.is_open(pairing.section, pairing.round)
        and pairing.key not in state.called
        and pairing.key not in online
        and not any(others.has(tx.entrants[number]) for number in pairing.entrants)
    )
    for board, pairing in zip(free, uncalled, strict=False):
        tx.call(pairing, board)
    return staying


def _stay_at_boards(tx: TournamentTransaction) -> set[Key]:
    """Call the next match of each series to the board of the match before it."""
    staying = set()
    for pairing in tx.state.pairings if tx.state.series else ():
        call = tx.before.called.get(part_key(fixture_key(pairing.key), part_number(pairing.key) - 1))
        if pairing.state == "ready" and call is not None and pairing.key not in tx.state.called:
            tx.call(pairing, call.board)
            staying.add(pairing.key)
    return staying


def tournaments_to_tell(tx: TournamentTransaction) -> list[str]:
    """The other running tournaments of the weekend, where boards got free: they may call pairings to these."""
    weekend_id = tx.tournament.weekend_id
    if weekend_id is None or _boards(tx.before) <= _boards(tx.state):
        return []
    running = Tournament.objects.filter(weekend=weekend_id, phase=Tournament.Phase.RUNNING)
    return list(running.exclude(pk=tx.tournament.pk).order_by("pk").values_list("pk", flat=True))


def _boards(state: State) -> set[int]:
    return {call.board for call in state.called.values()} if state.phase == "running" else set()
