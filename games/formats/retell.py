"""A file's match told again through the rules: each cell becomes our own actions, or the fault that the rules find.

Nothing here decides a rule. Plays are matched by `Position.canonical`, which reads merged hops and unmarked hits; who
won what follows from the fold, and where a game was given up, from what the file says as far as it is possible (B15).
After a fault the rest of its game is not trusted; the next game is read from the score that the file gives it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games import replay
from games.engine import SIDES, Rules, Side, rival
from games.formats.errors import FormatError
from games.formats.hops import merged
from games.formats.record import Fault, GameRecord, Reading, Record, outcome_of, state_at
from games.formats.terms import played_with, unsaid
from games.formats.told import Step, ToldGame, ToldMatch
from games.registry import ILLEGAL, RULES

MOST_PLAYS = 2000
"""A match to 25 points has some 1,500 plays. A file with more than this is refused, so that reading takes a second."""
MOST_WORK = 4000
"""How much reading may cost, in plays written as we write them: other forms are searched for, doubles longest."""
MOST_FAULTS = 200

LONGEST_MATCH = 999

_ROLLS = [f"dice {high}{low}" for high in range(6, 0, -1) for low in range(high, 0, -1)]


def retell(told: ToldMatch) -> Reading:
    """The reading of a match as a file tells it. Raises FormatError where nothing of it can be read.

    A file without a word on Crawford or Jacoby is read again the other way round only where the usual way does not fit.
    """
    if told.variant not in RULES:
        raise FormatError("variation", variation=told.variant[:40])
    if not 0 <= told.length <= LONGEST_MATCH:
        raise FormatError("length", length=told.length)
    if not told.games:
        raise FormatError("no_games")
    if sum(len(game.steps) for game in told.games) > MOST_PLAYS:
        raise FormatError("too_long", most=MOST_PLAYS)
    options = played_with(told)
    work = _Work()
    reading = _Retelling(told, options, work).read()
    for switch in unsaid(told, options, reading):
        other = _Retelling(told, {**options, switch: not options[switch]}, work).read()
        if _flaws(other) < _flaws(reading):
            note = Fault(1, 0, "no_crawford", "B14") if switch == "crawford" else None
            reading = replace(other, warnings=((note, *other.warnings) if note else other.warnings))
    return reading


def _flaws(reading: Reading) -> tuple[int, int]:
    return len(reading.faults), len(reading.warnings)


class _Work:
    """What reading has cost so far, over all passes through a file."""

    def __init__(self) -> None:
        self.done = 0

    def add(self, plays: int) -> None:
        """Raises FormatError (`too_long`)."""
        self.done += plays
        if self.done > MOST_WORK:
            raise FormatError("too_long", most=MOST_PLAYS)


class _Stop(Exception):
    """The rest of this game is not trusted."""

    def __init__(self, code: str, ruling: str = "", **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.ruling = ruling
        self.params = params


_REFUSED: tuple[type[Exception], ...] = (_Stop, replay.Impossible, *ILLEGAL)


class _Retelling:
    """One pass through a file's match with one set of options."""

    def __init__(self, told: ToldMatch, options: Mapping[str, Any], work: _Work) -> None:
        self.work = work
        self.marked = any("*" in (step.hops or "") for game in told.games for step in game.steps)
        self.told = told
        self.options = dict(options)
        self.rules: Rules = RULES[told.variant]
        self.faults: list[Fault] = []
        self.warnings: list[Fault] = list(told.warnings)
        self.games: list[GameRecord] = []
        self.actions: list[tuple[str, str]] = []
        self.state = replay.start(self.rules, told.length, self.options)
        self.drift = (0.0, 0.0)
        self.lost = False
        self.crawford_begun = False

    # The match

    def read(self) -> Reading:
        """The whole match, or its faults."""
        for index, game in enumerate(self.told.games):
            following = self.told.games[index + 1] if index + 1 < len(self.told.games) else None
            self._game(game, following)
            if len(self.faults) >= MOST_FAULTS:
                break
        faults, warnings = tuple(self.faults), tuple(self.warnings[:MOST_FAULTS])
        return Reading(self.told.format, None if faults else self._record(), faults, warnings)

    def _record(self) -> Record:
        result = self.state.result
        return Record(
            variant=self.told.variant,
            length=self.told.length,
            players=dict(self.told.players),
            games=tuple(self.games),
            options=self.options,
            headers=dict(self.told.headers),
            by=result.by if result else "",
            winner=(result.winner or "") if result else "",
        )

    def _game(self, game: ToldGame, following: ToldGame | None) -> None:
        """One game of the file. Its faults are kept; the next game is read all the same."""
        move, text = 0, ""
        self.actions = []
        try:
            self._score(game)
            began = self.state
            for index, step in enumerate(game.steps):
                move, text = step.move, step.text
                if self.state.game != began.game or self.state.score != began.score:
                    raise _Stop("game_over")
                self._step(step, game, last=index == len(game.steps) - 1)
            move, text = (game.steps[-1].move, game.steps[-1].text) if game.steps else (0, "")
            self._end(game, following, began)
        except _REFUSED as error:
            code, ruling, params = (getattr(error, name, None) for name in ("code", "ruling", "params"))
            self.faults.append(Fault(game.number, move, code or "", ruling or "", params or {}, text[:80]))
            self.lost = True

    def _score(self, game: ToldGame) -> None:
        """The score before a game: ours, or after a fault the file's own."""
        if self.told.length and self.state.score.view().get("crawford"):
            self.crawford_begun = True
        if self.lost or (not self.games and game.score not in (None, (0, 0)) and not self.faults):
            if game.score is None:
                raise _Stop("no_result")
            played = self.crawford_begun and self.told.length - 1 in game.score
            if self.lost and not played:
                played = self._led_before(game)
            if not self.lost:
                self._warn(game, 0, "starts_late")
            try:
                self.state = state_at(
                    self.rules, self.told.length, self.options, game.score, after_crawford=bool(played)
                )
            except FormatError as error:
                raise _Stop("game_over") from error
            self.lost, self.drift = False, (0.0, 0.0)
            return
        if game.score is None:
            return
        ours = self.state.score.points("white"), self.state.score.points("black")
        drift = (game.score[0] - ours[0], game.score[1] - ours[1])
        if drift != self.drift:
            self._warn(
                game, 0, "score_differs", white=game.score[0], black=game.score[1], ours=f"{ours[0]:g}-{ours[1]:g}"
            )
        self.drift = drift

    def _led_before(self, game: ToldGame) -> bool:
        """Whether an earlier game of the file was already played one point before the end (the Crawford game)."""
        for earlier in self.told.games:
            if earlier is game:
                return False
            if earlier.score is not None and max(earlier.score) == self.told.length - 1:
                return True
        return False

    # One cell

    def _step(self, step: Step, game: ToldGame, *, last: bool) -> None:
        if self.state.result is not None:
            raise _Stop("match_over")
        self._pass_over(step.side)
        if step.kind == "setup":
            raise _Stop("not_the_start")
        if step.kind == "unreadable":
            raise _Stop("unreadable_play", what=step.text[:60])
        if step.kind == "play":
            self._play(step, game, last=last)
        elif step.kind == "resign":
            if step.dice:
                self._roll(step, game)
        elif step.kind == "beaver" or (step.kind == "double" and self._doubled(step.side)):
            self._act(step.side, "beaver")
        else:
            if step.kind == "double":
                self._take_beaver(step.side)
            self._act(step.side, step.kind)
            if step.kind == "double":
                self._check_cube(step, game)

    def _pass_over(self, side: Side) -> None:
        """A rival who was closed out has no cell of his own in most files (B8)."""
        position = self.state.position
        if position.turn == rival(side) and position.auto == "pass":
            self._server("pass")

    def _doubled(self, side: Side) -> bool:
        """Whether a double waits for the answer of this side."""
        return self.state.position.turn == side and "take" in self.state.position.may(side)

    def _take_beaver(self, side: Side) -> None:
        """A double by the side that has just been beavered: no file says so, but be clear in any case."""
        if self._doubled(side):
            self._act(side, "take")

    def _play(self, step: Step, game: ToldGame, *, last: bool) -> None:
        position = self.state.position
        if self._doubled(step.side):
            self._act(step.side, "take")  # GNU Backgammon leaves out the doubler's answer to a beaver
        if not self.state.opening and self.state.position.auto == "pass" and position.turn == step.side:
            if step.hops:
                self._act(step.side, "roll")
            self._server("pass")  # closed out: the dice that a file gives him were for nothing
            return
        self._roll(step, game)
        if step.hops:
            self._move(step)
        elif self.state.position.auto == "pass":
            self._server("pass")
        elif not (last and step.hops is None and (game.winner or not self._more(game))):
            self._act(step.side, "pass")

    def _more(self, game: ToldGame) -> bool:
        return game is not self.told.games[-1]

    def _roll(self, step: Step, game: ToldGame) -> None:
        """The roll of a cell: at the opening both sides', the higher die being the side's whose cell it is (B3)."""
        if not self.state.opening:
            if self.state.position.turn != step.side:
                raise _Stop("out_of_turn")
            self._act(step.side, "roll")
            if step.dice:
                self._chance(f"dice {step.dice}")
            else:
                self._dance(step, game)
            return
        stakes = game.stakes
        if stakes > 1 and self.options.get("auto_doubles"):
            self._open("dice 11")
        if not step.dice:
            raise _Stop("unreadable_play", what=step.text[:60])
        low, high = sorted(step.dice)
        if low == high:
            raise _Stop("opening_tie", "B3")
        self._open(f"dice {high}{low}" if step.side == "white" else f"dice {low}{high}")

    def _open(self, dice: str) -> None:
        for side in SIDES:
            if side not in self.state.ready:
                self._act(side, "roll")
        self._chance(dice)

    def _dance(self, step: Step, game: ToldGame) -> None:
        """A roll that the file does not write, because nothing could be played with it."""
        for dice in _ROLLS:
            if self.state.after("chance", dice).position.auto == "pass":
                self._warn(game, step.move, "dice_missing", text=step.text)
                self._chance(dice)
                return
        raise _Stop("must_play", "B5")

    def _move(self, step: Step) -> None:
        """The play of a cell: first as our own text would be, which is quickest to read, then just as written."""
        if self.state.position.turn != step.side:
            raise _Stop("out_of_turn")
        written = step.hops or ""
        for text in dict.fromkeys((merged(written, self._blots(step.side)), written)):
            self.work.add(1)
            try:
                canonical = self.state.position.canonical(text)
            except ILLEGAL:
                self.work.add(self._search(step))
                if text == written:
                    raise
            else:
                if canonical != text:
                    self.work.add(self._search(step))
                self._act(step.side, canonical)
                return

    def _blots(self, side: Side) -> frozenset[int]:
        """The points, in a side's own numbering, where one rival man stands alone; none where the file marks hits."""
        if self.marked:
            return frozenset()
        points = self.state.position.view(None)["board"][rival(side)]["points"]
        return frozenset(24 - index for index, men in enumerate(points) if men == 1)

    def _search(self, step: Step) -> int:
        """What it costs, in plays, to search for what a text means."""
        return 10 if len(set(step.dice)) == 1 else 3

    def _check_cube(self, step: Step, game: ToldGame) -> None:
        cube = self.state.position.view(None).get("cube") or {}
        offered = cube.get("offered")
        if step.value and offered and step.value != offered:
            self._warn(game, step.move, "cube_differs", text=step.text, value=step.value, ours=offered)

    # The end of a game

    def _end(self, game: ToldGame, following: ToldGame | None, began: replay.State) -> None:
        over = self.state.game != began.game or self.state.score != began.score
        if not over and following is None and self.told.by and not game.winner:
            self._end_of_match()
        elif not over:
            over = self._given_up(game, following, began)
        ended = self.state.ended if over else None
        if ended is not None:
            self._compare(game, ended)
        if over or self.actions or following is None:
            self.games.append(
                GameRecord(
                    number=began.game if not self._late else game.number,
                    score=(began.score.points("white"), began.score.points("black")),
                    actions=tuple(self.actions),
                    **outcome_of(ended),
                )
            )
        if over and following is None and self.told.by == "ended" and self.state.result is None:
            self._end_session()
        if not over and following is not None:
            raise _Stop("no_result")

    @property
    def _late(self) -> bool:
        return any(note.code == "starts_late" for note in self.warnings)

    def _end_of_match(self) -> None:
        """A match that ended without a score: given up as a whole, lost on time, or a session that was left."""
        winner = self.told.winner
        if self.told.by == "resign" and winner:
            self._act(rival(winner), "resign match")
        elif self.told.by == "flag" and winner:
            self._server(f"flag {rival(winner)}")

    def _end_session(self) -> None:
        """The end of a money session belongs to the game that would have come next, as in live play."""
        began = self.state
        self.actions = []
        self._act("white", "end")
        self.games.append(
            GameRecord(
                number=began.game,
                score=(began.score.points("white"), began.score.points("black")),
                actions=tuple(self.actions),
            )
        )

    def _given_up(self, game: ToldGame, following: ToldGame | None, began: replay.State) -> bool:
        """A game that the play has not ended: a double that was not answered, or a resignation (B15)."""
        gained = self._gained(following, began)
        winner = self._winner(game, gained)
        if winner is None:
            return False
        if self.state.opening or (not game.steps):
            raise _Stop("no_play", "B15")
        if self._doubled(rival(winner)) and game.points in (None, self._stake(rival(winner))):
            self._act(rival(winner), "drop")
            self._warn(game, game.steps[-1].move, "drop_missing")
            return True
        possible = self.state.position.resignations(rival(winner))
        level, points = self._level(game, possible, gained, winner)
        if game.winner is None and game.points is None:
            self._warn(game, game.steps[-1].move, "result_missing")
        elif game.points is None:
            self._warn(game, game.steps[-1].move, "points_guessed", ours=points)
        self._act(rival(winner), f"resign {level}")
        if self.state.resignation is not None:
            self._act(winner, "accept")
        return True

    def _stake(self, loser: Side) -> int:
        return self.state.position.resignations(loser)[0][1]

    def _gained(self, following: ToldGame | None, began: replay.State) -> tuple[Side, int] | None:
        """Who won how much by the next score line; None where it does not tell."""
        if following is None or following.score is None:
            return None
        before = (began.score.points("white") + self.drift[0], began.score.points("black") + self.drift[1])
        gains = [int(now - then) for now, then in zip(following.score, before, strict=True)]
        won = [(side, gain) for side, gain in zip(SIDES, gains, strict=True) if gain > 0]
        return won[0] if len(won) == 1 and min(gains) == 0 else None

    def _winner(self, game: ToldGame, gained: tuple[Side, int] | None) -> Side | None:
        """Who won a game that was given up: not he who says so, else the next score, else the winner's line."""
        if game.steps and game.steps[-1].kind == "resign":
            return rival(game.steps[-1].side)
        if gained is not None:
            if game.winner and game.winner != gained[0]:
                self._warn(game, game.steps[-1].move if game.steps else 0, "winner_differs")
            return gained[0]
        return game.winner

    def _level(
        self, game: ToldGame, possible: list[tuple[int, int]], gained: tuple[Side, int] | None, winner: Side
    ) -> tuple[int, int]:
        """The level and points of a resignation. What the file says, if it can be; else what the next score says;
        else, at the end of a match, the least that ends it.
        """
        for said in (game.points, gained[1] if gained else None):
            for level, points in possible:
                if points == said:
                    return level, points
        if gained is not None:
            raise _Stop("points_impossible", "B15", points=gained[1])
        chosen = possible[0]
        if game.match_won and self.told.length:
            missing = self.told.length - self.state.score.points(winner)
            chosen = next((each for each in possible if each[1] >= missing), possible[-1])
        return chosen

    def _compare(self, game: ToldGame, ended: Mapping[str, Any]) -> None:
        move = game.steps[-1].move if game.steps else 0
        if game.points is not None and game.points != ended["points"]:
            self._warn(game, move, "points_differ", points=game.points, ours=ended["points"])
        if game.winner is not None and game.winner != ended["winner"] and not ended["resigned"]:
            self._warn(game, move, "winner_differs")

    # One action

    def _act(self, side: Side, text: str) -> None:
        self._take(side, text)

    def _server(self, text: str) -> None:
        self._take("server", text)

    def _chance(self, text: str) -> None:
        self._take("chance", text)

    def _take(self, actor: str, text: str) -> None:
        self.state = self.state.after(actor, text)
        self.actions.append((actor, text))

    def _warn(self, game: ToldGame, move: int, code: str, *, text: str = "", **params: Any) -> None:
        if len(self.warnings) < MOST_FAULTS:
            self.warnings.append(Fault(game.number, move, code, "", params, text[:80]))
