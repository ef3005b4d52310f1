"""Players of code at the services: they give for the dice what a browser gives, and play anything legal."""

from __future__ import annotations

import random
import runpy
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from accounts.models import User
from games import replay, services
from games.dice import hands, proof
from games.dice.chain import Chain
from games.dice.hands import Hands
from games.engine import Side
from games.events import state_of
from games.models import DiceSecret, Match
from games.selectors.dice import transcript_of

SCRIPT = Path(__file__).parents[3] / "docs/verify_dice.py"
VERIFY: dict[str, Any] = runpy.run_path(str(SCRIPT))


def verdict(told: Any) -> tuple[int | None, set[str]]:
    """The first wrong roll by the script of docs/ (None: all are right), and the seats that were held."""
    try:
        return None, VERIFY["check"](told)
    except VERIFY["Wrong"] as wrong:
        return int(wrong.args[0]), set()


class Player:
    """One seat. `silent` gives nothing for the dice; `forgets` is the roll from which on its secret is lost."""

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

    def hand(self, match: Match) -> int:
        return services.dice_hand(match_id=match.pk, user_id=self.user.pk, end=self.end, commit=self.commit)

    def reveal(self, match: Match) -> int:
        return services.dice_reveal(
            match_id=match.pk, user_id=self.user.pk, nonce=self.nonce.hex(), element=self.chain.element(1).hex()
        )

    def give(self, match: Match) -> None:
        """Whatever is to be given now, as a browser does by itself."""
        given, mine = hands.restore(match.dice), match.dice[self.side]
        if self.silent or mine["held"]:
            return
        if mine["end"] is None:
            self.hand(match)
        elif mine["nonce"] is None:
            if given.ready:
                self.reveal(match)
        elif state_of(match).opening and mine["deposit"] is None and (c := self.c(match)):
            services.dice_deposit(match_id=match.pk, user_id=self.user.pk, element=c)

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
    """Both hands, then both nonces."""
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


def next_roll(match: Match, *rollers: Side) -> hands.Thrown:
    """The roll that the chains promise next, from what has been put down: only a test can know it."""
    secret = DiceSecret.objects.get(pk=match.pk)
    given: Hands = hands.restore(match.dice)
    return given.throw(
        match.pk,
        Chain(secret.length, bytes(secret.marks)),
        i=match.roll_index + 1,
        rollers=rollers or ("white", "black"),
    )


def told(match: Match) -> tuple[int | None, set[str]]:
    """What the script says of the transcript of a match, whose rolls are all there and dense."""
    match = fresh(match)
    transcript = transcript_of(match)
    assert [roll["i"] for roll in transcript["rolls"]] == list(range(1, match.roll_index + 1))
    return verdict(transcript)
