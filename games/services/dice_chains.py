"""The server's hash chains: one for each match, made before its row is locked, secret, reduced to a seed at its end."""

from __future__ import annotations

import os
import secrets
from collections import OrderedDict, deque
from collections.abc import Iterable
from threading import Lock

from django.conf import settings
from django.db.models import F

from games.dice.chain import SEED_BYTES, Chain
from games.dice.match_dice import MatchDice
from games.models import DiceSecret, Match, Seat

# Chains without a match yet: making one costs tens of milliseconds, and a start must not hold its lock that long.
_stock: deque[Chain] = deque()
os.register_at_fork(after_in_child=_stock.clear)  # or two processes would give two matches the same secret
MAX_CHAINS = 4096
"""The chains that a process keeps, of each the part that its next rolls need: half a KiB."""
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


def chain_of(match_id: str, index: int) -> Chain:
    """The part of a match's chain that has element `index`, or ends before it.

    It never changes, so each process reads it once, and again after 2,000 rolls; without marks it is made anew.
    """
    with _lock:
        if (chain := _chains.get(match_id)) is not None and chain.holds(index):
            _chains.move_to_end(match_id)
            return chain
    return _keep(DiceSecret.objects.get(pk=match_id), index)


def read(match_ids: Iterable[str]) -> None:
    """Read what the next rolls of these matches need of their chains, where this process knows none, in one query."""
    unknown = [match_id for match_id in match_ids if not is_read(match_id)]
    if unknown:
        for secret in DiceSecret.objects.filter(pk__in=unknown).annotate(rolled=F("match__roll_index")):
            _keep(secret, secret.rolled + 1)


def _keep(secret: DiceSecret, index: int) -> Chain:
    marks = bytes(secret.marks)
    chain = Chain(secret.length, marks) if marks else Chain.of(bytes(secret.seed), secret.length)
    part = chain.part(index)
    with _lock:
        _chains[secret.pk] = part
        _chains.move_to_end(secret.pk)
        if len(_chains) > MAX_CHAINS:
            _chains.popitem(last=False)
    return part


def is_known(match_id: str, index: int) -> bool:
    """Whether `chain_of` answers without the database."""
    chain = _chains.get(match_id)
    return chain is not None and chain.holds(index)


def is_read(match_id: str) -> bool:
    """Whether some part of this chain is known."""
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
