"""An absent opponent: found in the rows, waited for; then claiming, adjourning and resuming."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from accounts.programs.services import bot_token_renew
from games import services
from games.errors import NotFound, Refused
from games.events import state_of
from games.models import Action, Match, Seat, SiteHeartbeat
from games.selectors import lobby as lobby_selectors
from games.selectors.heartbeats import MatchHeartbeat, match_heartbeat
from games.selectors.match_state import match_event
from games.services import Answer, outage, presence
from tests.games.clock_control import Time
from tests.replayed_state import replayed_state

pytestmark = pytest.mark.django_db

Open = Callable[..., Match]
Act = Callable[..., Answer]
JSON = "application/json"


@pytest.fixture
def match(time: Time, open_table: Open, act: Act, next_rolls: deque[tuple[int, int]], ana: User, bea: User) -> Match:
    """bea is to play 31, and both have just been seen."""
    return begin(open_table, act, next_rolls, ana, bea)


def begin(open_table: Open, act: Act, next_rolls: deque[tuple[int, int]], ana: User, bea: User, **terms: Any) -> Match:
    next_rolls.append((1, 3))
    match = open_table(**terms)
    act(match, ana, "roll")
    act(match, bea, "roll")
    see(match, ana, bea)
    return match


def see(match: Match, *users: User) -> None:
    for user in users:
        presence.seat_seen(match.pk, user.pk)
    presence.write()


def pulse(match: Match, user: User | None) -> MatchHeartbeat:
    return match_heartbeat(match_id=match.pk, user_id=user.pk if user else None)


def claim(match: Match, user: User, client_id: str = "page-1") -> Answer:
    return services.match_claim(match_id=match.pk, user_id=user.pk, client_id=client_id)


def adjourn(match: Match, user: User, client_id: str = "page-1") -> Answer:
    return services.match_adjourn(match_id=match.pk, user_id=user.pk, client_id=client_id)


def go_on(match: Match, user: User) -> Answer:
    return services.match_go_on(match_id=match.pk, user_id=user.pk)


def refused(step: Callable[..., Answer], *about: Any) -> str:
    with pytest.raises(Refused) as refusal:
        step(*about)
    return refusal.value.code


class TestAway:
    """The answer to each viewer's heartbeat."""

    def test_a_player_seen_eight_seconds_ago_is_not_away(self, match: Match, time: Time, ana: User) -> None:
        time(seconds=8)
        assert pulse(match, ana) == MatchHeartbeat(3, {})

    def test_a_silent_opponent_is_away_and_the_countdown_runs_from_the_last_sign(
        self, match: Match, time: Time, ana: User, carlos: User
    ) -> None:
        time(seconds=23)
        assert pulse(match, ana).away == {"black": {"since_ms": 23_000, "left_ms": 97_000}}
        assert pulse(match, carlos).away == {"white": {"since_ms": 23_000}, "black": {"since_ms": 23_000}}

    def test_a_player_who_asks_is_present(self, match: Match, time: Time, ana: User, bea: User) -> None:
        time(seconds=23)
        see(match, ana)
        assert pulse(match, bea).away == {}

    def test_after_the_countdown_the_options_are_listed(self, match: Match, time: Time, ana: User) -> None:
        time(seconds=120)
        ended = {"since_ms": 120_000, "left_ms": 0, "may": ["claim", "adjourn"]}
        assert pulse(match, ana).away == {"black": ended}

    def test_no_claim_is_possible_while_the_match_waits_for_the_present_player(
        self, match: Match, time: Time, ana: User, bea: User
    ) -> None:
        time(seconds=130)
        assert pulse(match, bea).away == {"white": {"since_ms": 130_000, "left_ms": 0, "may": []}}

    def test_one_frame_of_another_tab_is_enough(self, match: Match, time: Time, ana: User, bea: User) -> None:
        time(seconds=60)
        see(match, bea)
        assert pulse(match, ana).away == {}

    def test_only_the_players_of_the_match_are_recorded(self, match: Match, carlos: User) -> None:
        presence.seat_seen(match.pk, carlos.pk)
        presence.seat_seen(match.pk, None)
        assert presence.write() == 0
        assert presence.write() == 0

    def test_a_player_who_never_arrived_is_absent_from_the_start_of_the_match(
        self, time: Time, open_table: Open, ana: User
    ) -> None:
        match = open_table()
        time(seconds=30)
        assert pulse(match, ana).away == {"black": {"since_ms": 30_000, "left_ms": 90_000}}

    def test_nobody_is_away_in_correspondence_play_or_after_the_end(
        self, time: Time, open_table: Open, match: Match, ana: User, bea: User, act: Act
    ) -> None:
        slow = open_table(clock="days3")
        act(match, bea, "resign match")
        time(minutes=30)
        assert pulse(slow, ana) == MatchHeartbeat(0, None)
        assert pulse(match, ana) == MatchHeartbeat(4, None)

    def test_the_sites_bot_is_never_away(self, match: Match, time: Time, ana: User, bea: User) -> None:
        User.objects.filter(pk=bea.pk).update(is_bot=True)
        time(minutes=9)
        assert pulse(match, ana).away == {}
        assert refused(claim, match, ana) == "not_away"

    def test_there_is_no_heartbeat_for_an_unknown_match(self) -> None:
        with pytest.raises(NotFound):
            match_heartbeat(match_id="nothing", user_id=None)


class TestBots:
    """A member's bot is present while its program listens or polls, else away like any player; here it is bea."""

    @pytest.fixture
    def bot(self, match: Match, bea: User, dora: User) -> Iterator[User]:
        User.objects.filter(pk=bea.pk).update(is_bot=True, owner=dora)
        yield bea
        presence.write()  # its presence does not leak into other tests

    @pytest.fixture
    def bot_client(self, bot: User) -> Client:
        """The bot's program, with its token."""
        return Client(headers={"Authorization": f"Bearer {bot_token_renew(bot=bot)}"})

    def test_a_bot_that_is_offline_is_away_and_its_match_can_be_claimed(
        self, match: Match, time: Time, bot: User, ana: User
    ) -> None:
        time(seconds=30)
        assert pulse(match, ana).away == {"black": {"since_ms": 30_000, "left_ms": 90_000}}
        assert refused(claim, match, ana) == "not_away"
        time(seconds=90)
        ended = {"since_ms": 120_000, "left_ms": 0, "may": ["claim", "adjourn"]}
        assert pulse(match, ana).away == {"black": ended}
        assert claim(match, ana) == Answer(4)
        match.refresh_from_db()
        assert (match.winner, match.ended_by) == ("white", "absent")

    def test_a_bot_that_polls_its_events_is_present_at_all_its_matches(
        self, match: Match, time: Time, bot_client: Client, open_table: Open, ana: User
    ) -> None:
        other, slow = open_table(rated=False), open_table(rated=False, clock="days3")
        time(seconds=125)
        bot_client.get("/api/v1/bots/events/")
        assert refused(claim, match, ana) == "not_away"  # also before it is written
        assert presence.write() == 2
        assert pulse(match, ana).away == pulse(other, ana).away == {}
        assert slow.seats.get(side="black").seen_at is None  # in correspondence play nobody is away
        time(seconds=120)
        assert claim(match, ana) == Answer(4)

    def test_a_bot_with_an_open_socket_is_present_until_its_last_socket_closes(
        self, match: Match, time: Time, bot: User, ana: User
    ) -> None:
        presence.bot_connected(bot.pk)
        presence.bot_connected(bot.pk)
        for _ in range(2):
            time(seconds=125)
            assert refused(claim, match, ana) == "not_away"
            assert presence.write() == 1
            assert pulse(match, ana).away == {}
            presence.bot_disconnected(bot.pk)
        time(seconds=120)
        assert presence.write() == 0
        assert claim(match, ana) == Answer(4)

    def test_a_bot_is_notified_when_the_other_player_wants_to_resume(
        self, match: Match, time: Time, bot_client: Client, ana: User
    ) -> None:
        time(seconds=125)
        adjourn(match, ana)
        events = "/api/v1/bots/events/"
        assert bot_client.get(events).json() == {"events": []}
        presence.write()
        go_on(match, ana)
        [resumed] = bot_client.get(events).json()["events"]
        assert (resumed["t"], resumed["id"], resumed["from"]) == ("resume", match.pk, "ana")
        see(match, ana)
        assert bot_client.post(f"/api/v1/matches/{match.pk}/go-on/", {}, JSON).json() == {"version": 5}
        assert [event["t"] for event in bot_client.get(events).json()["events"]] == ["turn"]


class TestOutages:
    """Outages of the site count against no player."""

    def test_there_is_no_countdown_for_ten_minutes_after_an_outage(self, match: Match, time: Time, ana: User) -> None:
        outage.beat()
        for _ in range(149):
            time(seconds=4)
            outage.beat()
        assert pulse(match, ana).away == {"black": {"since_ms": 596_000}}
        assert refused(claim, match, ana) == "not_away"
        time(seconds=4)
        outage.beat()
        assert pulse(match, ana).away == {"black": {"since_ms": 600_000, "left_ms": 120_000}}

    def test_there_is_no_countdown_after_a_short_restart(self, match: Match, time: Time, ana: User) -> None:
        SiteHeartbeat.objects.create(pk=1, at=time.moment, since=time.moment)
        time(minutes=30)
        presence.process_started()
        SiteHeartbeat.objects.update(at=time.moment)
        assert pulse(match, ana).away == {"black": {"since_ms": 1_800_000}}

    def test_nobody_is_away_while_the_site_is_down(self, match: Match, time: Time, ana: User) -> None:
        SiteHeartbeat.objects.create(pk=1, at=time.moment, since=time.moment)
        time(minutes=30)
        assert pulse(match, ana).away == {}


class TestClaim:
    def test_the_present_player_wins_and_it_counts(
        self, match: Match, time: Time, act: Act, next_rolls: deque[tuple[int, int]], ana: User, bea: User
    ) -> None:
        next_rolls.append((3, 1))
        for user, action in ((bea, "8/5 6/5"), (ana, "roll"), (ana, "8/5 6/5")):
            act(match, user, action)
        time(seconds=120)
        assert claim(match, ana) == Answer(8)
        match.refresh_from_db()
        assert (match.status, match.winner, match.ended_by) == ("over", "white", "absent")
        assert Action.objects.filter(match=match).values_list("actor", "text").last() == ("server", "absent black")
        assert {seat.side: seat.won for seat in match.seats.all()} == {"white": True, "black": False}
        assert match.rated_match.counts
        assert replayed_state(match) == state_of(match)

    def test_a_repeated_id_gets_the_same_answer_and_another_id_is_refused(
        self, match: Match, time: Time, ana: User
    ) -> None:
        time(seconds=120)
        assert claim(match, ana) == claim(match, ana) == Answer(4)
        assert refused(claim, match, ana, "page-2") == "match_over"
        assert refused(adjourn, match, ana) == "id_reused"
        assert Action.objects.filter(match=match).count() == 4

    @pytest.mark.parametrize("seconds", [0, 60, 119])
    def test_before_the_countdown_ends_it_is_refused(self, match: Match, time: Time, ana: User, seconds: int) -> None:
        time(seconds=seconds)
        assert refused(claim, match, ana) == "not_away"

    def test_a_player_back_in_time_loses_only_time(self, match: Match, time: Time, ana: User, bea: User) -> None:
        time(seconds=120)
        see(match, bea)
        assert refused(claim, match, ana) == "not_away"

    def test_an_unsaved_action_or_frame_counts(
        self, match: Match, time: Time, act: Act, next_rolls: deque[tuple[int, int]], ana: User, bea: User
    ) -> None:
        time(seconds=120)
        next_rolls.append((6, 6))
        act(match, bea, "8/5 6/5")
        act(match, ana, "double")
        assert refused(claim, match, ana) == "not_away"
        time(seconds=120)
        presence.seat_seen(match.pk, bea.pk)
        assert refused(claim, match, ana) == "not_away"
        presence.write()
        assert refused(claim, match, ana) == "not_away"
        time(seconds=120)
        assert claim(match, ana) == Answer(6)

    def test_a_claim_on_the_claimants_own_turn_is_refused(self, match: Match, time: Time, bea: User) -> None:
        time(seconds=120)
        assert refused(claim, match, bea) == "away_turn"

    def test_a_spectator_cannot_claim(self, match: Match, time: Time, carlos: User) -> None:
        time(seconds=120)
        assert refused(claim, match, carlos) == "not_seated"
        assert refused(claim, match, carlos, "not an id") == "bad_id"

    def test_a_money_session_ends_at_its_points(
        self, time: Time, open_table: Open, act: Act, next_rolls: deque[tuple[int, int]], ana: User, bea: User
    ) -> None:
        match = begin(open_table, act, next_rolls, ana, bea, length=0, clock="game5", rated=False)
        time(seconds=120)
        claim(match, ana)
        match.refresh_from_db()
        assert (match.status, match.winner, match.ended_by) == ("over", "", "absent")

    def test_a_flag_that_has_fallen_comes_first(self, match: Match, time: Time, ana: User) -> None:
        time(minutes=11)
        assert refused(claim, match, ana) == "time_up"
        match.refresh_from_db()
        assert (match.winner, match.ended_by) == ("white", "flag")


class TestAdjourn:
    @pytest.fixture
    def adjourned(self, match: Match, time: Time, ana: User) -> Match:
        time(seconds=130)
        adjourn(match, ana)
        match.refresh_from_db()
        return match

    def test_no_clock_runs_and_nobody_can_act(
        self, adjourned: Match, time: Time, act: Act, ana: User, bea: User
    ) -> None:
        at = time.moment.isoformat()
        assert (adjourned.version, adjourned.flag_at) == (4, None)
        event, _ = match_event(match_id=adjourned.pk, user_id=ana.pk)
        assert event["paused"] == {"by": "ana", "adjourned": True, "ready": [], "at": at}
        assert refused(act, adjourned, bea, "8/5 6/5") == "paused"
        assert refused(claim, adjourned, ana, "page-2") == "paused"
        time(days=3)
        assert services.match_touch(match_id=adjourned.pk) == 4

    def test_it_resumes_when_both_agree_with_the_clocks_unchanged(
        self, adjourned: Match, time: Time, act: Act, ana: User, bea: User
    ) -> None:
        time(days=3)
        assert go_on(adjourned, bea) == Answer(4)
        event, _ = match_event(match_id=adjourned.pk, user_id=ana.pk)
        assert event["paused"]["ready"] == ["black"]
        assert go_on(adjourned, bea) == Answer(4)
        time(seconds=5)
        assert go_on(adjourned, ana) == Answer(5)
        adjourned.refresh_from_db()
        assert (adjourned.pause, adjourned.clock["black"], adjourned.clock["running"]) == (None, 482_000, "black")
        assert pulse(adjourned, ana).away == {}
        assert go_on(adjourned, ana) == go_on(adjourned, bea) == Answer(5)
        act(adjourned, bea, "8/5 6/5")
        assert replayed_state(adjourned) == state_of(Match.objects.get(pk=adjourned.pk))

    def test_a_request_lapses_when_its_player_leaves_or_after_ten_minutes(
        self, adjourned: Match, time: Time, ana: User, bea: User
    ) -> None:
        go_on(adjourned, bea)
        time(seconds=20)
        assert go_on(adjourned, ana) == Answer(4)  # bea has gone
        time(minutes=10)
        see(adjourned, ana)
        assert go_on(adjourned, bea) == Answer(4)  # ana is present, but her request is old
        assert go_on(adjourned, ana) == Answer(5)

    def test_a_repeated_id_gets_the_same_answer(self, adjourned: Match, ana: User) -> None:
        assert adjourn(adjourned, ana) == Answer(4)
        assert refused(adjourn, adjourned, ana, "page-2") == "paused"

    def test_the_lobby_lists_it_separately_for_both(
        self, adjourned: Match, client: Client, ana: User, bea: User, carlos: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        moment = adjourned.clock_at
        monkeypatch.setattr("games.selectors.match_rows.timezone.now", lambda: moment)
        lobby = lobby_selectors.lobby(bea)
        assert ([row.match.pk for row in lobby.adjourned], lobby.running, lobby.live) == ([adjourned.pk], [], [])
        assert lobby_selectors.lobby(carlos).live == []
        client.force_login(bea)
        answer = client.post(f"/match/{adjourned.pk}/go-on/", follow=True)
        assert answer.redirect_chain == [(f"/match/{adjourned.pk}/", 302)]
        assert [row.opponent_waits for row in lobby_selectors.lobby(ana).adjourned] == [True]
        assert [row.opponent_waits for row in lobby_selectors.lobby(bea).adjourned] == [False]
        client.force_login(ana)
        assert "your opponent is waiting" in client.get("/").content.decode()

    def test_a_match_in_play_or_paused_by_its_director_is_not_adjourned(
        self, match: Match, ana: User, bea: User, act: Act
    ) -> None:
        assert go_on(match, ana) == Answer(3)
        act(match, bea, "resign match")
        assert refused(go_on, match, ana) == "match_over"


class TestArranged:
    """A match that its organisers do not allow to be adjourned."""

    @pytest.fixture
    def match(self, time: Time, act: Act, next_rolls: deque[tuple[int, int]], ana: User, bea: User) -> Match:
        next_rolls.append((1, 3))
        match = services.match_arrange(
            white=ana, black=bea, variant="backgammon", length=5, clock="club", adjournable=False
        )
        for user in (ana, bea):
            services.match_arrive(match_id=match.pk, user=user)
        for user in (ana, bea):
            act(match, user, "roll")
        see(match, ana, bea)
        return match

    def test_it_can_be_claimed_but_not_adjourned(self, match: Match, time: Time, ana: User) -> None:
        time(seconds=120)
        assert pulse(match, ana).away == {"black": {"since_ms": 120_000, "left_ms": 0, "may": ["claim"]}}
        assert refused(adjourn, match, ana) == "no_adjourn"
        assert claim(match, ana) == Answer(4)

    def test_a_directors_pause_is_not_an_absence_and_only_directors_end_it(
        self, match: Match, time: Time, ana: User, bea: User, dora: User
    ) -> None:
        services.match_pause(match_id=match.pk, by=dora)
        time(minutes=20)
        assert pulse(match, ana).away == {"black": {"since_ms": 1_200_000}}
        assert refused(claim, match, ana) == "paused"
        assert refused(go_on, match, ana) == "not_adjourned"
        services.match_resume(match_id=match.pk)
        assert pulse(match, ana).away == {}
        assert set(Seat.objects.filter(match=match).values_list("seen_at", flat=True)) == {time.moment}


class TestOverHttp:
    """Without sockets, the same works over HTTP."""

    def test_a_poll_counts_as_presence_and_returns_who_is_away(
        self, match: Match, time: Time, client: Client, ana: User, bea: User
    ) -> None:
        time(seconds=60)
        client.force_login(ana)
        answer = client.get(f"/api/v1/matches/{match.pk}/sync/?after=3").json()
        assert answer["away"] == {"black": {"since_ms": 60_000, "left_ms": 60_000}}
        assert presence.write() == 1
        assert match.seats.get(side="white").seen_at == time.moment

    def test_a_match_is_claimed_adjourned_and_resumed(
        self, match: Match, time: Time, client: Client, ana: User, bea: User
    ) -> None:
        client.force_login(ana)
        at = f"/api/v1/matches/{match.pk}"
        assert client.post(f"{at}/claim/", {"id": "page-1"}, JSON).json()["code"] == "not_away"
        time(seconds=120)
        assert client.post(f"{at}/adjourn/", {"id": "page-2"}, JSON).json() == {"version": 4}
        assert client.post(f"{at}/go-on/", {"id": "page-3"}, JSON).json() == {"version": 4}
        client.force_login(bea)
        assert client.post(f"{at}/go-on/", {"id": "page-1"}, JSON).json() == {"version": 5}
