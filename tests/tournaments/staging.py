"""Tournaments for tests of pages: any format and number of players, with any share of results, in one transaction."""

from __future__ import annotations

from itertools import count
from typing import Any

from django.db import transaction

from accounts.models import User
from games.database import now
from tournaments import draw, services
from tournaments.formats.core import Config, Pairing
from tournaments.models import Entrant, Tournament
from tournaments.services.transaction import TournamentTransaction
from tournaments.terms import Terms

CAST = ("ana", "bea", "carlos", "dora")
_serial = count(1)


def terms_of(format_: str, **more: Any) -> Terms:
    """The terms of a tournament; names of `Config` go to its config."""
    shape = {name: more.pop(name) for name in tuple(more) if name in Config.__dataclass_fields__}
    return Terms(Config(format_, **shape), **{"rated": False, **more})


def staged(
    format_: str,
    players: int,
    *,
    played: float = 0.0,
    people: tuple[User, ...] = (),
    drawn: bool = True,
    online: int | None = None,
    **more: Any,
) -> Tournament:
    """A running tournament that dora directs (`drawn=False`: still open for entries).

    `people` enter first, then members by name up to `online` of all players (None: all), the others without an account.
    `played` is the share of pairings with a result: the one drawn higher wins.
    """
    director, _made = User.objects.get_or_create(username="dora", defaults={"name_key": "dora"})
    tournament = services.tournament_create(
        creator=director, name="Weekly club tournament", terms=terms_of(format_, **more)
    )
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament.pk)
        for number, player in enumerate(_players(players, people, online), 1):
            user, name = (player, "") if isinstance(player, User) else (None, player)
            tx.entrants[number] = Entrant.objects.create(
                tournament=tx.tournament,
                number=number,
                user=user,
                written_name=name,
                nonce=draw.HELD,
                entered_at=now(),
            )
            tx.record("registered", None, entrant=number, name=tx.entrants[number].name)
        if drawn:
            tx.record("drawn", None, order=list(tx.entrants), document=None)
            tx.record("started", None)
            tx.advance()
            _play(tx, played)
        tx.commit()
    tournament.refresh_from_db()
    return tournament


def _players(players: int, people: tuple[User, ...], online: int | None) -> list[User | str]:
    more = players - len(people)
    accounts = more if online is None else max(0, online - len(people))
    run = next(_serial)
    names = [f"player.{run}.{n}" for n in range(accounts)]
    made = User.objects.bulk_create([User(username=name, name_key=name, password="!") for name in names])
    return [*people, *made, *(f"Walk-in {n + 1}" for n in range(more - accounts))]


def _play(tx: TournamentTransaction, share: float) -> None:
    done = 0
    while True:
        pairings = tx.state.pairings
        ready = [pairing for pairing in pairings if pairing.state == "ready"]
        if not ready or done >= share * len(pairings):
            return
        for pairing in ready:
            if done >= share * len(pairings):
                break
            _result(tx, pairing)
            done += 1
        tx.advance()


def _result(tx: TournamentTransaction, pairing: Pairing) -> None:
    order = tx.state.order
    a, b = pairing.entrants
    length = tx.state.rules.length(pairing.section, pairing.round)
    first = order.index(a) < order.index(b)
    lost = (a + b) % length
    points = [length, lost] if first else [lost, length]
    tx.record("result", None, key=pairing.key, winner=a if first else b, points=points, how="played")
