"""Rebuild a parsed match by replaying it through the rules: each cell becomes our own actions, or a fault.

No rules are decided here. Plays are matched by `Position.canonical`, which reads merged moves and unmarked hits. The
winner and points follow from the replay, and for a resigned game from the file, as far as the rules allow (B15).
After a fault the rest of its game is skipped; the next game starts at the score in the file.
"""

from __future__ import annotations

from dataclasses import replace

from games.engine import SIDES, Side, opponent
from games.formats.errors import FormatError
from games.formats.game_ending import GameEnding
from games.formats.infer_options import inferred_options, undeclared_switches
from games.formats.parsed import ParsedGame, ParsedMatch, Step
from games.formats.play_text import normalized_play
from games.formats.rebuild_base import LONGEST_MATCH, MOST_FAULTS, MOST_PLAYS, REFUSED, GameUnreadable, ReadingBudget
from games.formats.record import LOW_DIE_FIRST, Fault, Reading, Record, state_at_score
from games.registry import ILLEGAL, RULES

_ROLLS = [f"dice {high}{low}" for high in range(6, 0, -1) for low in range(high, 0, -1)]


def rebuild(parsed: ParsedMatch) -> Reading:
    """Rebuild a parsed match. Raises FormatError if nothing of it can be read.

    A file that does not declare Crawford or Jacoby is read again with the opposite option if the default does not fit.
    """
    if parsed.variant not in RULES:
        raise FormatError("variation", variation=parsed.variant[:40])
    if not 0 <= parsed.length <= LONGEST_MATCH:
        raise FormatError("length", length=parsed.length)
    if not parsed.games:
        raise FormatError("no_games")
    if sum(len(game.steps) for game in parsed.games) > MOST_PLAYS:
        raise FormatError("too_long", most=MOST_PLAYS)
    options = inferred_options(parsed)
    budget = ReadingBudget()
    reading = _Rebuild(parsed, options, budget).read()
    for switch in undeclared_switches(parsed, options, reading):
        other = _Rebuild(parsed, {**options, switch: not options[switch]}, budget).read()
        if _flaws(other) < _flaws(reading):
            note = Fault(1, 0, "no_crawford", "B14") if switch == "crawford" else None
            reading = replace(other, warnings=((note, *other.warnings) if note else other.warnings))
    return reading


def _flaws(reading: Reading) -> tuple[int, int]:
    return len(reading.faults), len(reading.warnings)


class _Rebuild(GameEnding):
    """The games of a file, one after another."""

    # The match

    def read(self) -> Reading:
        """Rebuild the whole match, or collect its faults."""
        for index, game in enumerate(self.parsed.games):
            following = self.parsed.games[index + 1] if index + 1 < len(self.parsed.games) else None
            self._game(game, following)
            if len(self.faults) >= MOST_FAULTS:
                break
        faults, warnings = tuple(self.faults), tuple(self.warnings[:MOST_FAULTS])
        return Reading(self.parsed.format, None if faults else self._record(), faults, warnings)

    def _record(self) -> Record:
        result = self.state.result
        games = " ".join(map(str, self.low_die_first))
        low_die_first = {LOW_DIE_FIRST: games} if games else {}
        return Record(
            variant=self.parsed.variant,
            length=self.parsed.length,
            players=dict(self.parsed.players),
            games=tuple(self.games),
            options=self.options,
            headers=dict(self.parsed.headers) | low_die_first,
            by=result.by if result else "",
            winner=(result.winner or "") if result else "",
        )

    def _game(self, game: ParsedGame, following: ParsedGame | None) -> None:
        """Rebuild one game. Its faults are collected; the next game is read all the same."""
        move, text = 0, ""
        self.actions = []
        try:
            self._score(game)
            began = self.state
            for index, step in enumerate(game.steps):
                move, text = step.move, step.text
                if self.state.game != began.game or self.state.score != began.score:
                    raise GameUnreadable("game_over")
                self._step(step, game, last=index == len(game.steps) - 1)
            move, text = (game.steps[-1].move, game.steps[-1].text) if game.steps else (0, "")
            self._end(game, following, began)
        except REFUSED as error:
            code, ruling, params = (getattr(error, name, None) for name in ("code", "ruling", "params"))
            self.faults.append(Fault(game.number, move, code or "", ruling or "", params or {}, text[:80]))
            self.out_of_step = True

    def _score(self, game: ParsedGame) -> None:
        """Set the score before a game: the replayed one, or after a fault that of the file."""
        if self.parsed.length and self.state.score.view().get("crawford"):
            self.crawford_started = True
        if self.out_of_step or (not self.games and game.score not in (None, (0, 0)) and not self.faults):
            if game.score is None:
                raise GameUnreadable("no_result")
            played = self.crawford_started and self.parsed.length - 1 in game.score
            if self.out_of_step and not played:
                played = self._led_before(game)
            if not self.out_of_step:
                self._warn(game, 0, "starts_late")
            try:
                self.state = state_at_score(
                    self.rules, self.parsed.length, self.options, game.score, after_crawford=bool(played)
                )
            except FormatError as error:
                raise GameUnreadable("game_over") from error
            self.out_of_step, self.drift = False, (0.0, 0.0)
            return
        if game.score is None:
            return
        replayed = self.state.score.points("white"), self.state.score.points("black")
        drift = (game.score[0] - replayed[0], game.score[1] - replayed[1])
        if drift != self.drift:
            self._warn(
                game,
                0,
                "score_differs",
                white=game.score[0],
                black=game.score[1],
                expected=f"{replayed[0]:g}-{replayed[1]:g}",
            )
        self.drift = drift

    def _led_before(self, game: ParsedGame) -> bool:
        """Whether an earlier game of the file was played one point before the end (the Crawford game)."""
        for earlier in self.parsed.games:
            if earlier is game:
                return False
            if earlier.score is not None and max(earlier.score) == self.parsed.length - 1:
                return True
        return False

    # One cell

    def _step(self, step: Step, game: ParsedGame, *, last: bool) -> None:
        if self.state.result is not None:
            raise GameUnreadable("match_over")
        self._pass_if_closed_out(step.side)
        if step.kind == "setup":
            raise GameUnreadable("not_the_start")
        if step.kind == "unreadable":
            raise GameUnreadable("unreadable_play", text=step.text[:60])
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

    def _pass_if_closed_out(self, side: Side) -> None:
        """Pass for an opponent who is closed out, who has no cell in most files (B8)."""
        position = self.state.position
        if position.turn == opponent(side) and position.auto == "pass":
            self._server("pass")

    def _take_beaver(self, side: Side) -> None:
        """Take the beaver for a side that doubles right after it, which no known file has."""
        if self._doubled(side):
            self._act(side, "take")

    def _play(self, step: Step, game: ParsedGame, *, last: bool) -> None:
        position = self.state.position
        if self._doubled(step.side):
            self._act(step.side, "take")  # GNU Backgammon leaves out the doubler's answer to a beaver
        if not self.state.opening and self.state.position.auto == "pass" and position.turn == step.side:
            if step.moves:
                self._act(step.side, "roll")
            self._server("pass")  # closed out: the dice in the file have no effect
            return
        self._roll(step, game)
        if step.moves:
            self._move(step)
        elif self.state.position.auto == "pass":
            self._server("pass")
        elif not (last and step.moves is None and (game.winner or not self._more(game))):
            self._act(step.side, "pass")

    def _more(self, game: ParsedGame) -> bool:
        return game is not self.parsed.games[-1]

    def _roll(self, step: Step, game: ParsedGame) -> None:
        """The roll of a cell: at the opening that of both sides; the higher die belongs to the cell's side (B3)."""
        if not self.state.opening:
            if self.state.position.turn != step.side:
                raise GameUnreadable("out_of_turn")
            self._act(step.side, "roll")
            if step.dice:
                self._chance(f"dice {step.dice}")
            else:
                self._add_missing_roll(step, game)
            return
        stakes = game.stakes
        if stakes > 1 and self.options.get("auto_doubles"):
            self._open("dice 11")
        if not step.dice:
            raise GameUnreadable("unreadable_play", text=step.text[:60])
        low, high = sorted(step.dice)
        if low == high:
            raise GameUnreadable("opening_tie", "B3")
        if step.dice == low + high:
            self.low_die_first.append(len(self.games) + 1)
        self._open(f"dice {high}{low}" if step.side == "white" else f"dice {low}{high}")

    def _open(self, dice: str) -> None:
        for side in SIDES:
            if side not in self.state.ready:
                self._act(side, "roll")
        self._chance(dice)

    def _add_missing_roll(self, step: Step, game: ParsedGame) -> None:
        """Add a roll that the file leaves out, because it had no legal play."""
        for dice in _ROLLS:
            if self.state.after("chance", dice).position.auto == "pass":
                self._warn(game, step.move, "dice_missing", text=step.text)
                self._chance(dice)
                return
        raise GameUnreadable("must_play", "B5")

    def _move(self, step: Step) -> None:
        """The play of a cell: first in canonical form, which is quickest to read, then as written."""
        if self.state.position.turn != step.side:
            raise GameUnreadable("out_of_turn")
        written = step.moves or ""
        for text in dict.fromkeys((normalized_play(written, self._blots(step.side)), written)):
            self.budget.spend(1)
            try:
                canonical = self.state.position.canonical(text)
            except ILLEGAL:
                self.budget.spend(self._search_cost(step))
                if text == written:
                    raise
            else:
                if canonical != text:
                    self.budget.spend(self._search_cost(step))
                self._act(step.side, canonical)
                return

    def _blots(self, side: Side) -> frozenset[int]:
        """The opponent's blots in a side's own numbering; none if the file marks hits."""
        if self.marked:
            return frozenset()
        points = self.state.position.view(None)["board"][opponent(side)]["points"]
        return frozenset(24 - index for index, count in enumerate(points) if count == 1)

    def _search_cost(self, step: Step) -> int:
        """The cost of searching for the meaning of a text, in plays."""
        return 10 if len(set(step.dice)) == 1 else 3

    def _check_cube(self, step: Step, game: ParsedGame) -> None:
        cube = self.state.position.view(None).get("cube") or {}
        offered = cube.get("offered")
        if step.value and offered and step.value != offered:
            self._warn(game, step.move, "cube_differs", text=step.text, value=step.value, expected=offered)

    # The end of a game
