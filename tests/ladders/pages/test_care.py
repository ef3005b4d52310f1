"""Nonsense, what is not there, how often the pages ask, and the word on other pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from games import clocks
from games.database import now
from games.engine import Json
from games.models import Rating, RatingPool
from games.selectors.missed_events import milliseconds, missed_events
from ladders import services
from ladders.models import Ladder, LadderChallenge
from tests.ladders.pages.visits import MOST_QUERIES, As, Make, call, do, markup, messages_of, order, play, text, view

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("value", ["", "x", "-1", "0", "99999999999", "٣"])
def test_nonsense_is_a_message_and_never_an_error_page(
    as_user: As, ladder: Make, ana: User, bea: User, dora: User, value: str
) -> None:
    made, client = ladder(ana, dora), as_user(dora)
    challenge = call(made, dora, ana)
    for answer in (
        do(client, "ladder-challenge", made.pk, opponent=value),
        do(client, "ladder-away", made.pk, days=value),
        do(client, "ladder-undo", made.pk, n=value, reason="r"),
        do(client, "ladder-redo", made.pk, n=value, reason="r"),
        do(client, "ladder-place", made.pk, player=value, to=value, reason="r"),
        do(client, "ladder-season-close", made.pk, ends_on=value or "x"),
    ):
        assert answer.status_code == 302
        assert messages_of(answer)
    answer = do(client, "challenge-decide", made.pk, challenge.pk, winner=value if value != "0" else "", reason="r")
    assert (answer.status_code, len(messages_of(answer))) == (302, 1)
    assert order(made) == ["ana", "dora"]


def test_a_ladder_that_is_not_there_is_a_404(as_user: As, ladder: Make, ana: User, dora: User) -> None:
    made, client = ladder(ana), as_user(dora)
    for name in ("ladder", "ladder-live", "ladder-story", "ladder-settings"):
        assert client.get(reverse(name, args=["nothere"])).status_code == 404
    for name in ("ladder-join", "ladder-leave", "ladder-close", "ladder-open", "ladder-back"):
        assert do(client, name, "nothere").status_code == 404
    for name in ("challenge-accept", "challenge-decline", "challenge-withdraw"):
        assert do(client, name, made.pk, 99).status_code == 404
    assert client.get(reverse("ladder-new"), {"kind": "tower"}).context["form"].of_kind == "challenge"


# What it costs


def test_the_page_asks_as_often_for_six_as_for_two(
    as_user: As, ladder: Make, person: Callable[..., User], ana: User, bea: User, django_assert_max_num_queries: Any
) -> None:
    made, client = ladder(ana, bea), as_user(bea)
    counts = []
    for size in (2, 6):
        for number in range(size - made.players.count()):
            services.ladder_join(ladder_id=made.pk, user=person(f"player{number}"))
        with django_assert_max_num_queries(MOST_QUERIES) as queries:
            assert client.get(reverse("ladder", args=[made.pk])).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_page_asks_as_often_with_three_matches_as_with_one(
    as_user: As, ladder: Make, person: Callable[..., User], ana: User, django_assert_max_num_queries: Any
) -> None:
    crowd = [person(f"player{number}") for number in range(6)]
    made, client = ladder(*crowd), as_user(ana)
    counts = []
    for below, above in ((1, 0), (3, 2), (5, 4)):
        services.challenge_accept(challenge_id=call(made, crowd[below], crowd[above]).pk, user=crowd[above])
        with django_assert_max_num_queries(MOST_QUERIES) as queries:
            assert client.get(reverse("ladder", args=[made.pk])).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[2]


def test_the_list_asks_as_often_for_three_ladders_as_for_one(
    as_user: As, ladder: Make, ana: User, bea: User, django_assert_max_num_queries: Any
) -> None:
    client, counts = as_user(ana), []
    for size in (1, 3):
        for _ in range(size - Ladder.objects.count()):
            ladder(ana, bea)
        with django_assert_max_num_queries(8) as queries:
            assert client.get(reverse("ladders")).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


# The word on any page


def missed(user: User, since: int) -> list[Json]:
    """What a page missed, the count of its bell apart (tests/notices)."""
    return [word for word in missed_events(user_id=user.pk, since=since)[0] if word["t"] != "notice"]


def test_a_page_hears_again_of_a_challenge_that_it_missed(ladder: Make, ana: User, bea: User) -> None:
    made = ladder(ana, bea)
    since = milliseconds(now()) - 1000
    challenge = call(made, bea, ana)
    word = {"t": "ladder", "id": challenge.pk, "url": f"/ladders/{made.pk}/", "title": "Ladder 1", "from": "bea"}
    assert missed(ana, since) == [word]
    assert missed(bea, since) == []
    services.challenge_withdraw(challenge_id=challenge.pk, user=bea)
    assert missed(ana, since) == []


def test_a_match_of_a_ladder_leads_back_to_it(as_user: As, ladder: Make, ana: User, bea: User) -> None:
    made = ladder(ana, bea)
    play(call(made, bea, ana), bea)
    match = LadderChallenge.objects.get().match
    assert match is not None
    page = as_user(ana).get(reverse("match", args=[match.pk])).content.decode()
    assert "Back to the ladder" in page
    assert "Back to the tournament" not in page


def test_a_ladder_by_rating_shows_the_established_in_order_and_the_provisional_apart(
    as_user: As, ladder: Make, ana: User, bea: User, carlos: User
) -> None:
    made = ladder(kind="rating")
    pool = RatingPool.objects.create(variant="backgammon", pace=clocks.pace_of("none"))
    for user, rating, experience in ((ana, 1550.4, 200), (bea, 1620, 150), (carlos, 1700, 20)):
        moment = now()
        Rating.objects.create(
            pool=pool,
            user=user,
            rating=rating,
            experience=experience,
            matches=9,
            peak=rating,
            peak_at=moment,
            last_at=moment,
        )
    seen = view(made, ana)
    assert [row.user.username for row in seen.established] == ["bea", "ana"]
    assert [row.user.username for row in seen.provisional] == ["carlos"]
    page = text(as_user(ana), made)
    assert "1 bea 9 matches 1620 2 ana you 9 matches 1550" in page
    assert 'id="join"' not in markup(as_user(ana), made)
