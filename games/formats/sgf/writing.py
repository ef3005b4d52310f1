"""Write SGF by the standard: games numbered from 1, the cube at the root of each game, the match on every root."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from games.engine import SIDES, Side, opponent
from games.formats.decoding import plain
from games.formats.mat.writing import ending_text, opening_dice, single_moves
from games.formats.record import FormatLimits, GameRecord, Record, number
from games.formats.sgf.reading import COLOURS, FACTS
from games.formats.sgf.trees import escaped

LIMITS = FormatLimits("backgammon", house_rules=("crawford",))


def write(record: Record) -> str:
    """Write the match, one tree for each game. Raises FormatError (`wrong_game`, `not_standard`)."""
    LIMITS.check(record)
    moves = [list(_moves(game, low_die_first=at in record.low_die_first)) for at, game in enumerate(record.games, 1)]
    pairs = zip(record.games, moves, strict=True)
    played = [(game, nodes) for game, nodes in pairs if nodes or game.kind or len(record.games) == 1]
    return "".join(_tree(record, game, nodes, last=game is played[-1][0]) for game, nodes in played)


def _tree(record: Record, game: GameRecord, moves: Sequence[str], *, last: bool) -> str:
    white, black = (number(points) for points in game.score)
    info = {"length": record.length, "game": game.number, "ws": white, "bs": black}
    root = ["FF[4]GM[6]CA[UTF-8]AP[Tablero]", "MI" + "".join(f"[{name}:{value}]" for name, value in info.items())]
    root += [f"P{COLOURS[side]}[{_simple(record.players[side])}]" for side in SIDES]
    for name, header in FACTS.items():
        if text := record.headers.get(header):
            root.append(f"{name}[{_simple(text.replace('.', '-') if name == 'DT' else text)}]")
    root.append(f"RU[{':'.join(_rules(record, game))}]")
    if _stakes(record, game) > 1:
        root.append(f"CV[{_stakes(record, game)}]")
    if result := _result(record, game, last=last):
        root.append(f"RE[{result}]")
    if last and (text := ending_text(record)):
        root.append(f"GC[{_simple(text)}]")
    return "\n".join(["(;" + "\n".join(root), *(f";{move}" for move in moves)]) + ")\n"


def _rules(record: Record, game: GameRecord) -> Iterator[str]:
    """The words of `RU` for one game (B14, B16)."""
    if not record.length:
        if record.options.get("jacoby", False):
            yield "Jacoby"
    elif record.options.get("crawford", True):
        yield "Crawford"
        if _is_crawford(record, game):
            yield "CrawfordGame"


def _is_crawford(record: Record, game: GameRecord) -> bool:
    """Whether this is the Crawford game: the first that began with a player one point short of the match (B14)."""
    first = next((each for each in record.games if max(each.score) == record.length - 1), None)
    return record.length > 1 and first is game


def _stakes(record: Record, game: GameRecord) -> int:
    """The initial cube value: 2 after a tied opening roll with automatic doubles (B16)."""
    opening = next((text for actor, text in game.actions if actor == "chance"), "dice 21")
    return 2 if record.options.get("auto_doubles") and opening[-1] == opening[-2] else 1


def _result(record: Record, game: GameRecord, *, last: bool) -> str:
    if game.winner:
        return f"{COLOURS[_side(game.winner)]}+{number(game.points)}{'R' if game.resigned else ''}"
    if last and record.by in ("flag", "resign", "absent") and record.winner:
        return f"{COLOURS[_side(record.winner)]}+{'T' if record.by == 'flag' else 'F'}"
    return ""


def _moves(game: GameRecord, *, low_die_first: bool) -> Iterator[str]:
    """The nodes of a game. The opening dice belong to who started (B3)."""
    turn: Side = "white"
    dice, opening = "", True
    for actor, text in game.actions:
        word = text.split()[0] if text else ""
        if word == "dice":
            first, second = text[-2], text[-1]
            if opening and first == second:
                continue
            if opening:
                turn = "white" if first > second else "black"
            dice = opening_dice(text, low_die_first=low_die_first) if opening else first + second
            opening = False
        elif word in ("double", "take", "drop", "beaver"):
            turn = _side(actor) if word == "double" else turn
            yield f"{COLOURS[_side(actor)]}[{'double' if word == 'beaver' else word}]"
        elif word == "pass" or "/" in word:
            if dice:
                yield f"{COLOURS[turn]}[{dice}{_letters(turn, text)}]"
            turn, dice = opponent(turn), ""
    if dice:
        yield f"PL[{COLOURS[turn]}]DI[{dice}]"


def _letters(side: Side, text: str) -> str:
    """A play as pairs of letters, one for each move of a checker."""
    if text == "pass":
        return ""
    steps = [move.rstrip("*").split("/") for word in text.split() for move in single_moves(word)]
    return "".join(_letter(side, a) + _letter(side, b) for stops in steps for a, b in pairwise(stops))


def _letter(side: Side, place: str) -> str:
    if place in ("bar", "off"):
        return "y" if place == "bar" else "z"
    point = int(place) if side == "white" else 25 - int(place)
    return chr(ord("a") + point - 1)


def _side(actor: str) -> Side:
    return "white" if actor == "white" else "black"


def _simple(text: str) -> str:
    return escaped(plain(text, 200))
