"""The cells of crosstables, and large tables whose rounds are loaded on request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.tournaments.staging import staged
from tests.tournaments.test_pages import words
from tournaments import services
from tournaments.models import Tournament
from tournaments.selectors import tournament_page
from tournaments.selectors.crosstables import Cell, CrosstableEntry
from tournaments.selectors.sections import SectionView
from tournaments.services.transaction import load_state

pytestmark = pytest.mark.django_db


def part_of(tournament: Tournament, *asked: str) -> SectionView:
    return tournament_page.tournament_page(tournament_id=tournament.pk, user=None, requested=asked).sections[0]


def rows(part: SectionView) -> dict[str, list[tuple[str, str, str]]]:
    """The cells of each player: the opponent's row with the sign of the result, the text below, the state."""
    return {line.name: [cell_texts(cell) for cell in line.cells] for line in part.standings}


def cell_texts(cell: Cell) -> tuple[str, str, str]:
    assert cell is not None
    (entry,) = cell
    return entry.opponent, entry.text, entry.state


def spoken_row(part: SectionView, name: str) -> list[str]:
    """The texts for screen readers of a player's row."""
    line = next(line for line in part.standings if line.name == name)
    return [entry.words for cell in line.cells if cell is not None for entry in cell]


def enter(tournament: Tournament, dora: User, key: str, winner: int, **outcome: Any) -> None:
    services.result_enter(tournament_id=tournament.pk, user=dora, key=key, winner=winner, **outcome)


def test_a_swiss_crosstable_shows_the_opponent_and_result_of_each_round(
    ana: User, bea: User, carlos: User, dora: User
) -> None:
    tournament = staged("swiss", 5, people=(ana, bea, carlos), online=3, venue="board", rounds=3)
    keys = {pairing.key: pairing.entrants for pairing in load_state(tournament).pairings}
    assert keys == {"swiss-1-1": (1, 3), "swiss-1-2": (2, 4), "swiss-1-3": (5,)}
    enter(tournament, dora, "swiss-1-1", 1, points=(7, 3))
    enter(tournament, dora, "swiss-1-2", 2, how="walkover")
    part = part_of(tournament)
    assert part.crosstable_heads == (("1", "Round 1"), ("2", "Round 2"))
    assert [line.name for line in part.standings] == ["Walk-in 1", "bea", "Walk-in 2", "ana", "carlos"]
    assert rows(part) == {
        "Walk-in 1": [("−2", "w.o.", "lost"), ("", "bye", "bye")],
        "bea": [("+1", "w.o.", "won"), ("4", "", "open")],
        "Walk-in 2": [("", "bye", "bye"), ("5", "", "open")],
        "ana": [("+5", "7–3", "won"), ("2", "", "open")],
        "carlos": [("−4", "3–7", "lost"), ("3", "", "open")],
    }
    assert spoken_row(part, "ana") == ["won against carlos, 7–3", "against bea, to be played"]
    assert spoken_row(part, "Walk-in 1") == ["lost to bea, walkover", "bye"]


def test_a_withdrawn_player_is_not_paired_in_later_rounds(ana: User, bea: User, dora: User) -> None:
    tournament = staged("swiss", 4, people=(ana, bea), online=2, venue="board", rounds=3)
    services.entrant_withdraw(tournament_id=tournament.pk, user=dora, number=2)
    enter(tournament, dora, "swiss-1-1", 1, points=(7, 0))
    part = part_of(tournament)
    assert rows(part)["bea"][1:] == [("", "", "none")]
    assert spoken_row(part, "bea") == ["lost to Walk-in 2, withdrew", "not paired"]


def test_the_crosstable_has_headings_and_full_texts(ana: User, client: Client) -> None:
    tournament = staged("swiss", 4, people=(ana,), online=1, venue="board", rounds=2, played=0.5)
    page = client.get(reverse("tournament", args=[tournament.pk]), headers={"accept-language": "en"}).content.decode()
    grid = page[page.index('id="round-grid-swiss"') : page.index('<div class="rounds')]
    assert grid.count('<th scope="col"') == 4
    assert grid.count('<th scope="row"') == 4
    assert 'href="#swiss-1-1"' in grid
    assert "+2 7–4 won against Walk-in 2, 7–4" in words(grid)


def test_a_crosstable_has_a_text_for_screen_readers(ana: User, bea: User) -> None:
    part = part_of(staged("round-robin", 3, people=(ana, bea), online=2, venue="board", played=1))
    assert [head for head, _name in part.crosstable_heads] == ["1", "2", "3"]
    assert spoken_row(part, "ana") == ["won against bea, 7–3", "won against Walk-in 1, 7–4"]
    assert part.standings[0].cells[1] == (
        CrosstableEntry("won", "won against bea, 7–3", text="7–3", href="#league-2-1"),
    )


# Large tables


def test_a_round_robin_of_128_shows_the_current_rounds_and_defers_the_others(
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
    assert (len(part.crosstable_heads), part.has_separate_crosstable) == (128, True)
    hrefs = [entry.href for cell in part.standings[0].cells if cell is not None for entry in cell]
    assert (len(hrefs), sum(href.startswith("?round=league-") for href in hrefs)) == (127, 125)


def test_a_player_with_many_matches_sees_the_next_ones(ana: User) -> None:
    tournament = staged("round-robin", 12, people=(ana,), venue="board", online=1)
    viewer_entry = tournament_page.tournament_page(tournament_id=tournament.pk, user=ana).viewer_entry
    assert viewer_entry is not None
    assert [(match.round, match.action) for match in viewer_entry.next_matches] == [
        ("Round 1", "report"),
        ("Round 2", ""),
        ("Round 3", ""),
        ("Round 4", ""),
    ]
    assert viewer_entry.more_matches == 7
