"""The selectors behind the lists of the pages."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import pytest

from accounts.models import User
from accounts.users import services as user_services
from games import services
from games.errors import NotFound
from games.models import Match
from games.selectors.lobby import lobby
from games.selectors.match_rows import MatchRow, sides_to_act
from games.selectors.matches import visible_match
from games.selectors.players import player_totals, players
from games.services import Answer

pytestmark = pytest.mark.django_db


def offer(user: User, invited: User | None = None) -> Match:
    return services.match_create(
        creator=user, variant="backgammon", length=3, clock="none", rated=False, invited=invited
    )


def keys(rows: list[MatchRow]) -> list[str]:
    return [row.match.pk for row in rows]


def test_the_lobby_shows_each_user_what_concerns_them(ana: User, bea: User, carlos: User) -> None:
    seek, challenge = offer(ana), offer(ana, bea)
    ana_view, bea_view, carlos_view = lobby(ana), lobby(bea), lobby(carlos)
    assert set(keys(ana_view.offered)) == {seek.pk, challenge.pk}
    assert keys(ana_view.seeks) == keys(ana_view.challenges) == []
    assert (keys(bea_view.challenges), keys(bea_view.seeks)) == ([challenge.pk], [seek.pk])
    assert (keys(carlos_view.challenges), keys(carlos_view.seeks)) == ([], [seek.pk])
    assert keys(lobby(None).seeks) == [seek.pk]


def test_a_running_match_is_mine_or_one_to_watch(open_table: Callable[..., Match], ana: User, carlos: User) -> None:
    match = open_table()
    assert keys(lobby(ana).running) == [match.pk]
    assert keys(lobby(ana).live) == []
    assert keys(lobby(carlos).live) == [match.pk]


def test_a_match_waits_for_both_at_the_opening_and_then_for_one(
    open_table: Callable[..., Match],
    act: Callable[..., Answer],
    next_rolls: deque[tuple[int, int]],
    ana: User,
    bea: User,
) -> None:
    match = open_table()
    assert sides_to_act(match) == {"white", "black"}
    act(match, ana, "roll")
    match.refresh_from_db()
    assert sides_to_act(match) == {"black"}
    next_rolls.append((3, 1))
    act(match, bea, "roll")
    match.refresh_from_db()
    assert sides_to_act(match) == {"white"}
    assert lobby(ana).running[0].my_turn
    assert not lobby(bea).running[0].my_turn


def test_a_challenge_is_hidden_from_others(ana: User, bea: User, carlos: User) -> None:
    challenge = offer(ana, bea)
    assert visible_match(match_id=challenge.pk, user=bea) == challenge
    for stranger in (carlos, None):
        with pytest.raises(NotFound):
            visible_match(match_id=challenge.pk, user=stranger)


def test_the_players_list_counts_finished_matches_and_hides_guests(
    open_table: Callable[..., Match], act: Callable[..., Answer], ana: User, bea: User
) -> None:
    user_services.guest_create()
    act(open_table(), bea, "resign match")
    open_table()
    assert [(user.username, user.played) for user in players()] == [("ana", 1), ("bea", 1)]


def test_totals_count_finished_matches(
    open_table: Callable[..., Match], act: Callable[..., Answer], ana: User, bea: User, carlos: User
) -> None:
    act(open_table(), bea, "resign match")
    ana_totals, bea_totals = player_totals(ana), player_totals(bea)
    assert (ana_totals.played, ana_totals.won, ana_totals.lost, ana_totals.share) == (1, 1, 0, 100)
    assert (bea_totals.played, bea_totals.won, bea_totals.lost, bea_totals.share) == (1, 0, 1, 0)
    assert player_totals(carlos).share is None
