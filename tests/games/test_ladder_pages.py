"""The pages of ladders: what each visitor sees, what he may do there, and what it costs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from accounts import services as people
from accounts.models import Club, Membership, User
from games import clocks
from games.database import now
from games.engine import Json
from games.models import Ladder, LadderChallenge, Rating, RatingPool
from games.selectors import ladders as reads
from games.selectors import lists
from games.services import ladders as services
from games.services import match_act, match_arrive

pytestmark = pytest.mark.django_db

As = Callable[[User | None], Client]
Make = Callable[..., Ladder]
MOST_QUERIES = 14

NEW = {
    "name": "Autumn ladder",
    "kind": "challenge",
    "variant": "backgammon",
    "length": "3",
    "clock": "club",
    "option_cube": "on",
    "rated": "on",
    "rule": "swap",
    "range": "2",
    "on_no_answer": "drop",
    "on_not_played": "drop",
}


@pytest.fixture
def as_user() -> As:
    def enter(user: User | None) -> Client:
        client = Client(headers={"accept-language": "en"})
        if user is not None:
            client.force_login(user, backend=people.BACKEND)
        return client

    return enter


@pytest.fixture
def club(dora: User) -> Club:
    """The default club, which dora directs."""
    club = Club.objects.get(is_default=True)
    Membership.objects.update_or_create(club=club, user=dora, defaults={"role": Membership.Role.DIRECTOR})
    return club


@pytest.fixture
def ladder(club: Club, dora: User) -> Make:
    """A function that sets up a ladder of dora's with these players on it, the first on top."""

    def make(*players: User, kind: str = "challenge", **config: Any) -> Ladder:
        terms: dict[str, Any] = {"variant": "backgammon", "length": 1, "clock": "none", "rated": False}
        name = f"Ladder {Ladder.objects.count() + 1}"
        made = services.ladder_create(by=dora, club=club, name=name, kind=kind, config=config, **terms)
        for player in players:
            services.ladder_join(ladder_id=made.pk, user=player)
        made.refresh_from_db()
        return made

    return make


def call(ladder: Ladder, challenger: User, defender: User) -> LadderChallenge:
    return services.challenge_make(ladder_id=ladder.pk, user=challenger, rival=defender)


def play(challenge: LadderChallenge, winner: User) -> None:
    """Accept, come to the board, and let the other one resign."""
    match = services.challenge_accept(challenge_id=challenge.pk, user=challenge.defender)
    for player in (challenge.challenger, challenge.defender):
        match_arrive(match_id=match.pk, user=player)
    loser = challenge.defender if winner == challenge.challenger else challenge.challenger
    match_act(match_id=match.pk, user_id=loser.pk, action="resign match", client_id="gives-up")
    services.match_over(match_id=match.pk)


def order(ladder: Ladder) -> list[str]:
    return list(ladder.players.filter(rank__isnull=False).order_by("rank").values_list("user__username", flat=True))


def words(page: str) -> str:
    page = re.sub(r"<(script|head).*?</\1>", "", page, flags=re.DOTALL)
    page = re.sub(r"</?bdi>", "", page)
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def text(client: Client, ladder: Ladder, name: str = "ladder") -> str:
    answer = client.get(reverse(name, args=[ladder.pk]))
    assert answer.status_code == 200
    return words(answer.content.decode())


def markup(client: Client, ladder: Ladder) -> str:
    return str(client.get(reverse("ladder", args=[ladder.pk])).content.decode())


def said(answer: Any) -> list[str]:
    """The messages that the next page will show."""
    return [str(message) for message in get_messages(answer.wsgi_request)]


def do(client: Client, name: str, /, *args: Any, **fields: Any) -> Any:
    client.cookies.pop("messages", None)  # those of earlier acts, which no page showed
    return client.post(reverse(name, args=args), fields)


def view(ladder: Ladder, user: User | None) -> reads.LadderView:
    return reads.page(ladder_id=ladder.pk, user=user)


# The list


def test_the_list_tells_of_each_ladder_who_leads_and_where_one_stands(
    as_user: As, ladder: Make, ana: User, bea: User, carlos: User
) -> None:
    ladder(ana, bea, carlos)
    said = text_of_list(as_user(bea))
    assert (
        "Ladder 1 you: place 2 By challenge Backgammon · match to 1 point · No clock · 3 players ana bea carlos" in said
    )
    assert "you: place" not in text_of_list(as_user(None))


def text_of_list(client: Client) -> str:
    return words(client.get(reverse("ladders")).content.decode())


def test_only_directors_are_offered_a_new_ladder(as_user: As, club: Club, ana: User, dora: User) -> None:
    new = reverse("ladder-new")
    assert new in as_user(dora).get(reverse("ladders")).content.decode()
    for stranger in (ana, people.guest_create(), None):
        assert new not in as_user(stranger).get(reverse("ladders")).content.decode()
    assert as_user(ana).get(new).status_code == 403


# Who sees what


def test_a_passer_by_reads_the_ladder_and_is_shown_the_door(as_user: As, ladder: Make, ana: User, bea: User) -> None:
    made = ladder(ana, bea)
    page = markup(as_user(None), made)
    assert f"{reverse('account_login')}?next={reverse('ladder', args=[made.pk])}" in page
    for act in ("join/", "challenge/", "place/", "undo/"):
        assert f'action="/ladders/{made.pk}/{act}' not in page
    assert "You may challenge whoever stands up to 3 places above you;" in words(page)


def test_a_guest_is_asked_to_sign_up(as_user: As, ladder: Make, ana: User) -> None:
    assert "Ladders are for members." in text(as_user(people.guest_create()), ladder(ana))


def test_a_member_joins_at_the_bottom_and_leaves(as_user: As, ladder: Make, ana: User, bea: User) -> None:
    made, client = ladder(ana), as_user(bea)
    assert 'id="join"' in markup(client, made)
    assert said(do(client, "ladder-join", made.pk)) == ["You are on the ladder."]
    assert order(made) == ["ana", "bea"]
    assert "You are in place 2" in text(client, made)
    assert said(do(client, "ladder-leave", made.pk)) == ["You have left the ladder."]
    assert order(made) == ["ana"]


def test_a_player_has_a_button_for_each_rung_in_reach_and_a_reason_at_the_others(
    ladder: Make, ana: User, bea: User, carlos: User, dora: User
) -> None:
    made = ladder(ana, bea, carlos, dora, range=1)
    seen = view(made, carlos)
    assert [(rung.user.username, rung.may, rung.why) for rung in seen.rungs] == [
        ("ana", False, "out of reach"),
        ("bea", True, ""),
        ("carlos", False, ""),
        ("dora", False, "below you"),
    ]
    assert seen.reach == "2"
    assert all(not rung.may and not rung.why for rung in view(made, None).rungs)


def test_a_director_has_the_office_and_the_others_have_not(as_user: As, ladder: Make, ana: User, dora: User) -> None:
    made = ladder(ana)
    for user, there in ((dora, True), (ana, False), (None, False)):
        page = markup(as_user(user), made)
        assert ('id="office"' in page) is there
        assert (reverse("ladder-settings", args=[made.pk]) in page) is there


# A challenge


def test_a_challenge_is_made_accepted_and_played(as_user: As, ladder: Make, ana: User, bea: User) -> None:
    made = ladder(ana, bea)
    assert said(do(as_user(bea), "ladder-challenge", made.pk, rival=ana.pk)) == ["The challenge is made."]
    challenge = LadderChallenge.objects.get()
    assert "bea challenges you to be answered within" in text(as_user(ana), made)
    assert "Take back" in text(as_user(bea), made)
    assert said(do(as_user(ana), "challenge-accept", made.pk, challenge.pk)) == [
        "The match is ready: go to the board when you like."
    ]
    challenge.refresh_from_db()
    assert challenge.match is not None
    assert reverse("match-arrive", args=[challenge.match.pk]) in markup(as_user(bea), made)
    assert "Against ana" in text(as_user(bea), made)
    match_page = as_user(bea).get(reverse("match", args=[challenge.match.pk])).content.decode()
    assert f'href="{reverse("ladder", args=[made.pk])}"' in match_page


def test_the_result_moves_both_and_is_explained(as_user: As, ladder: Make, ana: User, bea: User, carlos: User) -> None:
    made = ladder(ana, bea, carlos)
    play(call(made, carlos, ana), carlos)
    assert order(made) == ["carlos", "ana", "bea"]
    told = view(made, None).told[0]
    assert told.text == "carlos beats ana and takes place 1; ana is in place 2 now."
    assert [(move.name, move.before, move.after, move.up) for move in told.moves] == [
        ("carlos", 3, 1, True),
        ("ana", 1, 2, False),
        ("bea", 2, 3, False),
    ]
    assert [(rung.climbed, rung.fell) for rung in view(made, None).rungs] == [(2, 0), (0, 1), (0, 1)]
    page = text(as_user(ana), made)
    assert "up 2 places" in page
    assert "down 1 place" in page


def test_a_challenge_is_declined_or_taken_back(as_user: As, ladder: Make, ana: User, bea: User) -> None:
    made = ladder(ana, bea, on_no_answer="drop", rematch_days=0)
    first = call(made, bea, ana)
    assert said(do(as_user(ana), "challenge-decline", made.pk, first.pk)) == ["You have declined the challenge."]
    second = call(made, bea, ana)
    assert said(do(as_user(bea), "challenge-withdraw", made.pk, second.pk)) == ["The challenge is taken back."]
    assert order(made) == ["ana", "bea"]


def test_the_lobby_shows_whom_one_has_to_answer(as_user: As, ladder: Make, ana: User, bea: User) -> None:
    challenge = call(ladder(ana, bea), bea, ana)
    accept = reverse("challenge-accept", args=[challenge.ladder_id, challenge.pk])
    for name in ("lobby", "lobby-lists"):
        assert accept in as_user(ana).get(reverse(name)).content.decode()
        assert accept not in as_user(bea).get(reverse(name)).content.decode()
        assert as_user(None).get(reverse(name)).status_code == 200


def test_who_is_away_says_so_and_comes_back(as_user: As, ladder: Make, ana: User, bea: User) -> None:
    made, client = ladder(ana, bea), as_user(ana)
    assert said(do(client, "ladder-away", made.pk, days="5")) == ["Have a good time away."]
    assert "away until" in text(as_user(bea), made)
    assert [rung.why for rung in view(made, bea).rungs] == ["away", ""]
    assert said(do(client, "ladder-back", made.pk)) == ["Welcome back."]
    assert [rung.may for rung in view(made, bea).rungs] == [True, False]


# Directing


def test_a_director_sets_up_a_ladder(as_user: As, club: Club, dora: User) -> None:
    answer = as_user(dora).post(reverse("ladder-new"), NEW)
    made = Ladder.objects.get(name="Autumn ladder")
    assert answer.headers["Location"] == reverse("ladder", args=[made.pk])
    config = services.config_of(made)
    assert (made.kind, made.length, made.clock_preset, made.rated) == ("challenge", 3, "club", True)
    assert (config.rule, config.range, config.accept_hours, config.on_no_answer) == ("swap", 2, 48, "drop")


def test_a_ladder_of_matches_to_one_point_has_no_cube(as_user: As, club: Club, dora: User) -> None:
    as_user(dora).post(reverse("ladder-new"), {**NEW, "length": "1", "clock": "none"})
    assert "cube" not in Ladder.objects.get(name="Autumn ladder").options


@pytest.mark.parametrize("kind", ["rating", "challenge", "season", "hill"])
def test_each_kind_has_its_own_form(as_user: As, club: Club, dora: User, kind: str) -> None:
    client = as_user(dora)
    answer = client.get(reverse("ladder-new"), {"kind": kind})
    assert answer.context["form"].of_kind == kind
    assert ('name="length"' in answer.content.decode()) is (kind != "rating")
    typed = {**NEW, "kind": kind, "name": kind, "on_not_played": "", "on_no_answer": "", "rule": "", "range": ""}
    assert client.post(reverse("ladder-new"), typed).status_code == 302
    made = Ladder.objects.get(name=kind)
    assert made.kind == kind
    assert text(client, made)
    assert client.get(reverse("ladder-settings", args=[made.pk])).status_code == 200


def test_a_wrong_form_comes_back_with_what_was_typed(as_user: As, club: Club, dora: User) -> None:
    answer = as_user(dora).post(reverse("ladder-new"), {**NEW, "range": "many", "length": "500"})
    assert answer.status_code == 422
    assert sorted(answer.context["form"].errors) == ["length", "range"]
    assert "many" in answer.content.decode()


def test_what_the_service_refuses_stands_at_its_field(as_user: As, ladder: Make, dora: User) -> None:
    ladder()
    answer = as_user(dora).post(reverse("ladder-new"), {**NEW, "name": "Ladder 1"})
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["name"])
    answer = as_user(dora).post(reverse("ladder-new"), {**NEW, "season_ends_on": "2001-01-01"})
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["season_ends_on"])
    answer = as_user(dora).post(reverse("ladder-new"), {**NEW, "variant": "damas", "clock": "club"})
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["clock"])


def test_settings_are_changed_but_not_the_kind(as_user: As, ladder: Make, ana: User, dora: User) -> None:
    made = ladder(ana)
    url = reverse("ladder-settings", args=[made.pk])
    assert as_user(ana).get(url).status_code == 403
    answer = as_user(dora).post(url, {**NEW, "kind": "hill"})
    assert answer.headers["Location"] == reverse("ladder", args=[made.pk])
    made.refresh_from_db()
    assert (made.name, made.kind, services.config_of(made).rule) == ("Autumn ladder", "challenge", "swap")


def test_another_game_brings_its_own_part_of_the_form(as_user: As, dora: User) -> None:
    answer = as_user(dora).get(reverse("ladder-terms"), {"variant": "acey-deucey", "kind": "hill"})
    assert answer.context["form"]["length"].value() == 15
    assert 'value="game5"' in answer.content.decode()


def test_a_director_takes_a_result_back_and_lets_it_count_again(
    as_user: As, ladder: Make, ana: User, bea: User, dora: User
) -> None:
    made, client = ladder(ana, bea), as_user(dora)
    play(call(made, bea, ana), bea)
    event = next(told for told in view(made, dora).told if told.may_undo)
    assert reverse("ladder-undo", args=[made.pk]) in markup(client, made)
    assert reverse("ladder-undo", args=[made.pk]) not in markup(as_user(ana), made)
    assert said(do(client, "ladder-undo", made.pk, n=event.n)) == ["Reason: This field is required."]
    assert said(do(client, "ladder-undo", made.pk, n=event.n, reason="wrong board")) == ["It is taken back."]
    assert order(made) == ["ana", "bea"]
    shown = view(made, dora).told
    assert shown[0].text == f"The director takes back event {event.n}. (wrong board)"
    assert next(told for told in shown if told.n == event.n).undone
    assert said(do(client, "ladder-redo", made.pk, n=event.n, reason="it was right")) == ["It counts again."]
    assert order(made) == ["bea", "ana"]


def test_a_director_decides_a_challenge_and_places_a_player(
    as_user: As, ladder: Make, ana: User, bea: User, carlos: User, dora: User
) -> None:
    made, client = ladder(ana, bea, carlos), as_user(dora)
    challenge = call(made, carlos, bea)
    decided = do(client, "challenge-decide", made.pk, challenge.pk, winner=carlos.pk, reason="at the club")
    assert said(decided) == ["The challenge is decided."]
    assert order(made) == ["ana", "carlos", "bea"]
    assert said(do(client, "ladder-place", made.pk, player=bea.pk, to=1, reason="joined late")) == [
        "The place is changed."
    ]
    assert order(made) == ["bea", "ana", "carlos"]
    assert [told.text for told in view(made, None).told[:2]] == [
        "The director puts bea in place 1. (joined late)",
        "The director decides: carlos beats bea and takes place 2; bea is in place 3 now. (at the club)",
    ]


def test_who_does_not_direct_is_refused(as_user: As, ladder: Make, ana: User, bea: User) -> None:
    made, client = ladder(ana, bea), as_user(ana)
    challenge = call(made, bea, ana)
    for answer in (
        do(client, "challenge-decide", made.pk, challenge.pk, winner=ana.pk, reason="me"),
        do(client, "ladder-place", made.pk, player=bea.pk, to=1, reason="her"),
        do(client, "ladder-undo", made.pk, n=1, reason="no"),
        do(client, "ladder-close", made.pk),
        do(client, "ladder-season-close", made.pk),
    ):
        assert said(answer) == ["Only a director of the club can do that."]
    assert order(made) == ["ana", "bea"]


def test_a_closed_ladder_can_be_read_and_opened_again(
    as_user: As, ladder: Make, ana: User, bea: User, dora: User
) -> None:
    made, client = ladder(ana, bea), as_user(dora)
    assert said(do(client, "ladder-close", made.pk)) == ["The ladder is closed."]
    assert "closed" in text(as_user(bea), made)
    assert reverse("ladder-challenge", args=[made.pk]) not in markup(as_user(bea), made)
    assert said(do(client, "ladder-open", made.pk)) == ["The ladder is open again."]
    assert [rung.may for rung in view(made, bea).rungs] == [True, False]


def test_a_season_is_closed_and_its_table_kept(as_user: As, ladder: Make, ana: User, bea: User, dora: User) -> None:
    made, client = ladder(ana, bea, kind="season"), as_user(dora)
    play(call(made, bea, ana), bea)
    assert said(do(client, "ladder-season-close", made.pk, name="Winter")) == ["The season is over."]
    page = words(client.get(reverse("ladder-season", args=[made.pk, 1])).content.decode())
    assert "1 bea 4 1 1 2 ana 1 0 1" in page
    assert "Season 2: Winter" in text(client, made)
    assert client.get(reverse("ladder-season", args=[made.pk, 7])).status_code == 404


# What does not fit


@pytest.mark.parametrize("value", ["", "x", "-1", "0", "99999999999", "٣"])
def test_nonsense_is_a_message_and_never_an_error_page(
    as_user: As, ladder: Make, ana: User, bea: User, dora: User, value: str
) -> None:
    made, client = ladder(ana, dora), as_user(dora)
    challenge = call(made, dora, ana)
    for answer in (
        do(client, "ladder-challenge", made.pk, rival=value),
        do(client, "ladder-away", made.pk, days=value),
        do(client, "ladder-undo", made.pk, n=value, reason="r"),
        do(client, "ladder-redo", made.pk, n=value, reason="r"),
        do(client, "ladder-place", made.pk, player=value, to=value, reason="r"),
        do(client, "ladder-season-close", made.pk, ends_on=value or "x"),
    ):
        assert answer.status_code == 302
        assert said(answer)
    answer = do(client, "challenge-decide", made.pk, challenge.pk, winner=value if value != "0" else "", reason="r")
    assert (answer.status_code, len(said(answer))) == (302, 1)
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
        with django_assert_max_num_queries(MOST_QUERIES) as asked:
            assert client.get(reverse("ladder", args=[made.pk])).status_code == 200
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_the_page_asks_as_often_with_three_matches_as_with_one(
    as_user: As, ladder: Make, person: Callable[..., User], ana: User, django_assert_max_num_queries: Any
) -> None:
    crowd = [person(f"player{number}") for number in range(6)]
    made, client = ladder(*crowd), as_user(ana)
    counts = []
    for below, above in ((1, 0), (3, 2), (5, 4)):
        services.challenge_accept(challenge_id=call(made, crowd[below], crowd[above]).pk, user=crowd[above])
        with django_assert_max_num_queries(MOST_QUERIES) as asked:
            assert client.get(reverse("ladder", args=[made.pk])).status_code == 200
        counts.append(len(asked))
    assert counts[0] == counts[2]


def test_the_list_asks_as_often_for_three_ladders_as_for_one(
    as_user: As, ladder: Make, ana: User, bea: User, django_assert_max_num_queries: Any
) -> None:
    client, counts = as_user(ana), []
    for size in (1, 3):
        for _ in range(size - Ladder.objects.count()):
            ladder(ana, bea)
        with django_assert_max_num_queries(8) as asked:
            assert client.get(reverse("ladders")).status_code == 200
        counts.append(len(asked))
    assert counts[0] == counts[1]


# The word on any page


def missed(user: User, since: int) -> list[Json]:
    """What a page missed, the count of its bell apart (tests/notices)."""
    return [word for word in lists.missed(user_id=user.pk, since=since)[0] if word["t"] != "notice"]


def test_a_page_hears_again_of_a_challenge_that_it_missed(ladder: Make, ana: User, bea: User) -> None:
    made = ladder(ana, bea)
    since = lists.milliseconds(now()) - 1000
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
    assert [one.user.username for one in seen.established] == ["bea", "ana"]
    assert [one.user.username for one in seen.provisional] == ["carlos"]
    page = text(as_user(ana), made)
    assert "1 bea 9 matches 1620 2 ana you 9 matches 1550" in page
    assert 'id="join"' not in markup(as_user(ana), made)
