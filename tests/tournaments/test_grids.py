"""Who met whom: the cells of a grid, and large tables whose parts are fetched when somebody wants them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.tournaments.stage import staged
from tests.tournaments.test_pages import words
from tournaments import services
from tournaments.models import Tournament
from tournaments.selectors import pages
from tournaments.selectors.grids import Cell, Played
from tournaments.selectors.parts import Part

pytestmark = pytest.mark.django_db


def part_of(tournament: Tournament, *asked: str) -> Part:
    return pages.page(tournament_id=tournament.pk, user=None, asked=asked).parts[0]


def rows(part: Part) -> dict[str, list[tuple[str, str, str]]]:
    """The cells of each player: the row of his rival with the sign of the result, what stands below, the state."""
    return {line.name: [told(cell) for cell in line.cells] for line in part.lines}


def told(cell: Cell) -> tuple[str, str, str]:
    assert cell is not None
    (one,) = cell
    return one.rival, one.text, one.state


def said(part: Part, name: str) -> list[str]:
    """What a player's row says to those who listen."""
    line = next(line for line in part.lines if line.name == name)
    return [one.words for cell in line.cells if cell is not None for one in cell]


def enter(tournament: Tournament, dora: User, key: str, winner: int, **how: Any) -> None:
    services.result_enter(tournament_id=tournament.pk, user=dora, key=key, winner=winner, **how)


def test_a_swiss_grid_says_in_each_round_whom_one_met_and_how_it_ended(
    ana: User, bea: User, carlos: User, dora: User
) -> None:
    tournament = staged("swiss", 5, people=(ana, bea, carlos), online=3, venue="board", rounds=3)
    keys = {one.key: one.entrants for one in services.desk.state_of(tournament).pairings}
    assert keys == {"swiss-1-1": (1, 3), "swiss-1-2": (2, 4), "swiss-1-3": (5,)}
    enter(tournament, dora, "swiss-1-1", 1, points=(7, 3))
    enter(tournament, dora, "swiss-1-2", 2, how="walkover")
    part = part_of(tournament)
    assert part.grid == (("1", "Round 1"), ("2", "Round 2"))
    assert [line.name for line in part.lines] == ["Walk-in 1", "bea", "Walk-in 2", "ana", "carlos"]
    assert rows(part) == {
        "Walk-in 1": [("−2", "w.o.", "lost"), ("", "bye", "bye")],
        "bea": [("+1", "w.o.", "won"), ("4", "", "open")],
        "Walk-in 2": [("", "bye", "bye"), ("5", "", "open")],
        "ana": [("+5", "7–3", "won"), ("2", "", "open")],
        "carlos": [("−4", "3–7", "lost"), ("3", "", "open")],
    }
    assert said(part, "ana") == ["won against carlos, 7–3", "against bea, to be played"]
    assert said(part, "Walk-in 1") == ["lost to bea, walkover", "bye"]


def test_who_left_is_not_paired_in_the_rounds_after(ana: User, bea: User, dora: User) -> None:
    tournament = staged("swiss", 4, people=(ana, bea), online=2, venue="board", rounds=3)
    services.entrant_withdraw(tournament_id=tournament.pk, user=dora, number=2)
    enter(tournament, dora, "swiss-1-1", 1, points=(7, 0))
    part = part_of(tournament)
    assert rows(part)["bea"][1:] == [("", "", "none")]
    assert said(part, "bea") == ["lost to Walk-in 2, withdrew", "not paired"]


def test_the_grid_is_a_table_with_heads_and_full_words(ana: User, client: Client) -> None:
    tournament = staged("swiss", 4, people=(ana,), online=1, venue="board", rounds=2, played=0.5)
    page = client.get(reverse("tournament", args=[tournament.pk]), headers={"accept-language": "en"}).content.decode()
    grid = page[page.index('id="round-grid-swiss"') : page.index('<div class="rounds')]
    assert grid.count('<th scope="col"') == 4
    assert grid.count('<th scope="row"') == 4
    assert 'href="#swiss-1-1"' in grid
    assert "+2 7–4 won against Walk-in 2, 7–4" in words(grid)


def test_a_cross_table_says_it_in_words_too(ana: User, bea: User) -> None:
    part = part_of(staged("round-robin", 3, people=(ana, bea), online=2, venue="board", played=1))
    assert [head for head, _name in part.grid] == ["1", "2", "3"]
    assert said(part, "ana") == ["won against bea, 7–3", "won against Walk-in 1, 7–4"]
    assert part.lines[0].cells[1] == (Played("won", "won against bea, 7–3", text="7–3", href="#league-2-1"),)


# Large tables


def test_128_who_all_meet_show_the_rounds_in_play_and_fetch_the_others(
    ana: User, client: Client, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    tournament = staged("round-robin", 128, people=(ana,), venue="board", online=1)
    url = reverse("tournament", args=[tournament.pk])
    with django_assert_max_num_queries(12):
        page = client.get(url).content.decode()
    assert page.count('<li class="pairing') == 128
    assert page.count('class="later"') == 126  # all rounds but two, and the grid
    assert 'id="round-grid-league"' not in page
    with django_assert_max_num_queries(12):
        asked = client.get(url, {"round": "league-77"}).content.decode()
    assert asked.count('<li class="pairing') == 192
    assert 'id="league-77-64"' in asked
    part = part_of(tournament, "grid-league")
    assert (len(part.grid), part.grid_apart) == (128, True)
    hrefs = [one.href for cell in part.lines[0].cells if cell is not None for one in cell]
    assert (len(hrefs), sum(href.startswith("?round=league-") for href in hrefs)) == (127, 125)


def test_who_has_many_matches_ahead_sees_the_next_ones(ana: User) -> None:
    tournament = staged("round-robin", 12, people=(ana,), venue="board", online=1)
    mine = pages.page(tournament_id=tournament.pk, user=ana).mine
    assert mine is not None
    assert [(one.round, one.act) for one in mine.next] == [
        ("Round 1", "report"),
        ("Round 2", ""),
        ("Round 3", ""),
        ("Round 4", ""),
    ]
    assert mine.later == 7
