"""Simulated players: they deposit for the dice what a browser deposits, and play anything legal."""

from __future__ import annotations

import random
import runpy
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from accounts.models import User
from games import replay, services
from games.dice import match_dice, proof
from games.dice.chain import Chain
from games.dice.match_dice import MatchDice
from games.engine import Side
from games.events import state_of
from games.frames import parse_dice
from games.models import DiceSecret, Match
from games.selectors.dice_proofs import transcript_of

SCRIPT = Path(__file__).parents[3] / "docs/verify_dice.py"
VERIFY: dict[str, Any] = runpy.run_path(str(SCRIPT))


def verdict(transcript: Any) -> tuple[int | None, set[str]]:
    """The first wrong roll by the script of docs/ (None: all are right), and the seats that were held."""
    try:
        return None, VERIFY["check"](transcript)
    except VERIFY["Wrong"] as wrong:
        return int(wrong.args[0]), set()


def give(match: Match, user: User, **fields: Any) -> int:
    """Send a `dice` frame with these fields; the version of the match after it."""
    frame = parse_dice({"id": "dice-1", **fields})
    return services.dice_give(match_id=match.pk, user_id=user.pk, frame=frame)


class Player:
    """One seat. `silent` deposits nothing for the dice; `forgets` is the roll from which its secret is lost."""

    def __init__(self, user: User, side: Side, *, silent: bool = False, forgets: int = 10_000) -> None:
        self.user = user
        self.side = side
        self.silent = silent
        self.forgets = forgets
        self.chain = Chain.of(secrets.token_bytes(32), 600)
        self.nonce = secrets.token_bytes(32)
        self.count = 0

    @property
    def end(self) -> str:
        return self.chain.element(0).hex()

    @property
    def commit(self) -> str:
        return proof.commitment(self.nonce).hex()

    def c(self, match: Match) -> str:
        """The next element, or none when the secret is lost."""
        if self.silent or match.roll_index >= self.forgets:
            return ""
        return self.chain.element(match.dice[self.side]["used"] + 1).hex()

    def commit_opening(self, match: Match) -> int:
        return give(match, self.user, end=self.end, commit=self.commit)

    def reveal(self, match: Match) -> int:
        return give(match, self.user, nonce=self.nonce.hex(), c=self.chain.element(1).hex())

    def give(self, match: Match) -> None:
        """Deposit whatever is due now, as a browser does automatically."""
        restored, seat = match_dice.restore(match.dice), match.dice[self.side]
        if self.silent or seat["held"]:
            return
        if seat["end"] is None:
            self.commit_opening(match)
        elif seat["nonce"] is None:
            if restored.ready:
                self.reveal(match)
        elif state_of(match).opening and seat["deposit"] is None and (c := self.c(match)):
            give(match, self.user, c=c)

    def act(self, match: Match, action: str, **more: Any) -> int:
        self.count += 1
        about = {"client_id": f"{self.side}-{self.count}", **more}
        return services.match_act(match_id=match.pk, user_id=self.user.pk, action=action, **about).version

    def roll(self, match: Match, **more: Any) -> int:
        opening = state_of(match).opening
        return self.act(match, "roll", **{"element": "" if opening else self.c(match), **more})


def fresh(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def shake(match: Match, players: Sequence[Player]) -> Match:
    """Both commitments, then both nonces."""
    for _ in range(2):
        for player in players:
            player.give(fresh(match))
    return fresh(match)


def play(
    match: Match,
    players: Sequence[Player],
    *,
    until: Callable[[Match, replay.State], bool] = lambda match, state: False,
) -> Match:
    """Play at random to the end of the match, or until something is so."""
    choose = random.Random(1)
    match = shake(match, players)
    while match.status == Match.Status.LIVE and not until(match, state_of(match)):
        state = state_of(match)
        if state.opening:
            for player in players:
                player.give(match)
        awaited = [player for player in players if state.awaits(player.side)]
        player = min(awaited, key=lambda player: not player.silent)  # a browser waits until it can show its nonce
        if "roll" in state.may(player.side):
            player.roll(match)
        else:
            player.act(match, choose.choice(sorted(set(state.position.actions()) - {"double"})))
        match = fresh(match)
    return match


def next_roll(match: Match, *rollers: Side) -> match_dice.ProvedRoll:
    """The next roll promised by the chains, from the deposits; only a test can know it."""
    secret = DiceSecret.objects.get(pk=match.pk)
    restored: MatchDice = match_dice.restore(match.dice)
    return restored.roll(
        match.pk,
        Chain(secret.length, bytes(secret.marks)),
        i=match.roll_index + 1,
        rollers=rollers or ("white", "black"),
    )


def script_result(match: Match) -> tuple[int | None, set[str]]:
    """The script's result for the transcript of a match with all its rolls."""
    match = fresh(match)
    transcript = transcript_of(match)
    assert [roll["i"] for roll in transcript["rolls"]] == list(range(1, match.roll_index + 1))
    return verdict(transcript)
