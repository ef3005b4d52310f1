"""The public pages of tournaments: what each visitor sees of them, and what it costs."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.users import services as people
from games import services as play
from tests.tournaments.staging import staged
from tournaments import draw, services
from tournaments.models import Meeting, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def as_user() -> Callable[[User | None], Client]:
    def enter(user: User | None) -> Client:
        client = Client(headers={"accept-language": "en"})
        if user is not None:
            client.force_login(user, backend=people.BACKEND)
        return client

    return enter


def text(client: Client, tournament: Tournament, search: str = "", *, name: str = "tournament") -> str:
    """What a page says, without its markup."""
    answer = client.get(reverse(name, args=[tournament.pk]), {"player": search} if search else {})
    assert answer.status_code == 200
    return words(answer.content.decode())


def words(page: str) -> str:
    page = re.sub(r"<(script|head).*?</\1>", "", page, flags=re.DOTALL)
    page = re.sub(r"</?bdi>", "", page)
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def draw_by_lot(tournament: Tournament, dora: User) -> Tournament:
    services.tournament_draw(tournament_id=tournament.pk, user=dora)
    tournament.refresh_from_db()
    return tournament


# The list


def test_the_list_shows_running_open_and_finished_tournaments(as_user: Callable[..., Client], ana: User) -> None:
    staged("double", 4, lengths=(7, 9))
    later = staged("swiss", 3, people=(ana,), drawn=False, rounds=4)
    starts_at = datetime(2026, 7, 1, 18, 0, tzinfo=UTC)
    Tournament.objects.filter(pk=later.pk).update(starts_at=starts_at, timezone="Europe/Madrid", capacity=16)
    staged("knockout", 2, played=1, consolation="progressive")
    page = as_user(ana).get(reverse("tournaments")).content.decode()
    shown = words(page)
    running, rest = shown.split("Open for registration")
    opened, over = rest.split("Finished", 1)
    assert "Double elimination Backgammon · matches to 7 and then 9 points · 4 players live now" in running
    assert "entered Swiss system · 4 rounds Backgammon · match to 7 points · 3 of 16 players" in opened
    assert "Wed 1 Jul 2026, 20:00 (Europe/Madrid)" in opened
    assert 'datetime="2026-07-01T20:00+02:00"' in page
    assert "Single elimination · progressive consolation" in over


def test_only_members_are_offered_a_new_tournament(as_user: Callable[..., Client], ana: User) -> None:
    url, new = reverse("tournaments"), reverse("tournament-new")
    assert new in as_user(ana).get(url).content.decode()
    assert new not in as_user(None).get(url).content.decode()
    assert new not in as_user(people.guest_create()).get(url).content.decode()


def test_the_list_asks_as_often_for_ten_as_for_two(
    as_user: Callable[..., Client], ana: User, django_assert_max_num_queries: Any
) -> None:
    client = as_user(ana)
    for size in (2, 10):
        for _ in range(size - Tournament.objects.count()):
            staged("knockout", 3, people=(ana,))
        with django_assert_max_num_queries(7):
            assert client.get(reverse("tournaments")).status_code == 200


# Before the start


def test_who_may_enter_has_a_button_and_the_others_a_way(as_user: Callable[..., Client], ana: User, bea: User) -> None:
    tournament = staged("knockout", 1, people=(bea,), drawn=False)
    enter = reverse("tournament-enter", args=[tournament.pk])
    url = reverse("tournament", args=[tournament.pk])
    assert enter in as_user(ana).get(url).content.decode()
    assert enter not in as_user(bea).get(url).content.decode()
    assert "You're entered" in text(as_user(bea), tournament)
    assert f"{reverse('account_login')}?next={url}" in as_user(None).get(url).content.decode()
    assert f"{reverse('account_signup')}?next={url}" in as_user(people.guest_create()).get(url).content.decode()
    Tournament.objects.update(capacity=1)
    assert "The tournament is full." in text(as_user(ana), tournament)


def test_who_entered_checks_in_where_that_is_asked(as_user: Callable[..., Client], ana: User) -> None:
    tournament = staged("knockout", 2, people=(ana,), drawn=False, check_in=True)
    here = reverse("tournament-here", args=[tournament.pk])
    client = as_user(ana)
    assert here in client.get(reverse("tournament", args=[tournament.pk])).content.decode()
    services.entrant_check_in(tournament_id=tournament.pk, user=ana, number=1)
    assert "You're entered and checked in" in text(client, tournament)
    assert here not in client.get(reverse("tournament", args=[tournament.pk])).content.decode()


def test_an_unknown_tournament_is_not_found(client: Client) -> None:
    for name in ("tournament", "tournament-live", "tournament-draw"):
        assert client.get(reverse(name, args=["abcdefghjk"])).status_code == 404


def test_the_draw_is_sealed_before_and_published_after(as_user: Callable[..., Client], dora: User) -> None:
    tournament = staged("knockout", 5, drawn=False)
    client, url = as_user(None), reverse("tournament-draw", args=[tournament.pk])
    assert f"Fingerprint (SHA-256): {tournament.seed_hash}" in text(client, tournament)
    assert client.get(url).status_code == 404
    draw_by_lot(tournament, dora)
    document = client.get(url).json()
    assert draw.verify(document) == ""
    assert document["commitment"] == tournament.seed_hash
    assert url in client.get(reverse("tournament", args=[tournament.pk])).content.decode()


def test_announcements_are_escaped_and_the_last_comes_first(as_user: Callable[..., Client], dora: User) -> None:
    tournament = staged("knockout", 2, drawn=False)
    for announcement in ("Coffee at nine", "<b>Hurry</b>"):
        services.announcement_post(tournament_id=tournament.pk, user=dora, text=announcement)
    page = as_user(None).get(reverse("tournament", args=[tournament.pk])).content.decode()
    assert page.index("&lt;b&gt;Hurry&lt;/b&gt;") < page.index("Coffee at nine")


# My next match


def test_one_button_leads_from_the_page_to_the_board(as_user: Callable[..., Client], ana: User, bea: User) -> None:
    tournament = staged("knockout", 2, people=(ana, bea), lengths=(5,))
    match_id = Meeting.objects.get().match_id
    client = as_user(ana)
    assert "Round 1 against bea, match to 5 points" in text(client, tournament)
    page = client.get(reverse("tournament", args=[tournament.pk])).content.decode()
    assert f'action="{reverse("match-arrive", args=[match_id])}"' in page
    play.match_arrive(match_id=match_id, user=ana)
    assert "Waiting for your opponent" in text(client, tournament)
    play.match_arrive(match_id=match_id, user=bea)
    page = client.get(reverse("tournament", args=[tournament.pk])).content.decode()
    assert f'id="go-main-1-1" href="{reverse("match", args=[match_id])}"' in page
    assert (
        f'href="{reverse("match", args=[match_id])}"'
        in as_user(None).get(f"/tournaments/{tournament.pk}/").content.decode()
    )


def test_a_result_over_the_board_is_reported_and_confirmed(
    as_user: Callable[..., Client], ana: User, bea: User
) -> None:
    tournament = staged("knockout", 2, people=(ana, bea), venue="board", lengths=(5,))
    report = reverse("tournament-report", args=[tournament.pk])
    assert report in as_user(ana).get(f"/tournaments/{tournament.pk}/").content.decode()
    services.result_report(tournament_id=tournament.pk, user=ana, key="main-1-1", winner=1, points=(5, 3))
    assert "You reported: ana won 5–3 . Waiting for bea to confirm." in text(as_user(ana), tournament)
    assert "ana reported: ana won 5–3 . Confirm" in text(as_user(bea), tournament)
    assert "1-1 reported" in text(as_user(None), tournament)


def test_a_winner_waits_for_the_winner_of_another_pairing(
    as_user: Callable[..., Client], ana: User, dora: User
) -> None:
    tournament = staged("knockout", 4, people=(ana,))
    services.result_enter(tournament_id=tournament.pk, user=dora, key="main-1-1", winner=1, how="walkover")
    pair = " – ".join(entrant.name for entrant in tournament.entrants.filter(number__in=(2, 3)))
    assert f"Waiting for: winner of {pair}." in text(as_user(ana), tournament)


def test_a_walk_in_plays_over_the_board_even_where_the_others_play_here(
    as_user: Callable[..., Client], ana: User
) -> None:
    tournament = staged("knockout", 2, people=(ana,), online=1)
    assert "Round 1 against Walk-in 1, match to 7 points" in text(as_user(ana), tournament)
    assert Meeting.objects.get().match is None


def test_the_winner_and_the_order_of_finish_stand_on_the_page(as_user: Callable[..., Client], ana: User) -> None:
    tournament = staged("knockout", 4, people=(ana,), played=1)
    shown = text(as_user(ana), tournament)
    assert "Winner of the tournament ana" in shown
    assert "Your final place: 1" in shown
    assert "Final standings 1 ana 2–0" in shown


def test_a_withdrawn_player_sees_that_they_withdrew(as_user: Callable[..., Client], ana: User) -> None:
    tournament = staged("knockout", 4, people=(ana,))
    services.entrant_withdraw(tournament_id=tournament.pk, user=ana, number=1)
    shown = text(as_user(ana), tournament)
    assert "You withdrew" in shown
    assert "ana withdrew" in shown


def test_only_directors_are_led_to_the_desk(as_user: Callable[..., Client], ana: User, dora: User) -> None:
    tournament = staged("knockout", 2, people=(ana,))
    desk = reverse("tournament-desk", args=[tournament.pk])
    url = reverse("tournament", args=[tournament.pk])
    assert desk in as_user(dora).get(url).content.decode()
    assert desk not in as_user(ana).get(url).content.decode()


# What it costs


@pytest.mark.parametrize("format_", ["double", "swiss"])
def test_a_page_of_128_players_takes_as_many_queries_as_one_of_4(
    as_user: Callable[..., Client], ana: User, django_assert_max_num_queries: Any, format_: str
) -> None:
    shape = {"rounds": 3} if format_ == "swiss" else {}
    for players in (4, 128):
        tournament = staged(format_, players, people=(ana,), venue="board", played=0.4, **shape)
        client = as_user(ana)
        for name in ("tournament", "tournament-live"):
            with django_assert_max_num_queries(12):
                assert client.get(reverse(name, args=[tournament.pk])).status_code == 200


def test_boards_in_play_cost_no_query_each(
    as_user: Callable[..., Client], ana: User, django_assert_max_num_queries: Any
) -> None:
    tournament = staged("knockout", 12, people=(ana,), online=12)
    for meeting in tournament.meetings.filter(match__isnull=False).select_related("a__user", "b__user"):
        for entrant in (meeting.a, meeting.b):
            play.match_arrive(match_id=meeting.match_id, user=entrant.user)
    client = as_user(ana)
    with django_assert_max_num_queries(12):
        page = client.get(reverse("tournament", args=[tournament.pk])).content.decode()
    assert page.count('class="board-link"') == 4
