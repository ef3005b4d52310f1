"""Matches of damas as PDN: one file for all games, each with the names of its White and Black players.

`draughts.pdn` handles one game; this module adds the match: the seats (`SeatWhite`), the opening roll that decided the
colours (`Opening`), the length, mode and score, and how a game ended (`Termination`). A file without these is read too:
its first White player gets White's seat, and an invented roll gives the other player Black.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from draughts import fen as fens
from draughts import pdn as notation
from games import replay
from games.engine import SIDES, Rules, Side, opponent
from games.formats.decoding import plain
from games.formats.errors import FormatError
from games.formats.rebuild_base import MOST_PLAYS
from games.formats.record import Fault, FormatLimits, GameRecord, Reading, Record, number, outcome_fields, verify
from games.registry import ILLEGAL, RULES

VARIANT = "damas"
LIMITS = FormatLimits(VARIANT, any_rules=True)
MOST_CHARACTERS = 256 * 1024
"""A tenth of this is enough for the longest file that is accepted."""
RESULTS = {"white": "1-0", "black": "0-1"}
DRAW = "1/2-1/2"
_WINS: dict[str, Side] = {"1-0": "white", "2-0": "white", "0-1": "black", "0-2": "black"}
_MATCH_ENDS = {"resign": "match resigned", "absent": "match forfeited"}  # the first words of `Termination`
_DRAWS = (DRAW, "1-1", "0-0")
_OWN = re.compile(r"huff |compel|[0-9]")
_DEFAULT_OPENING = "12"
"""The opening roll of a file without one: Black's seat has the higher die."""
_NOT_KEPT = frozenset(
    "White Black Result GameType SetUp FEN SeatWhite Opening MatchLength Mode LeyCantidad Score Termination".split()  # noqa: SIM905
)


# Writing


def write(record: Record) -> str:
    """Write the match, one game after another. Raises FormatError (`wrong_game`)."""
    LIMITS.check(record)
    state = replay.start(record.rules, record.length, record.options)
    texts = []
    for game in record.games:
        seats: dict[str, str] = {}
        for action in game.actions:
            before, state = state, state.after(*action)
            if (colours := before.position.view(None).get("colours")) is not None:
                seats = {colour: seat for seat, colour in colours.items()}
        texts.append(_game(record, game, seats, last=game is record.games[-1]))
    return "\n".join(texts)


def _game(record: Record, game: GameRecord, seats: Mapping[str, str], *, last: bool) -> str:
    """One game; `seats` maps colours to seats."""
    options = record.options
    names = {colour: record.players[seats.get(colour, colour)] for colour in SIDES}
    rolls = [text[-2:] for actor, text in game.actions if actor == "chance"]
    headers = {_tag(name): text for name, text in record.headers.items() if _tag(name) and _tag(name) not in _NOT_KEPT}
    headers |= {
        "Round": str(game.number),
        "White": names["white"],
        "Black": names["black"],
        "SeatWhite": record.players["white"],
        "Opening": " ".join(rolls),
        "MatchLength": str(record.length),
        "Mode": str(options.get("mode", "soplar")),
        "LeyCantidad": "On" if options.get("ley_cantidad") else "Off",
        "Score": "-".join(number(points) for points in game.score),
        "Termination": _termination(record, game, last=last),
    }
    winner = next((colour for colour, seat in seats.items() if seat == game.winner), "")
    result = RESULTS.get(winner) or (DRAW if game.kind else notation.UNFINISHED)
    moves = [text for actor, text in game.actions if actor in SIDES and _OWN.match(text)]
    return notation.write({name: text for name, text in headers.items() if text}, moves, result)


def _tag(name: str) -> str:
    """A header name in the form that PDN allows."""
    return re.sub(r"[^A-Za-z0-9]", "", name)


def _termination(record: Record, game: GameRecord, *, last: bool) -> str:
    """The `Termination` of a game that its moves do not end, or of the match."""
    if game.kind in ("agreement", "claim", "flag"):
        return game.kind
    if game.kind:
        return "resign" if game.resigned else ""
    if last and record.by in _MATCH_ENDS and record.winner:
        return f"{_MATCH_ENDS[record.by]}; {record.players[record.winner]} wins, score {record.standing}"
    return ""


# Reading


def read(text: str) -> Reading:
    """Read the match of a PDN text. Raises FormatError."""
    if len(text) > MOST_CHARACTERS:
        raise FormatError("too_large", most=MOST_CHARACTERS)
    try:
        games = notation.read(re.sub(r"[^\S\n]", " ", text))  # no-break spaces and their like are spaces
    except notation.PdnError as error:
        raise FormatError("pdn", reason=str(error)[:100]) from error
    if not games:
        raise FormatError("no_games")
    if sum(len(game.moves) for game in games) > MOST_PLAYS or len(games) > MOST_PLAYS // 10:
        raise FormatError("too_long", most=MOST_PLAYS)
    for game in games:
        if not game.headers.get("GameType", "50").startswith("50"):
            raise FormatError("variation", variation=f"GameType {plain(game.headers['GameType'], 20)}")
    return _MatchReader(games).read()


class _Stop(Exception):
    """A fault after which the rest of the game is skipped."""

    def __init__(self, code: str, ruling: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.ruling = ruling


_REFUSED: tuple[type[Exception], ...] = (_Stop, replay.PlayRefused, *ILLEGAL)


class _MatchReader:
    """Replays the games of a file through the rules."""

    def __init__(self, games: list[notation.Game]) -> None:
        first = games[0].headers
        white, black = plain(first.get("White", "")) or "White", plain(first.get("Black", "")) or "Black"
        seated = plain(first.get("SeatWhite", "")) or white
        self.players = {"white": seated, "black": black if seated == white else white}
        self.parsed_games = games
        self.rules: Rules = RULES[VARIANT]
        self.options: dict[str, Any] = {key: term.default for key, term in self.rules.terms(1).items()}
        self.options |= dict(_declared(first))
        self.length = _length(first, games)
        self.state = replay.start(self.rules, self.length, self.options)
        self.games: list[GameRecord] = []
        self.faults: list[Fault] = []
        self.warnings: list[Fault] = []
        self.actions: list[tuple[str, str]] = []

    def read(self) -> Reading:
        """The record, or the first fault: a faulty game would decide the colours of all that follow."""
        for index, game in enumerate(self.parsed_games, 1):
            self._game(index, game, last=index == len(self.parsed_games))
            if self.faults:
                return Reading("pdn", None, tuple(self.faults), tuple(self.warnings))
        result = self.state.result
        headers = {
            name: plain(text, 200) for name, text in self.parsed_games[0].headers.items() if name not in _NOT_KEPT
        }
        record = Record(
            variant=VARIANT,
            length=self.length,
            players=self.players,
            games=tuple(self.games),
            options=self.options,
            headers={name: text for name, text in headers.items() if name != "Round" and text},
            by=result.by if result else "",
            winner=(result.winner or "") if result else "",
        )
        verify(record)
        return Reading("pdn", record, (), tuple(self.warnings))

    def _game(self, index: int, game: notation.Game, *, last: bool) -> None:
        began, self.actions, text = self.state, [], ""
        move = 0
        try:
            if began.result is not None:
                raise _Stop("match_over")
            _check_start(game)
            self._draw_colours(game)
            for move, text in enumerate(game.moves, 1):  # noqa: B007 (a fault names the last one)
                if self.state.game != began.game or self.state.result is not None:
                    raise _Stop("game_over")
                side = self.state.position.turn
                self._take(side, self.state.position.canonical(text))
            if self.state.game == began.game and self.state.result is None:
                self._end(game, last=last)
        except _REFUSED as error:
            code, ruling, params = (getattr(error, name, None) for name in ("code", "ruling", "params"))
            self.faults.append(Fault(index, move, code or "", ruling or "", params or {}, plain(text)))
            return
        over = self.state.game != began.game or self.state.score != began.score
        if not over and not last:
            self.faults.append(Fault(index, move, "no_result", "", {}, game.result))
        score = (began.score.points("white"), began.score.points("black"))
        ended = outcome_fields(self.state.ended if over else None)
        self.games.append(GameRecord(began.game, score, tuple(self.actions), **ended))
        self._compare(index, move, game, ended)

    def _draw_colours(self, game: notation.Game) -> None:
        """Replay the opening roll, if the game has one, and check that the names fit the colours (D9)."""
        if self.state.opening:
            value = re.fullmatch(r"(?:[1-6]{2} ?){1,20}", game.headers.get("Opening", ""))
            for dice in value[0].split() if value else (_DEFAULT_OPENING,):
                for side in SIDES:
                    self._take(side, "roll")
                self._take("chance", f"dice {dice}")
        colours = self.state.position.view(None).get("colours")
        if colours is None:
            raise _Stop("opening_tie")
        for side in SIDES:
            named = plain(game.headers.get(colours[side].capitalize(), ""))
            if named and named != self.players[side]:
                raise _Stop("names_differ", "D9")

    def _end(self, game: notation.Game, *, last: bool) -> None:
        """End a game that its moves did not end: resigned, lost on time, drawn, or unfinished."""
        termination = game.headers.get("Termination", "")
        colours = self.state.position.view(None)["colours"]
        winner = next((side for side in SIDES if colours[side] == _WINS.get(game.result)), None)
        by = next((by for by, words in _MATCH_ENDS.items() if termination.startswith(words)), "")
        if by and last:
            match_winner = next((side for side in SIDES if f"; {self.players[side]} wins" in termination), None)
            if match_winner is not None and by == "resign":
                self._take(opponent(match_winner), "resign match")
            elif match_winner is not None:
                self._take("server", f"absent {opponent(match_winner)}")
        elif winner is not None and termination == "flag":
            self._take("server", f"flag {opponent(winner)}")
        elif winner is not None:
            self._take(opponent(winner), "resign 1")
        elif game.result in _DRAWS:
            side = self.state.position.turn
            if termination != "claim":
                self._take(side, "offer-draw")
                side, word = opponent(_seat(side)), "accept"
            else:
                word = "claim-draw"
            self._take(side, word)

    def _compare(self, index: int, move: int, game: notation.Game, ended: Mapping[str, Any]) -> None:
        if bool(ended) and game.result != notation.UNFINISHED and (not ended["winner"]) != (game.result in _DRAWS):
            self.warnings.append(Fault(index, move, "winner_differs", "", {}, game.result))

    def _take(self, actor: str, text: str) -> None:
        self.state = self.state.after(actor, text)
        self.actions.append((actor, text))


def _seat(turn: str) -> Side:
    return "white" if turn == "white" else "black"


def _check_start(game: notation.Game) -> None:
    """Raise `_Stop` for a game from a custom position."""
    if game.fen is None:
        return
    try:
        same = fens.read(game.fen) == fens.read(notation.START)
    except ValueError:
        same = False
    if not same:
        raise _Stop("not_the_start")


def _declared(headers: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    if headers.get("Mode") in ("soplar", "obligatoria"):
        yield "mode", headers["Mode"]
    if headers.get("LeyCantidad") in ("On", "Off"):
        yield "ley_cantidad", headers["LeyCantidad"] == "On"


def _length(headers: Mapping[str, str], games: list[notation.Game]) -> int:
    """The match length in the file, else the least that fits the number of games."""
    value = headers.get("MatchLength", "")
    if value.isascii() and value.isdecimal() and 0 < len(value) < 4 and int(value):
        return int(value)
    return len(games)
