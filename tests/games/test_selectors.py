"""What the lists of the pages hold."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import pytest

from accounts import services as people
from accounts.models import User
from games import services
from games.errors import NotFound
from games.models import Match
from games.selectors import lists
from games.services import Answer

pytestmark = pytest.mark.django_db


def offer(user: User, invited: User | None = None) -> Match:
    return services.match_create(
        creator=user, variant="backgammon", length=3, clock="none", rated=False, invited=invited
    )


def keys(rows: list[lists.Row]) -> list[str]:
    return [row.match.pk for row in rows]


def test_the_lobby_shows_everyone_what_concerns_him(ana: User, bea: User, carlos: User) -> None:
    seek, challenge = offer(ana), offer(ana, bea)
    mine, hers, his = lists.lobby(ana), lists.lobby(bea), lists.lobby(carlos)
    assert set(keys(mine.offered)) == {seek.pk, challenge.pk}
    assert keys(mine.seeks) == keys(mine.challenges) == []
    assert (keys(hers.challenges), keys(hers.seeks)) == ([challenge.pk], [seek.pk])
    assert (keys(his.challenges), keys(his.seeks)) == ([], [seek.pk])
    assert keys(lists.lobby(None).seeks) == [seek.pk]


def test_a_running_match_is_mine_or_one_to_watch(open_table: Callable[..., Match], ana: User, carlos: User) -> None:
    match = open_table()
    assert keys(lists.lobby(ana).running) == [match.pk]
    assert keys(lists.lobby(ana).live) == []
    assert keys(lists.lobby(carlos).live) == [match.pk]


def test_a_match_waits_for_both_at_the_opening_and_then_for_one(
    open_table: Callable[..., Match],
    act: Callable[..., Answer],
    thrown: deque[tuple[int, int]],
    ana: User,
    bea: User,
) -> None:
    match = open_table()
    assert lists.to_act(match) == {"white", "black"}
    act(match, ana, "roll")
    match.refresh_from_db()
    assert lists.to_act(match) == {"black"}
    thrown.append((3, 1))
    act(match, bea, "roll")
    match.refresh_from_db()
    assert lists.to_act(match) == {"white"}
    assert lists.lobby(ana).running[0].my_turn
    assert not lists.lobby(bea).running[0].my_turn


def test_a_challenge_is_hidden_from_others(ana: User, bea: User, carlos: User) -> None:
    challenge = offer(ana, bea)
    assert lists.match_seen(match_id=challenge.pk, user=bea) == challenge
    for stranger in (carlos, None):
        with pytest.raises(NotFound):
            lists.match_seen(match_id=challenge.pk, user=stranger)


def test_the_players_list_counts_finished_matches_and_hides_guests(
    open_table: Callable[..., Match], act: Callable[..., Answer], ana: User, bea: User
) -> None:
    people.guest_create()
    act(open_table(), bea, "resign match")
    open_table()
    assert [(user.username, user.played) for user in lists.players()] == [("ana", 1), ("bea", 1)]


def test_totals_count_finished_matches(
    open_table: Callable[..., Match], act: Callable[..., Answer], ana: User, bea: User, carlos: User
) -> None:
    act(open_table(), bea, "resign match")
    mine, hers = lists.totals(ana), lists.totals(bea)
    assert (mine.played, mine.won, mine.lost, mine.share) == (1, 1, 0, 100)
    assert (hers.played, hers.won, hers.lost, hers.share) == (1, 0, 1, 0)
    assert lists.totals(carlos).share is None
