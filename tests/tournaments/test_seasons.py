"""Seasons and master points: they follow the tournaments of a club, with corrections."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from accounts.clubs import services as clubs
from accounts.models import Club, Membership, User
from accounts.users import services as people
from tests.tournaments.staging import staged
from tournaments import services
from tournaments.errors import Refused
from tournaments.models import Placing, Season, Tournament
from tournaments.seasons import SeasonTerms
from tournaments.selectors import seasons
from tournaments.services.results_sync import tournament_sync_results
from tournaments.services.seasons import season_remove, season_save

pytestmark = pytest.mark.django_db

AUTUMN = (date(2026, 9, 1), date(2026, 11, 30))
TERMS = SeasonTerms(points=(10, 6), presence=1)


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    with override("en"):
        yield


@pytest.fixture
def club() -> Club:
    return clubs.default_club_ensure()


@pytest.fixture
def director(club: Club, dora: User) -> User:
    """dora directs the club."""
    Membership.objects.create(club=club, user=dora, role=Membership.Role.DIRECTOR)
    return dora


def tournament_of(*players: User, at: date = date(2026, 10, 1), **more: Any) -> Tournament:
    """A knock-out that the first of them won, and the second lost the final of."""
    made = staged("knockout", len(players), people=players, played=1.0, **more)
    Tournament.objects.filter(pk=made.pk).update(ended_at=datetime(at.year, at.month, at.day, 20, tzinfo=UTC))
    tournament_sync_results(tournament_id=made.pk)
    return made


def season(club: Club, user: User, *, name: str = "Autumn", terms: SeasonTerms = TERMS, **more: Any) -> Season:
    facts = {"first": AUTUMN[0], "last": AUTUMN[1], **more}
    return season_save(user=user, club=club, name=name, terms=terms, **facts)


def lines(championship: Season) -> list[tuple[int, str, str]]:
    return [(row.place, row.name, row.points) for row in seasons.season_table(championship).rows]


def browser(user: User | None = None, language: str = "en") -> Client:
    client = Client(headers={"accept-language": language})
    if user is not None:
        client.force_login(user, backend=people.BACKEND)
    return client


def test_a_finished_tournament_has_placings(ana: User, bea: User) -> None:
    made = tournament_of(ana, bea, lengths=(9,))
    got = list(Placing.objects.filter(tournament=made).values_list("name", "place", "sharing", "wins", "master_wins"))
    assert got == [("ana", 1, 1, 1, 1000), ("bea", 2, 1, 0, 0)]


def test_a_correction_changes_the_placings_the_points_and_the_season(
    club: Club, director: User, ana: User, bea: User
) -> None:
    championship = season(club, director)
    made = tournament_of(ana, bea)
    assert lines(championship) == [(1, "ana", "10"), (2, "bea", "6")]
    services.result_correct(
        tournament_id=made.pk, user=director, key="main-1-1", winner=2, points=(3, 7), why="the other way round"
    )
    tournament_sync_results(tournament_id=made.pk)
    assert lines(championship) == [(1, "bea", "10"), (2, "ana", "6")]
    assert [(row.name, row.place) for row in made.placings.all()] == [("bea", 1), ("ana", 2)]
    assert made.placings.get(place=1).master > made.placings.get(place=2).master == 0


def test_a_second_synchronisation_of_placings_changes_nothing(ana: User, bea: User) -> None:
    made = tournament_of(ana, bea)
    before = list(made.placings.values())
    Tournament.objects.filter(pk=made.pk).update(synced_version=0)
    tournament_sync_results(tournament_id=made.pk)
    assert list(made.placings.values()) == before


def test_a_season_counts_its_days_its_games_and_its_club(club: Club, director: User, ana: User, bea: User) -> None:
    championship = season(club, director, variants=["backgammon"])
    tournament_of(ana, bea, at=date(2026, 8, 31))
    tournament_of(ana, bea, at=date(2026, 12, 1))
    tournament_of(ana, bea, variant="nackgammon")
    elsewhere = tournament_of(ana, bea)
    Tournament.objects.filter(pk=elsewhere.pk).update(club=Club.objects.create(name="Other", slug="other"))
    assert lines(championship) == []
    tournament_of(bea, ana, at=date(2026, 11, 30))
    assert lines(championship) == [(1, "bea", "10"), (2, "ana", "6")]


def test_only_the_best_results_count_and_the_table_marks_them(club: Club, director: User, ana: User, bea: User) -> None:
    championship = season(club, director, terms=SeasonTerms(points=(10, 6), presence=1, best=1))
    tournament_of(ana, bea, at=date(2026, 10, 1))
    tournament_of(bea, ana, at=date(2026, 10, 8))
    (first, _second) = seasons.season_table(championship).rows
    assert sorted(first.cells) == [("10", True), ("6", False)]


def test_a_walk_in_is_one_player_by_name(club: Club, director: User, ana: User) -> None:
    championship = season(club, director)
    for _number in range(2):
        made = staged("knockout", 1, people=(ana,), drawn=False)
        services.entrant_add(tournament_id=made.pk, user=director, name="Paco")
        services.tournament_start(tournament_id=made.pk, user=director)
        services.result_enter(tournament_id=made.pk, user=director, key="main-1-1", winner=2, points=None)
        Tournament.objects.filter(pk=made.pk).update(ended_at=datetime(2026, 10, 1, 20, tzinfo=UTC))
        tournament_sync_results(tournament_id=made.pk)
    assert lines(championship) == [(1, "Paco", "20"), (2, "ana", "12")]


def test_the_champion_of_a_season_is_known_when_it_is_over(
    club: Club, director: User, ana: User, bea: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    championship = season(club, director)
    season(club, director, name="Nobody came", first=date(2025, 1, 1), last=date(2025, 1, 2))
    tournament_of(ana, bea)
    monkeypatch.setattr(Club, "today", lambda club: AUTUMN[1])
    assert seasons.season_champions(club) == []
    monkeypatch.setattr(Club, "today", lambda club: date(2026, 12, 1))
    assert seasons.season_champions(club) == [(championship, ["ana"])]
    page = browser().get(reverse("club-records", args=[club.slug])).content.decode()
    assert f'href="{reverse("season", args=[championship.pk])}"' in page


def test_champions_cost_as_many_queries_for_three_seasons_as_for_one(
    club: Club, director: User, ana: User, bea: User, django_assert_num_queries: Any
) -> None:
    tournament_of(ana, bea, at=date(2025, 10, 1))
    for number in (1, 2, 3):
        season(club, director, name=f"S{number}", first=date(2025, 9, number), last=date(2025, 12, 1))
        with django_assert_num_queries(2):
            assert len(seasons.season_champions(club)) == number


def test_only_directors_of_the_club_manage_seasons(club: Club, director: User, bea: User) -> None:
    championship = season(club, director)
    for act in (
        lambda: season(club, bea, name="Mine"),
        lambda: season(club, bea, season_id=championship.pk),
        lambda: season_remove(user=bea, club=club, season_id=championship.pk),
    ):
        with pytest.raises(Refused) as refused:
            act()
        assert refused.value.code == "not_club_director"
    season_remove(user=director, club=club, season_id=championship.pk)
    assert not Season.objects.exists()


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"name": " "}, "season_name"),
        ({"name": "Autumn"}, "season_name"),
        ({"name": "B", "first": AUTUMN[1], "last": AUTUMN[0]}, "season_days"),
        ({"name": "B", "terms": SeasonTerms(points=(1001,))}, "season_points"),
        ({"name": "B", "variants": ["ludo"]}, "variant"),
    ],
)
def test_an_impossible_season_is_refused(club: Club, director: User, more: dict[str, Any], code: str) -> None:
    season(club, director)
    with pytest.raises(Refused) as refused:
        season(club, director, **more)
    assert refused.value.code == code


def test_a_season_is_made_and_changed_by_its_form(club: Club, director: User) -> None:
    form = {
        "name": "Autumn",
        "first": "2026-09-01",
        "last": "2026-11-30",
        "rule": "places",
        "points": "10, 7 5",
        "presence": "1",
        "best": "",
        "variants": ["backgammon"],
    }
    answer = browser(director).post(reverse("season-new", args=[club.slug]), form)
    championship = Season.objects.get()
    assert answer.headers["Location"] == reverse("season", args=[championship.pk])
    assert (championship.points, championship.presence, championship.best, championship.variants) == (
        [10, 7, 5],
        1,
        0,
        ["backgammon"],
    )
    browser(director).post(reverse("season-change", args=[championship.pk]), {**form, "rule": "wins", "best": "3"})
    championship.refresh_from_db()
    assert (championship.rule, championship.best) == ("wins", 3)
    answer = browser(director).post(reverse("season-remove", args=[championship.pk]))
    assert answer.headers["Location"] == reverse("seasons")


def test_others_see_no_form(club: Club, director: User, bea: User) -> None:
    championship = season(club, director)
    for url in (reverse("season-new", args=[club.slug]), reverse("season-change", args=[championship.pk])):
        assert browser(bea).get(url).status_code == 403
        assert browser().get(url).status_code == 302
        assert browser(director).get(url).status_code == 200


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_pages_cost_as_many_queries_for_three_tournaments_as_for_one(
    club: Club, director: User, ana: User, bea: User, language: str, django_assert_max_num_queries: Any
) -> None:
    championship = season(club, director)
    urls = [
        reverse("seasons"),
        reverse("season", args=[championship.pk]),
        reverse("club-master-points", args=[club.slug]),
        reverse("player", args=["ana"]),
    ]
    for _nights in (1, 3):
        tournament_of(ana, bea)
        for url in urls:
            with django_assert_max_num_queries(20):
                assert browser(language=language).get(url).status_code == 200


def test_master_points_are_added_up_for_the_club_and_for_the_player(club: Club, ana: User, bea: User) -> None:
    for _number in range(2):
        tournament_of(ana, bea, lengths=(9,))
    (row,) = seasons.master_points_table(club)
    assert (row.place, row.name, row.points, row.played, row.wins) == (1, "ana", "3.2", 2, 2)
    assert seasons.master_points_of(ana) == "3.2"
    assert seasons.master_points_of(bea) == ""
    page = browser().get(reverse("player", args=["ana"])).content.decode()
    assert "Master points" in page


def test_master_points_are_for_backgammon_and_its_variants(ana: User, bea: User) -> None:
    made = tournament_of(ana, bea, variant="damas", clock="none", lengths=(1,))
    assert [row.master for row in made.placings.all()] == [0, 0]
    made = tournament_of(ana, bea, variant="acey-deucey", clock="none", lengths=(15,))
    assert made.placings.get(place=1).master_wins == round(1000 * 3**0.5 / 3)


def test_a_tournament_that_is_over_shows_its_master_points(ana: User, bea: User) -> None:
    made = tournament_of(ana, bea, lengths=(9,))
    page = browser().get(reverse("tournament", args=[made.pk])).content.decode()
    assert '<td class="number"><strong>1.6</strong></td>' in page
