"""Orders by correspondence: what a player says beforehand is done when it comes to that, and nobody hears of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games import events, notify, orders, replay, services
from games.dice.hands import Hand, Hands
from games.errors import Refused
from games.events import state_of
from games.models import Action, Match
from games.registry import RULES
from games.selectors import table as selectors
from games.selectors.table import match_replay_state
from games.services import Answer
from tests.games.hands_of_time import Time

Open = Callable[..., Match]
Act = Callable[..., Answer]
Dice = deque[tuple[int, int]]

OPENING = [("white", "roll"), ("black", "roll"), ("chance", "dice 31")]
TO_DOUBLE = [*OPENING, ("white", "8/5 6/5")]  # Black is to roll or double, at version 4
ENTERING = [  # hypergammon: two men of White's are hit, and can only enter
    *(("white", "roll"), ("black", "roll"), ("chance", "dice 65"), ("white", "24/13")),
    *(("black", "roll"), ("chance", "dice 55"), ("black", "22/12*/2*"), ("white", "roll"), ("chance", "dice 15")),
]
TAKE = orders.Orders().given("double take", version=4, game=1)


def state_after(*actions: tuple[str, str], length: int = 5, variant: str = "backgammon") -> replay.State:
    rules = RULES[variant]
    options = {key: term.default for key, term in rules.terms(length).items()}
    return replay.fold(replay.start(rules, length, options), actions)


class TestOrders:
    """Pure: what stands, and what is due."""

    def test_an_answer_for_now_holds_at_the_version_that_was_seen(self) -> None:
        assert TAKE.answer(version=4, game=1) == "take"
        assert TAKE.answer(version=5, game=1) is None
        assert TAKE.lapsed(version=4, game=1) == TAKE
        assert TAKE.lapsed(version=5, game=1).double is None

    def test_an_answer_for_the_game_holds_until_its_end(self) -> None:
        mine = orders.Orders().given("double drop game", version=4, game=1)
        assert mine.answer(version=40, game=1) == "drop"
        assert mine.answer(version=41, game=2) is None

    def test_the_last_word_counts(self) -> None:
        assert TAKE.given("double drop", version=4, game=1).answer(version=4, game=1) == "drop"
        assert TAKE.given("double ask", version=4, game=1).double is None
        assert TAKE.given("forced on", version=4, game=1).double == "double take"
        assert TAKE.given("forced on", version=4, game=1).given("forced off", version=4, game=1).forced is False

    def test_an_id_stands_for_one_order_and_the_last_ones_are_remembered(self) -> None:
        mine = TAKE.heard("a-1", "double take", 4)
        assert (mine.first("a-1", "double take"), mine.first("a-2", "double take")) == (4, None)
        with pytest.raises(orders.Reused):
            mine.first("a-1", "double drop")
        for n in range(2, 20):
            mine = mine.heard(f"a-{n}", "double take", 4)
        assert len(mine.told) == orders.KEPT
        assert mine.first("a-19", "double take") == 4

    def test_a_book_is_restored_to_an_equal_value(self) -> None:
        book = orders.Book().put("black", TAKE.given("forced on", version=4, game=1).heard("a-1", "forced on", 4))
        assert orders.restore(book.snapshot()) == book
        assert orders.Book().snapshot() is None
        assert orders.restore(None) == orders.Book()

    def test_what_can_be_said_of_a_double_depends_on_the_cube(self) -> None:
        now, game = list(orders.NOW), list(orders.GAME)
        doubled = [*TO_DOUBLE, ("black", "double")]
        taken = [*doubled, ("white", "take")]
        for actions, white, black in (
            ([], game, game),
            (OPENING, game, game),
            (TO_DOUBLE, [*now, *game], game),
            (doubled, [], []),
            (taken, [], game),
        ):
            state = state_after(*actions)
            assert (orders.possible(state, "white"), orders.possible(state, "black")) == (white, black), actions
        assert orders.possible(state_after(*TO_DOUBLE, length=1), "white") == []
        assert orders.possible(state_after(variant="damas", length=1), "white") == []
        paused = state_after(*TO_DOUBLE, ("server", "pause"))
        assert orders.possible(paused, "white") == []

    def test_a_double_is_answered_and_nothing_else(self) -> None:
        book = orders.Book().put("white", TAKE)
        doubled = state_after(*TO_DOUBLE, ("black", "double"))

        def due(state: replay.State, version: int, *, doubled: bool) -> Any:
            return orders.due(state, book, None, version=version, doubled=doubled)

        assert due(doubled, 5, doubled=True) == ("white", "take", "")
        assert due(doubled, 6, doubled=True) is None  # something had come between
        assert due(doubled, 5, doubled=False) is None  # it was doubled before the order
        assert due(state_after(*TO_DOUBLE), 4, doubled=False) is None

    def test_a_double_that_was_made_has_done_with_what_both_have_said(self) -> None:
        book = orders.Book(*(orders.Orders().given("double take game", version=3, game=1) for _ in range(2)))
        state = state_after(*TO_DOUBLE, ("black", "double"), ("white", "take"))
        assert book.after(state, version=4, doubled=False) == book
        assert book.after(state, version=6, doubled=True) == orders.Book(
            *(orders.Orders(game=1, seen=3) for _ in range(2))
        )

    def test_the_one_play_is_forced_and_a_choice_is_not(self) -> None:
        assert orders.forced(state_after(*OPENING), "white") is None
        state = state_after(*ENTERING, variant="hypergammon")
        assert orders.forced(state, "white") == "bar/24 bar/20"
        assert orders.forced(state, "black") is None
        mine = orders.Orders().given("forced on", version=9, game=1)
        book = orders.Book().put("white", mine)
        assert orders.due(state, book, None, version=9, doubled=False) == ("white", "bar/24 bar/20", "")
        assert orders.due(state, orders.Book().put("black", mine), None, version=9, doubled=False) is None
        offered = replace(state, offer=replay.Offer("black", draw=True))
        assert orders.due(offered, book, None, version=9, doubled=False) is None

    def test_a_roll_that_spares_the_cube_is_left_where_one_could_double(self) -> None:
        hand = Hand(order=True, unless_double=True, left="ab" * 32)
        state, book = state_after(*TO_DOUBLE), orders.Book()
        assert orders.due(state, book, Hands("", black=hand), version=4, doubled=False) is None
        always = Hands("", black=Hand(order=True, left="ab" * 32))
        assert orders.due(state, book, always, version=4, doubled=False) == ("black", "roll", "ab" * 32)
        plain = state_after(*TO_DOUBLE, length=1)
        assert orders.due(plain, book, Hands("", black=hand), version=4, doubled=False) == ("black", "roll", "ab" * 32)


@pytest.fixture
def to_double(time: Time, open_table: Open, act: Act, thrown: Dice, ana: User, bea: User) -> Match:
    """At three days a turn: bea is to roll or double, at version 4, and ana has just played."""
    thrown.append((3, 1))
    match = open_table(clock="days3", rated=False)
    act(match, ana, "roll")
    act(match, bea, "roll")
    act(match, ana, "8/5 6/5")
    return match


def order(match: Match, user: User, text: str, *, after: int | None = None, client_id: str = "order-1") -> int:
    """At the present version, if none is said."""
    seen = fresh(match).version if after is None else after
    about = {"match_id": match.pk, "user_id": user.pk, "client_id": client_id}
    return services.match_order(order=text, after=seen, **about).version


def fresh(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def last(match: Match, count: int) -> list[tuple[str, str, str]]:
    """The last actions of the record: who, what, and what was asked."""
    rows = Action.objects.filter(match=match).order_by("-n")[:count]
    return [(row.actor, row.text, row.asked) for row in reversed(rows)]


def seen_by(match: Match, user: User | None) -> Any:
    event, side = selectors.match_event(match_id=match.pk, user_id=user.pk if user else None)
    return events.for_viewer(event, side, "state")


def standing(match: Match, user: User) -> Any:
    return seen_by(match, user)["orders"]["double"]


def refusal(do: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        do()
    return refused.value.code


@pytest.mark.django_db
class TestDouble:
    def test_an_ordered_take_is_made_with_the_double(
        self, to_double: Match, time: Time, act: Act, ana: User, bea: User
    ) -> None:
        assert order(to_double, ana, "double take") == 4
        time(days=2)
        assert act(to_double, bea, "double").version == 6
        assert last(to_double, 2) == [("black", "double", "double"), ("white", "take", "ordered")]
        state = state_of(fresh(to_double))
        assert (state.position.turn, state.may("black")[:1]) == ("black", ["roll"])
        assert fresh(to_double).flag_at == time.moment + timedelta(days=3)
        assert standing(to_double, ana) is None
        assert match_replay_state(fresh(to_double)) == state

    def test_an_ordered_drop_ends_the_game(self, to_double: Match, act: Act, ana: User, bea: User) -> None:
        order(to_double, ana, "double drop")
        act(to_double, bea, "double")
        match = fresh(to_double)
        assert last(match, 1) == [("white", "drop", "ordered")]
        assert {seat.side: seat.points for seat in match.seats.all()} == {"white": 0, "black": 1}
        assert state_of(match).game == 2
        assert standing(match, ana) is None

    def test_the_record_says_that_it_was_ordered_and_a_take_by_hand_says_nothing(
        self, to_double: Match, act: Act, ana: User, bea: User, carlos: User
    ) -> None:
        order(to_double, ana, "double take")
        act(to_double, bea, "double")
        act(to_double, bea, "roll")
        event, _side = selectors.match_sync(match_id=to_double.pk, user_id=carlos.pk, after=0)
        assert [each["text"] for each in event["actions"] if each.get("ordered")] == ["take"]

    def test_the_double_that_can_be_answered_comes_at_once_or_never(
        self, to_double: Match, act: Act, thrown: Dice, ana: User, bea: User
    ) -> None:
        order(to_double, ana, "double drop")
        thrown.extend([(6, 2), (5, 2)])
        act(to_double, bea, "roll")
        assert standing(to_double, ana) is None
        act(to_double, bea, "24/16")
        act(to_double, ana, "roll")
        act(to_double, ana, "13/8 24/22")
        act(to_double, bea, "double")
        assert last(to_double, 1) == [("black", "double", "double")]
        assert "take" in state_of(fresh(to_double)).may("white")

    def test_for_the_game_it_waits(self, to_double: Match, act: Act, thrown: Dice, ana: User, bea: User) -> None:
        order(to_double, ana, "double drop game")
        thrown.extend([(6, 2), (5, 2)])
        act(to_double, bea, "roll")
        act(to_double, bea, "24/16")
        act(to_double, ana, "roll")
        act(to_double, ana, "13/8 24/22")
        assert standing(to_double, ana) == "double drop game"
        act(to_double, bea, "double")
        assert last(to_double, 1) == [("white", "drop", "ordered")]
        assert standing(to_double, ana) is None

    def test_for_the_game_it_ends_with_the_game(self, to_double: Match, act: Act, ana: User, bea: User) -> None:
        order(to_double, ana, "double take game")
        act(to_double, bea, "resign 1", after=4)
        assert standing(to_double, ana) == "double take game"
        act(to_double, ana, "accept")
        assert standing(to_double, ana) is None

    def test_who_doubles_himself_has_ordered_nothing_for_a_later_cube(
        self, to_double: Match, act: Act, ana: User, bea: User
    ) -> None:
        order(to_double, bea, "double drop game")
        act(to_double, bea, "double")
        act(to_double, ana, "take")
        assert standing(to_double, bea) is None

    def test_it_can_be_changed_and_taken_back(self, to_double: Match, act: Act, ana: User, bea: User) -> None:
        order(to_double, ana, "double drop")
        order(to_double, ana, "double take", client_id="order-2")
        assert standing(to_double, ana) == "double take"
        order(to_double, ana, "double ask", client_id="order-3")
        assert standing(to_double, ana) is None
        act(to_double, bea, "double")
        assert last(to_double, 1) == [("black", "double", "double")]

    def test_the_same_id_again_gets_the_first_answer_and_changes_nothing(
        self, to_double: Match, act: Act, ana: User, bea: User
    ) -> None:
        assert [order(to_double, ana, "double drop", after=4) for _ in range(2)] == [4, 4]
        order(to_double, ana, "double ask", client_id="order-2")
        assert order(to_double, ana, "double drop", after=4) == 4  # on its way for long
        assert standing(to_double, ana) is None
        act(to_double, bea, "double")
        assert order(to_double, ana, "double drop", after=4) == 4
        assert refusal(lambda: order(to_double, ana, "double take", after=4)) == "id_reused"
        assert last(to_double, 1) == [("black", "double", "double")]

    def test_an_order_of_a_position_that_is_gone_is_none(
        self, to_double: Match, act: Act, ana: User, bea: User
    ) -> None:
        act(to_double, bea, "double")
        assert refusal(lambda: order(to_double, ana, "double drop", after=4)) == "stale"
        assert refusal(lambda: order(to_double, ana, "double drop game", after=4)) == "stale"
        assert fresh(to_double).orders is None

    def test_an_offer_to_resign_between_takes_it_back(self, to_double: Match, act: Act, ana: User, bea: User) -> None:
        order(to_double, ana, "double drop")
        act(to_double, bea, "resign 1", after=4)
        act(to_double, ana, "reject")
        act(to_double, bea, "double")
        assert last(to_double, 1) == [("black", "double", "double")]

    def test_a_beaver_is_not_ordered_nor_is_its_answer(
        self, time: Time, open_table: Open, act: Act, thrown: Dice, ana: User, bea: User
    ) -> None:
        thrown.append((3, 1))
        match = open_table(length=0, clock="days3", rated=False, options={"beavers": True})
        act(match, ana, "roll")
        act(match, bea, "roll")
        act(match, ana, "8/5 6/5")
        order(match, bea, "double drop game")
        assert refusal(lambda: order(match, ana, "double beaver", client_id="order-2")) == "bad_order"
        act(match, bea, "double")
        act(match, ana, "beaver")
        assert last(match, 1) == [("white", "beaver", "beaver")]
        assert "drop" in state_of(fresh(match)).may("black")

    def test_what_cannot_be_ordered(
        self, to_double: Match, open_table: Open, act: Act, ana: User, bea: User, carlos: User
    ) -> None:
        live = open_table(clock="club")
        about = {"match_id": to_double.pk, "user_id": ana.pk, "client_id": "order-1"}
        for do, code in (
            (lambda: order(to_double, carlos, "double take"), "not_seated"),
            (lambda: order(to_double, bea, "double take"), "order_double"),
            (lambda: order(live, ana, "forced on"), "orders_live"),
            (lambda: order(to_double, ana, "double beaver"), "bad_order"),
            (lambda: order(to_double, ana, "double take", client_id="no spaces"), "bad_id"),
            (lambda: services.match_order(order="double take", **about), "bad_version"),
            (lambda: services.match_order(order={"double": 1}, **about), "bad_order"),
        ):
            assert refusal(do) == code
        act(to_double, bea, "resign match", after=4)
        assert refusal(lambda: order(to_double, ana, "forced on")) == "match_over"
        assert fresh(to_double).orders is None

    def test_after_the_last_day_the_flag_comes_first(self, to_double: Match, time: Time, ana: User) -> None:
        time(days=3)
        assert refusal(lambda: order(to_double, ana, "double take", after=4)) == "stale"
        assert fresh(to_double).ended_by == "flag"


@pytest.mark.django_db
class TestForced:
    @pytest.fixture
    def hit(self, time: Time, open_table: Open, act: Act, thrown: Dice, ana: User, bea: User) -> Match:
        """Hypergammon at three days a turn: two men of ana's were hit, and she is to roll."""
        thrown.extend([(6, 5), (5, 5), (1, 5)])
        match = open_table(variant="hypergammon", length=1, clock="days3", rated=False)
        for user, action in ((ana, "roll"), (bea, "roll"), (ana, "24/13"), (bea, "roll"), (bea, "22/12*/2*")):
            act(match, user, action)
        return match

    def test_a_forced_play_is_made_at_once(self, hit: Match, time: Time, act: Act, ana: User) -> None:
        order(hit, ana, "forced on")
        time(days=1)
        act(hit, ana, "roll")
        assert last(hit, 2) == [("chance", "dice 15", ""), ("white", "bar/24 bar/20", "ordered")]
        assert fresh(hit).flag_at == time.moment + timedelta(days=3)  # bea's days, all of them
        assert seen_by(hit, ana)["orders"]["forced"] is True

    def test_one_that_is_due_already_is_made_with_the_order(self, hit: Match, time: Time, act: Act, ana: User) -> None:
        act(hit, ana, "roll")
        time(days=1)
        assert order(hit, ana, "forced on") == fresh(hit).version
        assert last(hit, 1) == [("white", "bar/24 bar/20", "ordered")]
        assert fresh(hit).flag_at == time.moment + timedelta(days=3)

    def test_without_an_order_nobody_plays_for_one(self, hit: Match, act: Act, ana: User) -> None:
        order(hit, ana, "forced on")
        order(hit, ana, "forced off", client_id="order-2")
        act(hit, ana, "roll")
        assert last(hit, 1) == [("chance", "dice 15", "")]
        assert seen_by(hit, ana)["orders"] == {"double": None, "forced": False, "may": []}


@pytest.mark.django_db
class TestSecrecy:
    def test_nobody_hears_of_an_order_before_it_is_carried_out(
        self,
        to_double: Match,
        act: Act,
        ana: User,
        bea: User,
        carlos: User,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        sent: list[Any] = []
        monkeypatch.setattr(notify, "_after_commit", lambda group, message: sent.append((group, message)))
        others = [bea, carlos, None]
        before = [payloads(to_double, user) for user in others]
        order(to_double, ana, "double drop game")
        order(to_double, ana, "forced on", client_id="order-2")
        assert sent == []
        assert [payloads(to_double, user) for user in others] == before
        assert "double drop game" in payloads(to_double, ana)["state"]

        act(to_double, bea, "roll")  # the next events say nothing of it either
        told = [message["event"] for _group, message in sent if "event" in message]
        for side in ("black", None):
            for event in told:
                frame = events.for_viewer(event, side, "event")
                assert mentions(foreign(frame, side)) == []
        assert told
        for user in (carlos, None):
            assert not any("double drop" in text for text in payloads(to_double, user).values())
        frame = seen_by(to_double, bea)
        assert mentions(foreign(frame, "black")) == []
        assert frame["orders"] == {"double": None, "forced": None, "may": list(orders.GAME)}

    def test_the_owner_sees_no_order_in_the_admin(self, to_double: Match, ana: User, person: Any) -> None:
        order(to_double, ana, "double drop")
        owner = Client()
        owner.force_login(person("owner", is_staff=True, is_superuser=True))
        page = owner.get(f"/admin/games/match/{to_double.pk}/change/", follow=True).content.decode()
        assert to_double.pk in page
        assert "double drop" not in page


def payloads(match: Match, user: User | None) -> dict[str, str]:
    """Every body that this viewer can fetch of a match, but for what a moment changes in it."""
    client = Client()
    if user is not None:
        client.force_login(user)
    api = f"/api/v1/matches/{match.pk}/"
    bodies = {name: client.get(api + path).content.decode() for name, path in
              (("state", ""), ("sync", "sync/"), ("dice", "dice/"))}  # fmt: skip
    bodies["frame"] = str(seen_by(match, user))
    for path in ("", "dice.json"):
        page = client.get(f"/match/{match.pk}/{path}")
        bodies[f"page {path}"] = str(page.context["state"]) if page.context else page.content.decode()
    return bodies


def foreign(frame: Any, side: str | None) -> Any:
    """A frame without what it says to its own seat about that seat."""
    rest = {key: value for key, value in frame.items() if side is None or key != "orders"}
    return {**rest, "dice": {key: value for key, value in frame["dice"].items() if key != side}}


def mentions(value: Any, path: str = "") -> list[str]:
    """Where a payload speaks of orders, at whatever depth: keys, and texts of orders."""
    if isinstance(value, dict):
        words = ("orders", "order", "unless_double", "left", "ordered")
        own = [f"{path}.{key}" for key in value if key in words]
        return own + [each for key, inner in value.items() for each in mentions(inner, f"{path}.{key}")]
    if isinstance(value, (list, tuple)):
        return [each for at, inner in enumerate(value) for each in mentions(inner, f"{path}[{at}]")]
    return [path] if value in orders.TEXTS else []


@pytest.mark.django_db
class TestOverHttp:
    def test_an_order_is_given_and_a_stale_one_brings_the_state(
        self, to_double: Match, act: Act, ana: User, bea: User
    ) -> None:
        client = Client()
        client.force_login(ana)

        def post(**body: Any) -> Any:
            return client.post(f"/api/v1/matches/{to_double.pk}/order/", body, content_type="application/json")

        given = {"id": "o-1", "order": "double take", "after": 4}
        assert (post(**given).status_code, post(**given).json()) == (200, {"version": 4})
        assert client.get(f"/api/v1/matches/{to_double.pk}/").json()["orders"] == {
            "double": "double take",
            "forced": None,
            "may": [*orders.NOW, *orders.GAME],
        }
        assert (post(id="o-2", order="double up").status_code, post(id="o-2").status_code) == (400, 400)
        act(to_double, bea, "roll")
        stale = post(id="o-3", order="double drop", after=4)
        assert (stale.status_code, stale.json()["code"], stale.json()["state"]["version"]) == (409, "stale", 6)
        assert Client().post(f"/api/v1/matches/{to_double.pk}/order/", given).status_code == 403


@pytest.mark.django_db
class TestResigning:
    def test_by_correspondence_nobody_resigns_unseen(self, to_double: Match, act: Act, ana: User, bea: User) -> None:
        for text in ("resign match", " resign 1"):
            assert refusal(lambda text=text: act(to_double, ana, text)) == "resign_unseen"  # type: ignore[misc]
            assert refusal(lambda text=text: act(to_double, ana, text, after=3)) == "stale"  # type: ignore[misc]
        assert act(to_double, ana, "resign 1", after=4).version == 5

    def test_at_the_table_one_may(self, open_table: Open, act: Act, ana: User) -> None:
        match = open_table(clock="club")
        act(match, ana, "resign match")
        assert fresh(match).ended_by == "resign"
