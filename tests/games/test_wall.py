"""Screens of many boards: which matches they choose, how little they are told, and who sees what."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import ties
from accounts.models import User
from accounts.services import BACKEND
from games import outbox, services, wall
from games.consumers import wall as consumer
from games.models import Match
from games.routing import websocket_urlpatterns
from games.selectors import wall as read
from games.wall import Facts
from tests.games.test_consumers import TableCase, find_key

SECRETS = ("tree", "private", "names", "may", "huff", "order", "dice_seed", "nonce", "commit")


def ids(matches: list[Facts]) -> list[str]:
    return [one.match_id for one in matches]


# Which is the best


def test_kinds_come_before_everything_else() -> None:
    best = Facts("table", humans=2)
    asleep = replace(best, match_id="asleep", idle=61.0, ratings=(1900.0, 1900.0))
    letters = replace(best, match_id="letters", live=False, ratings=(2000.0, 2000.0))
    mixed = replace(best, match_id="mixed", humans=1, ratings=(2000.0, 2000.0))
    bots = replace(best, match_id="bots", humans=0, ratings=(2000.0, 2000.0))
    assert ids(wall.ranked([bots, letters, mixed, asleep, best])) == ["table", "mixed", "bots", "asleep", "letters"]


@pytest.mark.parametrize(
    "better",
    [
        {"ratings": (1600.0, 1500.0)},
        {"length": 7},
        {"points": 4.0},
        {"spectators": 1},
    ],
)
def test_among_equals_ratings_length_progress_and_spectators_count(better: dict[str, Any]) -> None:
    usual = Facts("a", ratings=(1500.0, 1500.0))
    assert ids(wall.ranked([usual, replace(usual, match_id="b", **better)])) == ["b", "a"]


def test_no_single_thing_counts_without_end() -> None:
    far = wall.rank(Facts("far", ratings=(9000.0,), length=500, points=999.0, spectators=999))
    near = wall.rank(Facts("near", ratings=(2000.0,), length=25, points=49.0, spectators=8))
    assert far == near


def test_a_session_counts_as_a_short_match_and_the_order_of_equals_is_settled() -> None:
    assert wall.rank(Facts("session", length=0)) == wall.rank(Facts("three", length=3))
    assert ids(wall.ranked([Facts("b"), Facts("a")])) == ["a", "b"]
    assert ids(wall.ranked([Facts("a"), Facts("b")], watched={"b": 2})) == ["b", "a"]


# Television


SHOWN, OTHER = Facts("shown"), Facts("other", ratings=(2000.0,), length=11)


def test_television_stays_with_a_match_that_goes_on() -> None:
    channel = wall.follow(None, [SHOWN], moment=0.0)
    assert channel == wall.Channel("shown", 0.0)
    assert wall.follow(channel, [OTHER, SHOWN], moment=59.0) == channel
    assert wall.follow(channel, [OTHER, SHOWN], moment=60.0) == wall.Channel("other", 60.0)


def test_a_little_better_is_no_reason_to_leave() -> None:
    channel = wall.Channel("shown", 0.0)
    assert wall.follow(channel, [Facts("other", spectators=4), SHOWN], moment=500.0) == channel
    assert wall.follow(channel, [Facts("other", spectators=5), SHOWN], moment=500.0) == wall.Channel("other", 500.0)


def test_a_match_that_stands_still_is_left_at_once() -> None:
    channel = wall.Channel("shown", 0.0)
    assert wall.follow(channel, [OTHER, replace(SHOWN, idle=61.0)], moment=5.0) == wall.Channel("other", 5.0)
    assert wall.follow(channel, [replace(SHOWN, idle=61.0)], moment=5.0) == channel


def test_a_result_is_shown_for_some_seconds_and_for_longer_where_nothing_follows() -> None:
    channel = wall.Channel("shown", 0.0)
    ended = {"shown": 100.0}
    assert wall.follow(channel, [OTHER], moment=107.9, ended=ended) == channel
    assert wall.follow(channel, [OTHER], moment=108.0, ended=ended) == wall.Channel("other", 108.0)
    assert wall.follow(channel, [], moment=500.0, ended=ended) == channel
    assert wall.follow(channel, [], moment=500.0) is None  # adjourned, or out of sight


# Places


def test_who_is_shown_keeps_his_place_and_gaps_are_filled_by_the_best() -> None:
    assert wall.places([], ["a", "b", "c"], most=2) == ["a", "b"]
    assert wall.places(["b", "x", "a"], ["new", "a", "b"], most=3) == ["b", "new", "a"]
    assert wall.places(["a", "over"], ["new", "a"], kept={"over"}, most=2) == ["a", "over"]
    assert wall.places(["a", "b"], ["b"], most=3) == ["b"]


def test_a_board_goes_when_many_others_are_better() -> None:
    better = [f"m{n:02}" for n in range(wall.MOST + wall.SLACK)]
    assert "mine" in wall.places(["mine"], [*better[:-1], "mine"])
    assert "mine" not in wall.places(["mine"], [*better, "mine"])
    assert len(wall.places(["mine"], better)) == wall.MOST


# Pace


def test_two_frames_a_second_at_the_most_and_the_last_one_wins() -> None:
    pace: wall.Pace[str] = wall.Pace()
    pace.offer("a", "a1")
    assert pace.due(10.0) == ["a1"]
    for said in ("a2", "a3"):
        pace.offer("a", said)
    pace.offer("b", "b1")
    assert pace.due(10.1) == ["b1"]  # each board for itself
    assert pace.wait(10.1) == pytest.approx(0.4)
    assert pace.due(10.49) == []
    assert pace.due(10.5) == ["a3"]
    assert pace.wait(10.5) is None


def test_a_thousand_words_in_ten_seconds_are_twenty_frames() -> None:
    pace: wall.Pace[int] = wall.Pace()
    heard = []
    for tick in range(1000):
        pace.offer("a", tick)
        heard += pace.due(tick / 100)
    assert len(heard) == 20
    pace.offer("a", 1000)
    pace.forget("a")
    assert pace.due(99.0) == []


# Reading


Open = Callable[..., Match]
Act = Callable[..., Any]


@pytest.fixture
def table(open_table: Open, act: Act, ana: User, bea: User, thrown: Any) -> Match:
    """ana is to play 31."""
    thrown.append((3, 1))
    match = open_table()
    act(match, ana, "roll")
    act(match, bea, "roll")
    match.refresh_from_db()
    return match


def seat_others(count: int, *, first: int = 0) -> list[Match]:
    made = []
    for number in range(first, first + count):
        one, two = (User.objects.create_user(f"{name}{number}") for name in ("uno", "dos"))
        seek = services.match_create(creator=one, variant="backgammon", length=3, clock="club", rated=False)
        made.append(services.match_join(match_id=seek.pk, user=two))
    return made


def test_a_board_is_what_any_spectator_sees_and_nothing_more(table: Match) -> None:
    [board] = read.boards([table.pk], user_id=None)
    for secret in SECRETS:
        assert find_key(board, secret) == [], secret
    assert board["position"]["dice"] == [3, 1]
    assert (board["version"], board["status"], board["score"]["length"]) == (3, "live", 5)
    assert board["clock"]["running"] == "white"
    assert [board["about"]["players"][side]["name"] for side in ("white", "black")] == ["ana", "bea"]
    assert set(board["position"]) <= set(wall.BOARD)


@pytest.mark.parametrize("variant", ["backgammon", "acey-deucey", "damas"])
def test_the_projection_of_an_event_and_the_reading_of_the_rows_agree(
    open_table: Open, act: Act, ana: User, bea: User, variant: str
) -> None:
    from games.selectors.table import match_event

    match = open_table(variant=variant, length={"acey-deucey": 15}.get(variant, 5), clock="none")
    act(match, ana, "roll")
    act(match, bea, "roll")
    event, _ = match_event(match_id=match.pk, user_id=ana.pk)
    [board] = read.boards([match.pk], user_id=None)
    board.pop("about")
    assert wall.board(event) == board


def test_at_most_sixteen_and_what_is_no_match_is_passed_over(db: None) -> None:
    made = [match.pk for match in seat_others(18)]
    assert len(read.boards(made, user_id=None)) == wall.MOST
    assert read.boards(["nothing", made[0], made[0]], user_id=None)[0]["id"] == made[0]
    assert read.boards([], user_id=None) == []
    assert consumer.named([*made, 7, None, "a b", "x" * 17]) == tuple(made[:16])


@pytest.mark.usefixtures("table")
def test_open_and_cancelled_matches_are_never_shown(ana: User) -> None:
    seek = services.match_create(creator=ana, variant="backgammon", length=3, clock="club", rated=False)
    assert read.boards([seek.pk], user_id=ana.pk) == []
    services.match_cancel(match_id=seek.pk, user=ana)
    assert read.boards([seek.pk], user_id=ana.pk) == []


def test_the_filters_of_a_wall(table: Match, ana: User, carlos: User) -> None:
    [other] = seat_others(1)
    Match.objects.filter(pk=other.pk).update(from_url="/tournaments/7/", title="Jueves · Round 1", variant="nackgammon")

    def found(**wish: Any) -> set[str]:
        return {one.match_id for one in read.candidates(read.Wish(**wish))}

    assert found() == {table.pk, other.pk}
    assert found(game="nackgammon") == {other.pk}
    assert found(from_url="/tournaments/7/") == {other.pk}
    assert found(people=frozenset([ana.pk])) == {table.pk}
    assert found(people=frozenset([carlos.pk])) == set()
    assert found(people=frozenset()) == set()


def test_who_left_the_table_or_adjourned_is_not_chosen(table: Match) -> None:
    Match.objects.filter(pk=table.pk).update(pause={"by": "ana", "adjourned": True, "ready": []})
    assert read.candidates(read.Wish()) == []
    Match.objects.filter(pk=table.pk).update(pause=None, clock_at=table.clock_at - timedelta(minutes=31))
    assert read.candidates(read.Wish()) == []


def test_the_choice_knows_ratings_people_and_how_long_nothing_happened(table: Match, ana: User) -> None:
    Match.objects.filter(pk=table.pk).update(clock_at=table.clock_at - timedelta(seconds=90))
    User.objects.filter(pk=ana.pk).update(is_bot=True)
    [one] = read.candidates(read.Wish())
    assert (one.facts.humans, one.facts.live, one.facts.length) == (1, True, 5)
    assert 90 <= one.facts.idle < 95
    assert one.score == "0–0"


@pytest.mark.django_db
def test_the_same_queries_for_one_board_and_for_three() -> None:
    viewer = User.objects.create_user("carlos")
    made: list[str] = []
    asked: list[tuple[int, int]] = []
    for _ in range(3):
        made += [match.pk for match in seat_others(1, first=len(made))]
        with CaptureQueriesContext(connection) as chosen:
            assert len(read.candidates(read.Wish())) == len(made)
        with CaptureQueriesContext(connection) as told:
            assert len(read.boards(made, user_id=viewer.pk)) == len(made)
        asked.append((len(chosen), len(told)))
    assert asked == [asked[0]] * 3
    assert max(asked[0]) <= 7


def test_a_block_keeps_a_match_from_both(table: Match, ana: User, carlos: User) -> None:
    ties.tie_make(by=ana, about=carlos, kind=ties.BLOCK)
    assert read.boards([table.pk], user_id=carlos.pk) == []
    assert len(read.boards([table.pk], user_id=None)) == 1
    client = Client()
    client.force_login(carlos, backend=BACKEND)
    assert table.pk not in client.get(reverse("wall")).content.decode()
    assert client.get(reverse("match-overlay", args=[table.pk])).status_code == 404


# Pages


def test_the_pages_hold_the_list_for_who_has_no_script(client: Client, table: Match) -> None:
    for name in ("tv", "wall"):
        page = client.get(reverse(name)).content.decode()
        assert reverse("match", args=[table.pk]) in page
    assert table.pk not in client.get(reverse("wall"), {"game": "damas"}).content.decode()
    strange = {"game": "x", "of": "y", "from": "<script>"}
    assert '<script>"' not in client.get(reverse("wall"), strange).content.decode()


def test_the_overlay_knows_its_choices_and_no_others(client: Client, table: Match) -> None:
    page = client.get(reverse("match-overlay", args=[table.pk])).content.decode()
    assert 'data-theme="dark"' in page
    assert "ov-left ov-m" in page
    assert "ov-board" not in page
    said = {"side": "right", "size": "l", "theme": "light", "board": "1"}
    page = client.get(reverse("match-overlay", args=[table.pk]), said).content.decode()
    assert 'data-theme="light"' in page
    assert "ov-right ov-l" in page
    assert "ov-board" in page
    strange = client.get(reverse("match-overlay", args=[table.pk]), {"size": '"><b>'}).content.decode()
    assert "<b>&" not in strange
    assert "ov-left ov-m" in strange
    assert client.get(reverse("match-overlay", args=["nothing"])).status_code == 404


# The socket


def test_the_address_of_a_wall_is_read_with_care() -> None:
    def asked(query: str) -> consumer.Asked:
        return consumer.asked_by({"query_string": query.encode()})

    assert asked("") == consumer.Asked()
    assert asked("game=damas&from=/tournaments/7/&show=tv").wish == read.Wish("damas", "/tournaments/7/")
    assert asked("show=tv").tv
    assert asked("of=followed").followed
    assert asked("ids=a,b,a,../x").ids == ("a", "b")
    assert asked("game=poker&from=//evil/&ids=").wish == read.Wish()


class Wall(TableCase):
    """carlos looks at the wall while ana and bea play."""

    def setUp(self) -> None:
        super().setUp()
        look = patch.object(consumer, "LOOK", 0.05)
        look.start()
        self.addCleanup(look.stop)

    async def hang(self, query: str = "", user: User | None = None) -> WebsocketCommunicator:
        from channels.routing import URLRouter

        socket = WebsocketCommunicator(URLRouter(websocket_urlpatterns), f"/ws/wall/{query}")
        socket.scope["user"] = user
        assert (await socket.connect())[0]
        return socket

    async def act_as(self, user: User, action: str, **more: Any) -> None:
        self.count += 1
        await database_sync_to_async(services.match_act)(
            match_id=self.match.pk, user_id=user.pk, action=action, client_id=f"wall-{self.count}", **more
        )

    async def test_it_says_the_boards_and_then_what_happens_on_them(self) -> None:
        carlos = await self.hang(user=self.carlos)
        frame = await self.hear(carlos, "boards")
        assert frame["ids"] == [self.match.pk]
        assert frame["boards"][0]["about"]["words"]["game"] == "Backgammon"
        await self.act_as(self.ana, "roll")
        assert (await self.hear(carlos, "board"))["version"] == 1
        started = time.monotonic()
        await self.act_as(self.bea, "roll")
        board = await self.hear(carlos, "board")
        assert (board["version"], board["position"]["dice"]) == (3, [3, 1])
        assert time.monotonic() - started > 0.25  # the second word of one board waited
        for secret in SECRETS:
            assert find_key(board, secret) == [], secret
        await self.leave(carlos)

    async def test_what_was_lost_is_seen_in_the_heartbeat_and_asked_for_again(self) -> None:
        carlos = await self.hang()
        await self.hear(carlos, "boards")

        def unheard() -> None:
            with outbox.collecting():
                services.match_act(match_id=self.match.pk, user_id=self.ana.pk, action="roll", client_id="lost")

        await database_sync_to_async(unheard)()
        await carlos.send_json_to({"t": "ping"})
        assert (await self.hear(carlos, "pong"))["versions"] == {self.match.pk: 1}
        await carlos.send_json_to({"t": "again", "ids": [self.match.pk, "nothing"]})
        assert (await self.hear(carlos, "board"))["version"] == 1
        await self.leave(carlos)

    async def test_a_new_match_appears_and_one_that_ended_goes_after_its_result(self) -> None:
        carlos = await self.hang()
        await self.hear(carlos, "boards")
        [other] = await database_sync_to_async(seat_others)(1)
        assert (await self.hear(carlos, "boards"))["ids"] == [self.match.pk, other.pk]
        with patch.object(wall, "KEPT", 0.5):
            await self.act_as(self.ana, "resign match")
            board = await self.hear(carlos, "board")
            while board["status"] != "over":
                await self.act_as(self.bea, "accept")
                board = await self.hear(carlos, "board")
            assert board["result"] == {"winner": "black", "by": "resign"}
            assert (await self.hear(carlos, "boards"))["ids"] == [other.pk]
        await self.leave(carlos)

    async def test_an_end_that_nobody_said_is_shown_too(self) -> None:
        carlos = await self.hang()
        await self.hear(carlos, "boards")

        def unheard() -> None:
            with outbox.collecting():
                services.match_act(match_id=self.match.pk, user_id=self.ana.pk, action="resign match", client_id="x1")
                if Match.objects.get(pk=self.match.pk).status != Match.Status.OVER:
                    services.match_act(match_id=self.match.pk, user_id=self.bea.pk, action="accept", client_id="x2")

        await database_sync_to_async(unheard)()
        assert (await self.hear(carlos, "board"))["status"] == "over"
        await self.leave(carlos)

    async def test_a_client_names_boards_and_gives_the_choice_back(self) -> None:
        others = await database_sync_to_async(seat_others)(2)
        carlos = await self.hang(f"?ids={others[1].pk}")
        assert (await self.hear(carlos, "boards"))["ids"] == [others[1].pk]
        await carlos.send_json_to({"t": "show", "ids": [self.match.pk, "nothing", 7, others[0].pk]})
        assert (await self.hear(carlos, "boards"))["ids"] == [self.match.pk, others[0].pk]
        await carlos.send_json_to({"t": "show"})
        assert len((await self.hear(carlos, "boards"))["ids"]) == 3
        await self.leave(carlos)

    async def test_television_says_the_large_board_first(self) -> None:
        others = await database_sync_to_async(seat_others)(8)
        carlos = await self.hang("?show=tv")
        frame = await self.hear(carlos, "boards")
        assert frame["ids"][0] == self.match.pk  # to 5, the others to 3
        assert len(frame["ids"]) == 1 + wall.QUEUE
        assert set(frame["ids"][1:]) < {other.pk for other in others}
        await self.leave(carlos)

    async def test_a_block_hides_a_board_and_only_from_these_two(self) -> None:
        await database_sync_to_async(ties.tie_make)(by=self.bea, about=self.carlos, kind=ties.BLOCK)
        for query in ("", f"?ids={self.match.pk}"):
            carlos, passer_by = await self.hang(query, self.carlos), await self.hang(query)
            assert (await self.hear(carlos, "boards"))["ids"] == []
            assert (await self.hear(passer_by, "boards"))["ids"] == [self.match.pk]
            await self.act_as(self.ana, "roll") if not query else None
            assert await carlos.receive_nothing(timeout=0.3)
            await self.leave(carlos, passer_by)

    async def test_whom_i_follow(self) -> None:
        await database_sync_to_async(seat_others)(1)
        await database_sync_to_async(ties.tie_make)(by=self.carlos, about=self.ana, kind=ties.FOLLOW)
        carlos, passer_by = await self.hang("?of=followed", self.carlos), await self.hang("?of=followed")
        assert (await self.hear(carlos, "boards"))["ids"] == [self.match.pk]
        assert (await self.hear(passer_by, "boards"))["ids"] == []
        await self.leave(carlos, passer_by)

    async def test_who_comes_and_goes_at_a_table_is_not_for_walls(self) -> None:
        carlos = await self.hang()
        await self.hear(carlos, "boards")
        ana = await self.sit(self.ana)
        await self.hear(ana, "state")
        await self.leave(ana)
        assert await carlos.receive_nothing(timeout=0.3)
        await carlos.send_json_to({"t": "ping"})
        await self.hear(carlos, "pong")
        await self.leave(carlos)

    async def test_crafted_frames_are_refused(self) -> None:
        carlos = await self.hang()
        await self.hear(carlos, "boards")
        for frame, code in [
            ({"t": "act", "action": "roll"}, "unknown_command"),
            ({"t": "again"}, "bad_frame"),
            ({"t": "show", "ids": "all"}, "bad_frame"),
            ({}, "unknown_command"),
        ]:
            await carlos.send_json_to(frame)
            assert (await self.hear(carlos, "refused"))["code"] == code, frame
        await carlos.send_to(text_data="x" * 5000)
        assert (await self.hear(carlos, "refused"))["code"] == "too_large"
        assert (await carlos.receive_output(timeout=5))["code"] == 4413

    async def test_many_walls_ask_the_database_once(self) -> None:
        asked = 0

        def counted(wish: read.Wish) -> list[read.Candidate]:
            nonlocal asked
            asked += 1
            return read.candidates(wish)

        with patch.object(consumer, "LOOK", 30.0), patch.object(consumer, "candidates", counted):
            walls = [await self.hang() for _ in range(5)]
            for one in walls:
                await self.hear(one, "boards")
            await asyncio.sleep(0)
            assert asked == 1
            await self.leave(*walls)

    async def test_spectators_are_counted_and_walls_and_players_are_not(self) -> None:
        ana, bea, carlos = await self.opened()
        hung = await self.hang()
        await self.hear(hung, "boards")
        assert consumer.here().watched() == {self.match.pk: 1}
        await self.leave(ana, bea, carlos, hung)
