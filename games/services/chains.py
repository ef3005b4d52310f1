"""The server's chains: one for each match, made before its row is locked, kept secret, forgotten when it is over."""

from __future__ import annotations

import os
import secrets
from collections import deque
from collections.abc import Iterable
from functools import lru_cache

from django.conf import settings

from games.dice.chain import SEED_BYTES, Chain
from games.dice.hands import Hands
from games.models import DiceSecret, Match, Seat

# Chains that no match has yet: making one costs tens of milliseconds, and a start must not hold its lock that long.
_stock: deque[Chain] = deque()
os.register_at_fork(after_in_child=_stock.clear)  # or two processes would give two matches the same secret


def prepare() -> None:
    """Have a chain ready, unless one is. Call it before the transaction in which a match may begin."""
    if not _stock:
        _stock.append(_made())


def begin(match: Match, seats: Iterable[Seat]) -> Hands:
    """Give a match its chain and publish the end of it; bots are held from the start, and never see a secret."""
    try:
        chain = _stock.popleft()
    except IndexError:
        chain = _made()
    DiceSecret.objects.create(match=match, length=chain.length, seed=chain.marks[:SEED_BYTES], marks=chain.marks)
    hands = Hands(chain.element(0).hex())
    for seat in seats:
        if seat.user is not None and seat.user.is_bot:
            hands = hands.hold(seat.side)  # type: ignore[arg-type]
    return hands


@lru_cache(maxsize=1024)  # 8 KiB each
def of(match_id: str) -> Chain:
    """The chain of a match. It never changes, so each process reads it once; without checkpoints it is made anew."""
    secret = DiceSecret.objects.get(pk=match_id)
    marks = bytes(secret.marks)
    return Chain(secret.length, marks) if marks else Chain.of(bytes(secret.seed), secret.length)


def close(match: Match) -> None:
    """The match is over: its checkpoints are not needed any more, and the seed is small."""
    if match.dice is not None:
        DiceSecret.objects.filter(pk=match.pk).update(marks=b"")


def _made() -> Chain:
    return Chain.of(secrets.token_bytes(SEED_BYTES), settings.DICE_ELEMENTS)
