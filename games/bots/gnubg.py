"""GNU Backgammon as a judge, where bgsage has no wheel: a program of its own (GPL), spoken to over pipes.

Debian's package is `gnubg`. Each process of the site that asks starts one gnubg with `gnubg_server.py` inside and keeps
it; it ends with its parent, whose end of the pipe closes. A gnubg that fails or takes too long is killed, the decision
raises, and the next one starts another. A look at a board takes about 0.1 ms, one roll ahead some milliseconds.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import IO, Any

from games.bots import cube_equity, small_net
from games.bots.cube_equity import CubeValue, mirrored
from games.bots.engine_boards import Board, flipped
from games.bots.judge import Judged, JudgedRoll
from games.bots.sage import LAST_AWAY, Stakes

SERVER = Path(__file__).with_name("gnubg_server.py")
PLACES = ("gnubg", "gnubg-cli", "/usr/games/gnubg", "/usr/games/gnubg-cli")
TIMEOUT = 60.0
"""Seconds for one answer, the start included."""


class GnubgFailed(RuntimeError):
    """GNU Backgammon ended, did not answer in time, or answered with an error."""


@cache
def program() -> str | None:
    """The path of GNU Backgammon on this machine. Debian's is not on PATH."""
    return next((found for place in PLACES if (found := shutil.which(place))), None)


@dataclass
class Session:
    """A running gnubg and its pipes."""

    process: subprocess.Popen[bytes]
    requests: IO[str]
    answers: int
    home: tempfile.TemporaryDirectory[str]
    rest: bytes = b""

    @classmethod
    def start(cls, path: str) -> Session:
        """Start a gnubg, with a home folder of its own: it keeps settings there."""
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        home = tempfile.TemporaryDirectory(prefix="tablero-gnubg-")
        try:
            process = subprocess.Popen(  # noqa: S603  (a program of this machine, and a script of ours)
                [path, "--tty", "--quiet", "--no-rc", "--python", str(SERVER)],
                env={**os.environ, "HOME": home.name, "TABLERO_PIPES": f"{theirs_in},{theirs_out}"},
                cwd=home.name,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs_in, theirs_out),
            )
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
        return cls(process, os.fdopen(ours_out, "w"), ours_in, home)

    def ask(self, request: dict[str, Any]) -> Any:
        """Send a request and return the answer. Raises GnubgFailed."""
        try:
            self.requests.write(json.dumps(request) + "\n")
            self.requests.flush()
            said = json.loads(self._line())
        except (OSError, ValueError) as error:
            raise GnubgFailed(f"GNU Backgammon does not answer: {error}") from error
        if "error" in said:
            raise GnubgFailed(f"GNU Backgammon: {said['error']}")
        return said["answer"]

    def _line(self) -> bytes:
        while b"\n" not in self.rest:
            ready, _, _ = select.select([self.answers], [], [], TIMEOUT)
            chunk = os.read(self.answers, 2**16) if ready else b""
            if not chunk:
                raise OSError("it ended" if ready else f"nothing for {TIMEOUT:.0f} s")
            self.rest += chunk
        line, _, self.rest = self.rest.partition(b"\n")
        return line

    def end(self) -> None:
        """Kill it and close everything."""
        self.process.kill()
        self.process.wait()
        with suppress(OSError):
            self.requests.close()
        os.close(self.answers)
        self.home.cleanup()


_lock = threading.Lock()
_sessions: dict[int, Session] = {}


def ask(request: dict[str, Any]) -> Any:
    """Ask the gnubg of this process, which is started if there is none; a forked child starts its own."""
    with _lock:
        session = _sessions.get(os.getpid())
        if session is None:
            path = program()
            if path is None:
                raise GnubgFailed("GNU Backgammon is not installed")
            session = _sessions[os.getpid()] = Session.start(path)
        try:
            return session.ask(request)
        except BaseException:  # also when somebody interrupts it: the next request must not read this answer
            _sessions.pop(os.getpid()).end()
            raise


def cube_of(stakes: Stakes) -> dict[str, Any]:
    """The stakes as gnubg has them: a match as short as possible, the side on roll being player 1."""
    length = max(stakes.away, stakes.opponent_away)
    return {
        "value": stakes.value,
        "owner": {"player": 1, "opponent": 0}.get(stakes.owner or "", -1),
        "length": length,
        "score": [length - stakes.opponent_away, length - stakes.away] if length else [0, 0],
        "crawford": int(stakes.crawford),
    }


def halves(board: Board) -> list[list[int]]:
    """A board seen from the side on roll, as gnubg has it: the opponent's checkers, then the own ones."""
    own = [max(count, 0) for count in board[1:25]]
    other = [max(-count, 0) for count in reversed(board[1:25])]
    return [[*other, board[0]], [*own, board[25]]]


class Gnubg:
    """GNU Backgammon behind `games.bots.judge.Judge`."""

    name = "GNU Backgammon"
    deepest = 2

    def reason(self) -> str | None:
        """Why it cannot run here."""
        return None if program() else "GNU Backgammon is not installed (Debian: apt install gnubg)"

    def version(self) -> str:
        """The name; gnubg's nets have been the same since 1.05."""
        return "GNU Backgammon 1"

    def after_plays(self, boards: Sequence[Board], stakes: Stakes, *, ahead: int = 0) -> list[Judged]:
        """Value boards after a play, the opponent being on roll.

        Cubeful only with a look ahead: without one our own conversion of the chances is far quicker.
        """
        over = {index: _over(board) for index, board in enumerate(boards) if not any(n > 0 for n in board[1:])}
        open_boards = [flipped(board) for index, board in enumerate(boards) if index not in over]
        cubeful = ahead > 0 and stakes.owner is not None
        found = iter(self._judged(open_boards, mirrored(stakes), ahead, cubeful=cubeful))
        judged = []
        for index in range(len(boards)):
            if index in over:
                judged.append(Judged(_without_cube(over[index], stakes), over[index]))
                continue
            (won, gammon, backgammon, lost_gammon, lost_backgammon), equities = next(found)
            chances = [1 - won, lost_gammon, lost_backgammon, gammon, backgammon]
            judged.append(Judged(-equities[0] if equities else cube_equity.worth(chances, stakes), chances))
        return judged

    def before_roll(self, board: Board, stakes: Stakes, *, ahead: int = 0) -> JudgedRoll:
        """Value a board before a roll."""
        [(chances, (_best, hold, take, drop))] = self._judged([board], stakes, ahead, cubeful=True)
        if stakes.owner is None:
            hold = _without_cube(chances, stakes)
        return JudgedRoll(CubeValue(hold, take, drop), chances)

    def to_chance(self, equity: float, stakes: Stakes) -> float:
        """The chance to win the match, from an equity, by gnubg's own table."""
        return min(1.0, max(0.0, float(ask({"equity": equity, "cube": cube_of(stakes)}))))

    def match_chance(self, away: int, opponent_away: int, *, post_crawford: bool) -> float:
        """The chance to win the match before a game, by gnubg's own table."""
        before, after_crawford = _table()
        if post_crawford:
            behind = float(after_crawford[max(away, opponent_away) - 1])
            return behind if opponent_away == 1 else 1 - behind
        return float(before[away - 1][opponent_away - 1])

    def _judged(self, boards: Sequence[Board], stakes: Stakes, ahead: int, *, cubeful: bool) -> list[Any]:
        if not boards:
            return []
        request = {"cube": cube_of(stakes), "ahead": ahead, "cubeful": cubeful}
        return list(ask({**request, "boards": [halves(board) for board in boards]}))


@lru_cache(maxsize=1)
def _table() -> tuple[Any, Any]:
    """The match equity table before the Crawford game, and that of the side behind after it."""
    table = ask({"met": LAST_AWAY})
    return table[0], table[1]


def _over(board: Board) -> list[float]:
    """The chances of the side that has borne off its last checker."""
    return small_net.chances(board)


def _without_cube(chances: list[float], stakes: Stakes) -> float:
    return cube_equity.worth(chances, replace(stakes, owner=None))
