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
from games import dice_statistics, services
from games.match_facts import Counts
from games.models import Match, RollCount
from games.selectors import dice_reports
from games.services import Answer
from games.services.statistics import rolls_add
from games.templatetags.charts import cases
from tests.games.finished_matches import keep, sample

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
    found = dice_reports.match_dice(counted)
    assert (found.sides["white"].rolls, found.sides["black"].rolls, found.both.rolls) == (112, 111, 223)
    white, black = found.sides["white"], found.sides["black"]
    assert white.bar is not None
    assert black.bar is not None
    assert (white.bar_rolls, white.bar.found, round(white.bar.expected, 3)) == (13, 12, 12.472)
    assert (black.bar_rolls, black.bar.found) == (7, 6)
    assert found.both.bar is not None
    assert (found.both.bar_rolls, found.both.bar.found) == (20, 18)
    both = Counter({dice: int(white.found[dice].found + black.found[dice].found) for dice in dice_statistics.DICE})
    assert {dice: value.found for dice, value in found.both.found.items()} == both


def test_the_site_totals_are_the_sum_of_all_players(counted: Match, ana: User, bea: User) -> None:
    services.facts_make(match_id=keep(sample("m10.mat"), bea, ana).pk)
    found = dice_reports.site_dice()
    assert (found.matches, found.dice.rolls, found.variants) == (2, 223 + 57, ["backgammon"])
    assert found.dice.bar is not None
    assert (found.dice.bar_rolls, found.dice.bar.found) == (28, 26)
    assert sum(value.found for value in found.dice.found.values()) == sum(
        RollCount.objects.values_list("count", flat=True)
    )


def test_the_site_totals_are_shown_by_game(
    counted: Match, open_table: Callable[..., Match], act: Callable[..., Answer], ana: User, bea: User
) -> None:
    match = open_table(variant="nackgammon")
    act(match, bea, "resign match")
    services.facts_make(match_id=match.pk)
    rolls_add({(ana.pk, "nackgammon", "live", 31): 40})
    found_reports = {variant: dice_reports.site_dice(variant) for variant in ("backgammon", "nackgammon", "damas", "")}
    assert [(found.matches, found.dice.rolls) for found in found_reports.values()] == [
        (1, 223),
        (1, 40),
        (2, 263),
        (2, 263),
    ]
    assert found_reports[""].variants == ["backgammon", "nackgammon"]


def test_the_site_totals_are_cached_for_five_minutes(counted: Match, ana: User, bea: User) -> None:
    before = dice_reports.site_dice()
    services.facts_make(match_id=keep(sample("m10.mat"), bea, ana).pk)
    with CaptureQueriesContext(connection) as caught:
        assert dice_reports.site_dice() == before
    assert len(caught) == 0


def test_an_empty_site_has_no_dice(client: Client) -> None:
    assert dice_reports.site_dice() == dice_reports.SiteDice(0, dice_reports.DiceReport(), [])
    assert "No finished matches yet" in client.get("/dice/", headers={"accept-language": "en"}).content.decode()


def test_few_rolls_have_no_p_value_and_some_have_one_with_a_warning() -> None:
    def report_text(count: int) -> str:
        with override("en"):
            return render_to_string(
                "games/_dice_report.html", {"dice": dice_reports.dice_report({31: count}, Counts())}
            )

    found_reports = {count: report_text(count) for count in (41, 42, 199, 200)}
    assert ["too few rolls" in found_reports[count] for count in found_reports] == [True, False, False, False]
    assert ["series of the same length" in found_reports[count] for count in found_reports] == [False, True, True, True]
    assert ["proves little" in found_reports[count] for count in found_reports] == [False, True, True, False]


@pytest.mark.parametrize(
    ("p", "report_text"),
    [
        (1.0, "100 of 100"),
        (0.374, "37 of 100"),
        (0.02, "2 of 100"),
        (0.0199, "20 of 1000"),
        (0.001, "1 of 1000"),
        (0.0009, "fewer than 1 in 1000"),
    ],
)
def test_a_probability_is_shown_as_cases(p: float, report_text: str) -> None:
    with override("en"):
        assert cases(p) == report_text


# The pages


def test_the_page_of_a_match_has_both_players_and_links_back(counted: Match, client: Client) -> None:
    page = client.get(f"/match/{counted.pk}/dice/", headers={"accept-language": "en"}).content.decode()
    assert f'href="/match/{counted.pk}/"' in page
    assert [f"{count} rolls" in page for count in (112, 111, 223)] == [True, True, True]
    assert "12 of 13" in page
    assert " style=" not in page


def test_a_running_match_links_back_and_an_imported_one_has_no_dice_statistics(
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
    assert "Nothing to show: there were no rolls after the opening." in page


def test_the_page_of_a_finished_match_links_to_its_dice(
    open_table: Callable[..., Match], act: Callable[..., Answer], bea: User, client: Client
) -> None:
    match, damas = open_table(), open_table(variant="damas", length=1, clock="none", rated=False)
    for each in (match, damas):
        act(each, bea, "resign match")
    assert f'href="/match/{match.pk}/dice/"' in client.get(f"/match/{match.pk}/").content.decode()
    assert f"/match/{damas.pk}/dice/" not in client.get(f"/match/{damas.pk}/").content.decode()


def test_the_site_page_is_localized_in_both_languages(counted: Match, ana: User, client: Client) -> None:
    rolls_add({(ana.pk, "backgammon", "live", 31): 20_000})
    found_reports = {
        code: client.get("/dice/", headers={"accept-language": code}).content.decode() for code in ("en", "es")
    }
    assert "fewer than 1 in 1000" in found_reports["en"]
    assert "20,223" in found_reports["en"]
    assert "20\xa0223" in found_reports["es"]
    assert " style=" not in found_reports["en"]


def test_the_same_queries_for_one_match_and_for_three(counted: Match, ana: User, bea: User, client: Client) -> None:
    urls = ("/dice/", f"/match/{counted.pk}/dice/")
    first = [queries(client, url) for url in urls]
    for name in ("m10.mat", "m14.mat"):
        services.facts_make(match_id=keep(sample(name), bea, ana).pk)
    cache.clear()
    assert [queries(client, url) for url in urls] == first
    assert max(first) <= 8, first
