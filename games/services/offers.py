"""An offer to play: its allowed terms and players, and withdrawing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accounts.models import User
from accounts.relationships.selectors import blocked_between
from games import bots, notify
from games.clocks import PRESETS
from games.engine import Rules
from games.errors import Refused
from games.models import Match
from games.registry import RULES

MAX_LENGTH = 99


def check_offer(
    players: Sequence[User], *, variant: str, length: int, clock: str, rated: bool, options: Mapping[str, Any]
) -> None:
    """Check that these players (one of an open game, else both) may play on these terms.

    Raises Refused: variant, length, clock, options, guest_rated, money_rated, house_rated, self_play, no_such_player,
    own_bot_rated, engine_*.
    """
    rules = RULES.get(variant)
    if rules is None:
        raise Refused("variant")
    shortest = 0 if rules.money else 1
    if type(length) is not int or not shortest <= length <= MAX_LENGTH:
        raise Refused("length", ruling="B13")
    if clock not in PRESETS or not PRESETS[clock].fits(rules.clock_kind(length)):
        raise Refused("clock")
    terms = rules.terms(length)
    if not all(key in terms and _chosen(value, terms[key].choices) for key, value in options.items()):
        raise Refused("options")
    if len({player.pk for player in players}) < len(players):
        raise Refused("self_play")
    if not all(player.is_active for player in players):
        raise Refused("no_such_player")
    if rated:
        _check_rated(players, rules, length, options)
    if any(player.is_house_bot for player in players) and (code := bots.why_unavailable(variant, options)):
        raise Refused(code)


def _chosen(value: object, choices: Sequence[object]) -> bool:
    """Whether a value is one of the choices, and of their type: true is not 1."""
    return any(type(value) is type(choice) and value == choice for choice in choices)


def _check_rated(players: Sequence[User], rules: Rules, length: int, options: Mapping[str, Any]) -> None:
    """A rated match is of an agreed length, by the club's own rules (rulings "Match clock", B16)."""
    check_rated_players(players)
    if not length:
        raise Refused("money_rated", ruling="B16")
    terms = rules.terms(length)
    if any(terms[key].is_house_rule(value) for key, value in options.items()):
        raise Refused("house_rated", ruling="H1")


def check_rated_players(players: Sequence[User]) -> None:
    """A rated match is between members and bots, but nobody plays their own bot, nor do two bots of one owner (R4, R6).

    Raises Refused: guest_rated, own_bot_rated.
    """
    if any(player.is_guest for player in players):
        raise Refused("guest_rated")
    owners = [player.owner_id or player.pk for player in players]
    if len(set(owners)) < len(owners):
        raise Refused("own_bot_rated", ruling="R6")


def check_not_blocked(user: User, other: User) -> None:
    """Check that the two may invite each other: no block stands between them. Raises Refused("apart").

    Matches that others arrange for them, in a tournament or a ladder, are not checked.
    """
    if blocked_between(user.pk, other.pk):
        raise Refused("apart")


def house_bot(strength: int) -> User | None:
    """The house bot of that strength, else any house bot; None where the site has none."""
    house = User.objects.filter(is_bot=True, owner=None, is_active=True).order_by("pk")
    return house.filter(bot_level=strength).first() or house.first()


def withdraw(match: Match) -> None:
    """Cancel this open match (its row is locked)."""
    match.status = Match.Status.CANCELLED
    match.save(update_fields=["status"])
    notify.lobby_changed()
