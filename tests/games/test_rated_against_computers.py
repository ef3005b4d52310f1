"""Rated matches in which a computer plays count in a pool of their own (ruling R6)."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.programs.services import bot_create
from accounts.users import services as user_services
from games import services
from games.errors import Refused
from games.models import Match, RatedMatch, Rating, RatingPool, Seat
from games.selectors import badges, ratings
from games.services import Answer
from games.services.ratings import pool_rebuild
from games.views.ratings import displayed_ratings

pytestmark = pytest.mark.django_db

Act = Callable[..., Answer]
TERMS: dict[str, Any] = {"variant": "backgammon", "length": 5, "clock": "none", "rated": True}


@pytest.fixture
def bot() -> User:
    """A computer of the house."""
    return user_services.house_bot_ensure()


@pytest.fixture
def engine(bea: User) -> User:
    """A bot of bea's."""
    return bot_create(owner=bea, name="engine-of-bea")[0]


def code(do: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        do()
    return refused.value.code


def opened(creator: User, **more: Any) -> Match:
    return services.match_create(creator=creator, **{**TERMS, **more})


def resigned(match: Match, loser: User, act: Act, next_rolls: deque[Any]) -> Match:
    """A rated match after both sides have played, which `loser` resigns."""
    next_rolls += [(3, 1), (6, 2)]
    white, black = (seat.user for seat in match.seats.select_related("user").order_by("-side"))
    for user, action in (
        (white, "roll"),
        (black, "roll"),
        (white, "8/5 6/5"),
        (black, "roll"),
        (black, "24/18 13/11"),
        (loser, "resign match"),
    ):
        match.refresh_from_db()
        act(match, user, action, after=match.version)
    match.refresh_from_db()
    return match


def test_a_rated_match_against_the_computer_counts_in_a_pool_of_its_own(
    ana: User, bot: User, act: Act, next_rolls: deque[Any]
) -> None:
    resigned(opened(ana, invited=bot), bot, act, next_rolls)
    assert list(RatingPool.objects.values_list("variant", "pace", "matches")) == [("backgammon", "computer", 1)]
    rows = {row.user_id: row for row in Rating.objects.all()}
    change = rows[ana.pk].rating - 1500
    assert change == pytest.approx(4 * 4.95 * 5**0.5 * 0.5)
    assert rows[bot.pk].rating == pytest.approx(1500 - change)
    assert pool_rebuild(pool_id=RatingPool.objects.get().pk, check=True) == []


def test_by_correspondence_it_counts_in_the_same_pool(ana: User, bot: User, act: Act, next_rolls: deque[Any]) -> None:
    resigned(opened(ana, invited=bot, clock="days3"), bot, act, next_rolls)
    assert RatingPool.objects.get().pace == "computer"


def test_a_match_between_people_counts_among_people_only(
    ana: User, bea: User, bot: User, act: Act, next_rolls: deque[Any], open_table: Callable[..., Match]
) -> None:
    resigned(opened(ana, invited=bot), ana, act, next_rolls)
    resigned(open_table(clock="none"), bea, act, next_rolls)
    held = Rating.objects.filter(user=ana).values_list("pool__pace", "matches", "wins")
    assert sorted(held) == [("computer", 1, 0), ("live", 1, 1)]


def test_bots_play_rated_against_each_other(bot: User, engine: User, act: Act, next_rolls: deque[Any]) -> None:
    resigned(opened(engine, invited=bot), bot, act, next_rolls)
    assert Rating.objects.filter(pool__pace="computer").count() == 2


def test_a_members_bot_accepts_a_rated_challenge(ana: User, engine: User, act: Act, next_rolls: deque[Any]) -> None:
    match = opened(ana, invited=engine)
    services.match_join(match_id=match.pk, user=engine)
    resigned(match, engine, act, next_rolls)
    assert RatedMatch.objects.get().pool.pace == "computer"


def test_a_bot_joins_no_rated_game_that_a_person_has_opened_to_everybody(ana: User, engine: User, bot: User) -> None:
    match = opened(ana)
    assert code(lambda: services.match_join(match_id=match.pk, user=engine)) == "bot_uninvited"
    of_a_bot = opened(engine)
    assert services.match_join(match_id=of_a_bot.pk, user=ana).status == "live"
    casual = opened(ana, rated=False)
    assert services.match_join(match_id=casual.pk, user=engine).status == "live"


def test_quick_pairing_does_not_bring_a_person_to_the_rated_game_of_a_bot(ana: User, engine: User) -> None:
    waiting = opened(engine, clock="club")
    found = services.match_quick(user=ana, **{**TERMS, "clock": "club"})
    assert (found.pk != waiting.pk, found.status) == (True, "open")
    casual = opened(engine, clock="club", rated=False)
    assert services.match_quick(user=ana, **{**TERMS, "clock": "club", "rated": False}).pk == casual.pk


def test_nobody_plays_rated_against_their_own_bot(bea: User, engine: User) -> None:
    other = bot_create(owner=bea, name="another-engine")[0]
    assert code(lambda: opened(bea, invited=engine)) == "own_bot_rated"
    assert code(lambda: opened(engine, invited=bea)) == "own_bot_rated"
    assert code(lambda: opened(engine, invited=other)) == "own_bot_rated"
    waiting = opened(engine)
    assert code(lambda: services.match_join(match_id=waiting.pk, user=bea)) == "own_bot_rated"
    assert opened(bea, invited=engine, rated=False).status == "open"


def test_a_guest_plays_the_computer_unrated(bot: User) -> None:
    assert code(lambda: opened(user_services.guest_create(), invited=bot)) == "guest_rated"


@pytest.mark.parametrize("facts", [{"arranged": True}, {"taken_back": 1}])
def test_neither_a_match_of_an_event_nor_one_with_a_play_taken_back_is_rated(
    ana: User, bot: User, act: Act, next_rolls: deque[Any], facts: dict[str, Any]
) -> None:
    match = opened(ana, invited=bot)
    Match.objects.filter(pk=match.pk).update(**facts)
    resigned(match, bot, act, next_rolls)
    assert not RatedMatch.objects.exists()


def test_a_rated_match_has_no_hints_and_no_taking_back(ana: User, bot: User, client: Client) -> None:
    match = opened(ana, invited=bot)
    client.force_login(ana, backend=user_services.BACKEND)
    page = client.get(reverse("match", args=[match.pk])).content.decode()
    assert ('data-do="hint"' in page, 'data-do="take-back"' in page) == (False, False)


def test_ratings_and_stakes_are_shown_beside_both_names(ana: User, bot: User, act: Act, next_rolls: deque[Any]) -> None:
    resigned(opened(ana, invited=bot), bot, act, next_rolls)
    match = opened(ana, invited=bot)
    shown = displayed_ratings(match, "white")
    assert (round(shown["me"].value), round(shown["them"].value)) == (1522, 1478)
    assert shown["me"].stakes is not None
    assert 0 < shown["me"].stakes.gain < shown["me"].stakes.loss


def test_the_lobby_shows_how_the_computer_is_rated(
    ana: User, bot: User, act: Act, next_rolls: deque[Any], client: Client
) -> None:
    client.force_login(ana, backend=user_services.BACKEND)
    assert "rating-beside" not in client.get(reverse("lobby")).content.decode()
    resigned(opened(ana, invited=bot), bot, act, next_rolls)
    assert "rating-beside" not in client.get(reverse("lobby")).content.decode()
    cache.clear()  # a minute later
    assert ">1478<" in client.get(reverse("lobby")).content.decode()


def test_an_open_rated_game_of_a_bot_says_what_it_is_about_in_its_pool(
    ana: User, bea: User, engine: User, bot: User, act: Act, next_rolls: deque[Any], client: Client
) -> None:
    resigned(opened(engine, invited=bot), bot, act, next_rolls)
    opened(engine)
    client.force_login(ana, backend=user_services.BACKEND)
    page = client.get(reverse("lobby")).content.decode()
    assert "1522" in page
    assert "stakes" in page


def test_the_list_has_its_page_its_log_and_its_place_in_the_api(
    ana: User, bot: User, act: Act, next_rolls: deque[Any], client: Client
) -> None:
    match = resigned(opened(ana, invited=bot), bot, act, next_rolls)
    page = client.get(reverse("ratings"), headers={"accept-language": "en"}).content.decode()
    assert "against computers" in page
    listed = client.get(reverse("ratings-pool", args=["backgammon", "computer"])).content.decode()
    assert "ana" in listed
    assert bot.username in listed
    log = "".join(ratings.log_chunks(RatingPool.objects.get())).splitlines()
    assert (json.loads(log[0])["pace"], json.loads(log[1])["match"]) == ("computer", match.pk)
    assert client.get(reverse("ratings-log", args=["backgammon", "computer"])).status_code == 200
    pools = client.get("/api/v1/ratings/").json()
    assert [(pool["variant"], pool["pace"]) for pool in pools] == [("backgammon", "computer")]
    player = client.get(reverse("player", args=[bot.username]), headers={"accept-language": "es"}).content.decode()
    assert "contra ordenadores" in player
    over = client.get(reverse("match", args=[match.pk])).content.decode()
    assert reverse("ratings-pool", args=["backgammon", "computer"]) in over


def test_records_and_badges_are_those_among_people(ana: User, bot: User, act: Act, next_rolls: deque[Any]) -> None:
    resigned(opened(ana, invited=bot), bot, act, next_rolls)
    found = badges.records_of([], ratings.rating_cards(ana), [])
    assert (found.peak, [badge.mark for badge in found.badges]) == (None, [])


def test_the_form_plays_the_computer_unrated_unless_the_player_wants_it(ana: User, bot: User, client: Client) -> None:
    client.force_login(ana, backend=user_services.BACKEND)
    form = {"opponent": "bot", "strength": "3", "variant": "backgammon", "length": "5", "clock": "none", "rated": "on"}
    client.post(reverse("match-create"), form)
    client.post(reverse("match-create"), {**form, "computer_rated": "on"})
    client.post(reverse("match-create"), {**form, "computer_rated": "on", "length": "0"})
    assert list(Match.objects.order_by("created_at").values_list("length", "rated")) == [
        (5, False),
        (5, True),
        (0, False),
    ]
    assert Seat.objects.filter(user=bot).count() == 3


def test_a_bot_offers_a_rated_match_over_the_api(ana: User, engine: User, bea: User, client: Client) -> None:
    _, token = bot_create(owner=bea, name="third-engine")
    offer = {"variant": "backgammon", "length": 3, "clock": "club", "to": "ana", "rated": True}
    headers = {"authorization": f"Bearer {token}"}
    made = client.post("/api/v1/matches/", offer, content_type="application/json", headers=headers)
    assert made.status_code == 200
    assert Match.objects.get().rated is True
