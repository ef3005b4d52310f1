"""The dice of the site, of a player and of a match: the same numbers, counted once and summed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from django.core.cache import cache
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from accounts.models import User
from games import chance, services
from games.facts import Counted
from games.models import Match, RollCount
from games.selectors import rolls
from games.services import Answer
from games.services.statistics import rolls_add
from games.templatetags.charts import cases
from tests.games.finished import keep, sample

pytestmark = pytest.mark.django_db


@pytest.fixture
def counted(ana: User, bea: User) -> Match:
    """The file m11, counted: 112 rolls by ana (White), 111 by bea."""
    match = keep(sample("m11.mat"), ana, bea)
    services.facts_make(match_id=match.pk)
    return match


def queries(client: Client, url: str) -> int:
    with CaptureQueriesContext(connection) as caught:
        assert client.get(url).status_code == 200
    return len(caught)


# The numbers


def test_the_dice_of_a_match_are_those_of_its_players(counted: Match, ana: User, bea: User) -> None:
    found = rolls.of_match(counted)
    assert (found.sides["white"].rolls, found.sides["black"].rolls, found.both.rolls) == (112, 111, 223)
    white, black = found.sides["white"], found.sides["black"]
    assert white.bar is not None
    assert black.bar is not None
    assert (white.bar_rolls, white.bar.found, round(white.bar.expected, 3)) == (13, 12, 12.472)
    assert (black.bar_rolls, black.bar.found) == (7, 6)
    assert found.both.bar is not None
    assert (found.both.bar_rolls, found.both.bar.found) == (20, 18)
    both = Counter({dice: int(white.found[dice].found + black.found[dice].found) for dice in chance.DICE})
    assert {dice: value.found for dice, value in found.both.found.items()} == both


def test_the_site_is_the_sum_of_all_players(counted: Match, ana: User, bea: User) -> None:
    services.facts_make(match_id=keep(sample("m10.mat"), bea, ana).pk)
    found = rolls.of_site()
    assert (found.matches, found.dice.rolls, found.variants) == (2, 223 + 57, ["backgammon"])
    assert found.dice.bar is not None
    assert (found.dice.bar_rolls, found.dice.bar.found) == (28, 26)
    assert sum(value.found for value in found.dice.found.values()) == sum(
        RollCount.objects.values_list("count", flat=True)
    )


def test_the_site_is_shown_by_game_and_whole_for_a_game_without_dice(
    counted: Match, open_table: Callable[..., Match], act: Callable[..., Answer], ana: User, bea: User
) -> None:
    match = open_table(variant="nackgammon")
    act(match, bea, "resign match")
    services.facts_make(match_id=match.pk)
    rolls_add({(ana.pk, "nackgammon", "live", 31): 40})
    said = {variant: rolls.of_site(variant) for variant in ("backgammon", "nackgammon", "damas", "")}
    assert [(found.matches, found.dice.rolls) for found in said.values()] == [(1, 223), (1, 40), (2, 263), (2, 263)]
    assert said[""].variants == ["backgammon", "nackgammon"]


def test_the_sums_of_the_site_stand_for_five_minutes(counted: Match, ana: User, bea: User) -> None:
    before = rolls.of_site()
    services.facts_make(match_id=keep(sample("m10.mat"), bea, ana).pk)
    with CaptureQueriesContext(connection) as caught:
        assert rolls.of_site() == before
    assert len(caught) == 0


def test_an_empty_site_has_no_dice(client: Client) -> None:
    assert rolls.of_site() == rolls.OfSite(0, rolls.Dice(), [])
    assert "There is nothing to count yet" in client.get("/dice/", headers={"accept-language": "en"}).content.decode()


def test_few_rolls_have_no_p_value_and_some_have_one_with_a_warning() -> None:
    def words(count: int) -> str:
        with override("en"):
            return render_to_string("games/_dice_report.html", {"dice": rolls.report({31: count}, Counted())})

    said = {count: words(count) for count in (41, 42, 199, 200)}
    assert ["Too few rolls" in said[count] for count in said] == [True, False, False, False]
    assert ["series of the same length" in said[count] for count in said] == [False, True, True, True]
    assert ["prove little" in said[count] for count in said] == [False, True, True, False]


@pytest.mark.parametrize(
    ("p", "words"),
    [
        (1.0, "100 of 100"),
        (0.374, "37 of 100"),
        (0.02, "2 of 100"),
        (0.0199, "20 of 1000"),
        (0.001, "1 of 1000"),
        (0.0009, "less than one of 1000"),
    ],
)
def test_a_chance_is_said_in_cases(p: float, words: str) -> None:
    with override("en"):
        assert cases(p) == words


# The pages


def test_the_page_of_a_match_has_both_players_and_leads_back(counted: Match, client: Client) -> None:
    page = client.get(f"/match/{counted.pk}/dice/", headers={"accept-language": "en"}).content.decode()
    assert f'href="/match/{counted.pk}/"' in page
    assert [f"{count} rolls" in page for count in (112, 111, 223)] == [True, True, True]
    assert "12 of 13" in page
    assert " style=" not in page


def test_a_match_that_goes_on_leads_back_and_one_out_of_a_file_has_no_dice_of_ours(
    open_table: Callable[..., Match], counted: Match, client: Client
) -> None:
    running = open_table()
    assert client.get(f"/match/{running.pk}/dice/").headers["Location"] == f"/match/{running.pk}/"
    Match.objects.filter(pk=counted.pk).update(source="mat")
    assert client.get(f"/match/{counted.pk}/dice/").status_code == 404
    assert client.get("/match/nowhere/dice/").status_code == 404


def test_a_match_without_a_roll_says_so(
    open_table: Callable[..., Match], act: Callable[..., Answer], bea: User, client: Client
) -> None:
    match = open_table()
    act(match, bea, "resign match")
    page = client.get(f"/match/{match.pk}/dice/", headers={"accept-language": "en"}).content.decode()
    assert "There is nothing to count: no roll was made after the opening." in page


def test_the_page_of_a_finished_match_leads_to_its_dice_where_there_are_any(
    open_table: Callable[..., Match], act: Callable[..., Answer], bea: User, client: Client
) -> None:
    match, damas = open_table(), open_table(variant="damas", length=1, clock="none", rated=False)
    for each in (match, damas):
        act(each, bea, "resign match")
    assert f'href="/match/{match.pk}/dice/"' in client.get(f"/match/{match.pk}/").content.decode()
    assert f"/match/{damas.pk}/dice/" not in client.get(f"/match/{damas.pk}/").content.decode()


def test_the_site_is_read_in_both_languages_with_numbers_as_they_are_written_there(
    counted: Match, ana: User, client: Client
) -> None:
    rolls_add({(ana.pk, "backgammon", "live", 31): 20_000})
    said = {code: client.get("/dice/", headers={"accept-language": code}).content.decode() for code in ("en", "es")}
    assert "less than one of 1000" in said["en"]
    assert "20,223" in said["en"]
    assert "20\xa0223" in said["es"]
    assert " style=" not in said["en"]


def test_the_same_queries_for_one_match_and_for_three(counted: Match, ana: User, bea: User, client: Client) -> None:
    urls = ("/dice/", f"/match/{counted.pk}/dice/")
    first = [queries(client, url) for url in urls]
    for name in ("m10.mat", "m14.mat"):
        services.facts_make(match_id=keep(sample(name), bea, ana).pk)
    cache.clear()
    assert [queries(client, url) for url in urls] == first
    assert max(first) <= 8, first
