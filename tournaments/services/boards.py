"""The boards of a tournament: which there are, and who is called to which."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from tournaments.boards import Boards
from tournaments.errors import Refused
from tournaments.formats.core import Invalid, Key
from tournaments.roles import DeskAct
from tournaments.services.transaction import TournamentTransaction


def boards_set(*, tournament_id: str, user: User, boards: Boards) -> None:
    """Set the rooms and boards, as a director; pairings without a board are called to those that are free.

    Calls to boards that are no more are over. Raises Refused: not_director, already_over, boards.
    """
    try:
        boards = Boards.read(boards.as_json())
    except Invalid as error:
        raise Refused(error.code, params=dict(error.params)) from error
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.ASSIGN_BOARDS)
        tx.check_phase("open", "drawn", "running")
        if boards == tx.state.boards:
            return
        tx.record("boards", user, **boards.as_json())
        for key, call in tx.state.called.items():
            if call.board not in boards.numbers:
                tx.call(tx.state.by_key[key], None, user)
        tx.commit()


def pairing_call(*, tournament_id: str, user: User, key: Key, board: int | None) -> None:
    """Call the two of a pairing to a board, as a director, also a reserved one or one that others play at.

    Whoever was called there before has no board. No board (None) ends the call.
    Raises Refused: not_director, not_running, no_pairing, not_ready, no_board, board_shared (another tournament of the
    weekend uses it).
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.ASSIGN_BOARDS)
        tx.check_phase("running")
        pairing = tx.pairing(key)
        if pairing.state != "ready" or not tx.state.is_open(pairing.section, pairing.round):
            raise Refused("not_ready")
        if board is not None and board not in tx.state.boards.numbers:
            raise Refused("no_board")
        if board is not None and board in tx.other_boards.names:
            raise Refused("board_shared", params={"board": board, "tournament": tx.other_boards.names[board]})
        tx.call(pairing, board, user)
        tx.commit()
