"""A file's match told again through the rules: each cell becomes our own actions, or the fault that the rules find.

Nothing here decides a rule. Plays are matched by `Position.canonical`, which reads merged hops and unmarked hits; who
won what follows from the fold, and where a game was given up, from what the file says as far as it is possible (B15).
After a fault the rest of its game is not trusted; the next game is read from the score that the file gives it.
"""

from __future__ import annotations

from dataclasses import replace

from games.engine import SIDES, Side, rival
from games.formats.ending import Ending
from games.formats.errors import FormatError
from games.formats.fold import LONGEST_MATCH, MOST_FAULTS, MOST_PLAYS, REFUSED, Stop, Work
from games.formats.hops import merged
from games.formats.record import Fault, Reading, Record, state_at
from games.formats.terms import played_with, unsaid
from games.formats.told import Step, ToldGame, ToldMatch
from games.registry import ILLEGAL, RULES

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
    work = Work()
    reading = _Retelling(told, options, work).read()
    for switch in unsaid(told, options, reading):
        other = _Retelling(told, {**options, switch: not options[switch]}, work).read()
        if _flaws(other) < _flaws(reading):
            note = Fault(1, 0, "no_crawford", "B14") if switch == "crawford" else None
            reading = replace(other, warnings=((note, *other.warnings) if note else other.warnings))
    return reading


def _flaws(reading: Reading) -> tuple[int, int]:
    return len(reading.faults), len(reading.warnings)


class _Retelling(Ending):
    """The games of a file, one after another."""

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
                    raise Stop("game_over")
                self._step(step, game, last=index == len(game.steps) - 1)
            move, text = (game.steps[-1].move, game.steps[-1].text) if game.steps else (0, "")
            self._end(game, following, began)
        except REFUSED as error:
            code, ruling, params = (getattr(error, name, None) for name in ("code", "ruling", "params"))
            self.faults.append(Fault(game.number, move, code or "", ruling or "", params or {}, text[:80]))
            self.lost = True

    def _score(self, game: ToldGame) -> None:
        """The score before a game: ours, or after a fault the file's own."""
        if self.told.length and self.state.score.view().get("crawford"):
            self.crawford_begun = True
        if self.lost or (not self.games and game.score not in (None, (0, 0)) and not self.faults):
            if game.score is None:
                raise Stop("no_result")
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
                raise Stop("game_over") from error
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
            raise Stop("match_over")
        self._pass_over(step.side)
        if step.kind == "setup":
            raise Stop("not_the_start")
        if step.kind == "unreadable":
            raise Stop("unreadable_play", what=step.text[:60])
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
                raise Stop("out_of_turn")
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
            raise Stop("unreadable_play", what=step.text[:60])
        low, high = sorted(step.dice)
        if low == high:
            raise Stop("opening_tie", "B3")
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
        raise Stop("must_play", "B5")

    def _move(self, step: Step) -> None:
        """The play of a cell: first as our own text would be, which is quickest to read, then just as written."""
        if self.state.position.turn != step.side:
            raise Stop("out_of_turn")
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
