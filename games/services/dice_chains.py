"""The server's hash chains: one for each match, made before its row is locked, secret, reduced to a seed at its end."""

from __future__ import annotations

import os
import secrets
from collections import OrderedDict, deque
from collections.abc import Iterable
from threading import Lock

from django.conf import settings

from games.dice.chain import SEED_BYTES, Chain
from games.dice.match_dice import MatchDice
from games.models import DiceSecret, Match, Seat

# Chains without a match yet: making one costs tens of milliseconds, and a start must not hold its lock that long.
_stock: deque[Chain] = deque()
os.register_at_fork(after_in_child=_stock.clear)  # or two processes would give two matches the same secret
MAX_CHAINS = 1024
"""The chains that a process keeps, with 8 KiB each."""
_chains: OrderedDict[str, Chain] = OrderedDict()
_lock = Lock()


def prepare() -> None:
    """Make a chain in advance, unless one is ready. Call it before the transaction in which a match may begin."""
    if not _stock:
        _stock.append(_make_chain())


def begin(match: Match, seats: Iterable[Seat]) -> MatchDice:
    """Give a match its chain and publish the end of it; bots are held from the start, and never see a secret."""
    try:
        chain = _stock.popleft()
    except IndexError:
        chain = _make_chain()
    DiceSecret.objects.create(match=match, length=chain.length, seed=chain.marks[:SEED_BYTES], marks=chain.marks)
    match_dice = MatchDice(chain.element(0).hex())
    for seat in seats:
        if seat.user is not None and seat.user.is_bot:
            match_dice = match_dice.hold(seat.side)
    return match_dice


def chain_of(match_id: str) -> Chain:
    """The chain of a match. It never changes, so each process reads it once; without checkpoints it is made anew."""
    with _lock:
        if (chain := _chains.get(match_id)) is not None:
            _chains.move_to_end(match_id)
            return chain
    return _keep(DiceSecret.objects.get(pk=match_id))


def read(match_ids: Iterable[str]) -> None:
    """Read the chains of these matches that this process does not know, in one query."""
    unknown = [match_id for match_id in match_ids if not is_known(match_id)]
    if unknown:
        for secret in DiceSecret.objects.filter(pk__in=unknown):
            _keep(secret)


def _keep(secret: DiceSecret) -> Chain:
    marks = bytes(secret.marks)
    chain = Chain(secret.length, marks) if marks else Chain.of(bytes(secret.seed), secret.length)
    with _lock:
        _chains[secret.pk] = chain
        if len(_chains) > MAX_CHAINS:
            _chains.popitem(last=False)
    return chain


def is_known(match_id: str) -> bool:
    """Whether `chain_of` answers without the database."""
    return match_id in _chains


def forget() -> None:
    """Forget the chains that this process has read."""
    with _lock:
        _chains.clear()


def close(match: Match) -> None:
    """Delete the checkpoints of a match that is over: they are not needed any more, and the seed is small."""
    if match.dice is not None:
        DiceSecret.objects.filter(pk=match.pk).update(marks=b"")


def _make_chain() -> Chain:
    return Chain.of(secrets.token_bytes(SEED_BYTES), settings.DICE_ELEMENTS)
