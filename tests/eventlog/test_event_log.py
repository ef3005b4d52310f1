"""The event log: events of play, tournaments, ladders and notifications, once and in one order."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from eventlog import services
from eventlog.models import Checkpoint, Event, EventLog, Subscription
from eventlog.selectors.events import events_after
from games import services as play
from games.database import now
from games.models import Match
from ladders import services as ladders
from tests.conftest import ON_POSTGRES
from tournaments import services as tournaments

pytestmark = pytest.mark.django_db

Subscribe = Callable[..., Any]
Table = Callable[..., Match]
TERMS: dict[str, Any] = {"variant": "backgammon", "length": 5, "clock": "club", "rated": True}


def give_up(match: Match, loser: User) -> None:
    play.match_act(match_id=match.pk, user_id=loser.pk, action="resign match", client_id=f"end-{loser.pk}")


# Matches


def test_a_match_is_logged_from_start_to_end(subscribe: Subscribe, ana: User, bea: User, open_table: Table) -> None:
    app = subscribe(ana)
    match = open_table()
    events = [event for event in app.news() if event["kind"] != "notice"]
    assert [event["kind"] for event in events] == ["match.created", "match.started"]
    assert events[0] == {
        "number": events[0]["number"],
        "kind": "match.created",
        "subject": f"match:{match.pk}",
        "at": match.created_at.isoformat(),
        "by": "ana",
        "url": f"/match/{match.pk}/",
        "data": {
            "variant": "backgammon",
            "length": 5,
            "clock": "club",
            "rated": True,
            "arranged": False,
            "players": {"white": "ana", "black": "bea"},
        },
    }
    play.match_act(match_id=match.pk, user_id=ana.pk, action="roll", client_id="a1")
    assert [(event["kind"], event["data"]["version"]) for event in app.news()] == [("match.acted", 1)]
    give_up(match, bea)
    acted, finished = (event for event in app.news() if event["kind"] != "notice")
    match.refresh_from_db()
    assert (acted["kind"], acted["data"]["version"]) == ("match.acted", match.version)
    assert finished["data"] == {
        "winner": "white",
        "by": "resign",
        "points": {"white": 0.0, "black": 0.0},
        "version": match.version,
        "players": {"white": "ana", "black": "bea"},
    }
    assert app.news() == []


def test_several_actions_between_two_polls_are_one_event_with_the_last_version(
    subscribe: Subscribe, ana: User, bea: User, open_table: Table
) -> None:
    app, match = subscribe(ana), open_table()
    app.news()
    for user in (ana, bea):
        play.match_act(match_id=match.pk, user_id=user.pk, action="roll", client_id=f"r-{user.pk}")
    match.refresh_from_db()
    assert [(event["kind"], event["data"]["version"]) for event in app.news()] == [("match.acted", match.version)]


def test_a_challenge_is_logged_for_the_challenged_player_and_its_end_for_both(
    subscribe: Subscribe, ana: User, bea: User
) -> None:
    ana_events, bea_events = subscribe(ana), subscribe(bea)
    match = play.match_create(creator=ana, invited=bea, **TERMS)
    assert (ana_events.kinds(), bea_events.kinds()) == (["match.created"], ["match.created", "challenge"])
    play.match_decline(match_id=match.pk, user=bea)
    assert (ana_events.kinds(), bea_events.kinds()) == (["match.cancelled"], ["match.cancelled"])


def test_a_withdrawn_open_game_is_logged(subscribe: Subscribe, ana: User) -> None:
    app = subscribe(ana)
    match = play.match_create(creator=ana, **TERMS)
    app.news()
    play.match_cancel(match_id=match.pk, user=ana)
    assert app.kinds() == ["match.cancelled"]


def test_a_match_that_began_before_the_subscription_starts_at_its_present_state(
    subscribe: Subscribe, ana: User, bea: User, open_table: Table
) -> None:
    match = open_table()
    play.match_act(match_id=match.pk, user_id=ana.pk, action="roll", client_id="a1")
    app = subscribe(ana)
    assert app.kinds() == []
    give_up(match, bea)
    assert app.kinds() == ["match.acted", "match.finished"]


def test_a_match_played_while_no_worker_ran_is_logged_as_a_whole(
    subscribe: Subscribe, ana: User, bea: User, open_table: Table
) -> None:
    app = subscribe(ana)
    give_up(open_table(), bea)
    assert app.kinds() == ["match.created", "match.started", "match.acted", "match.finished"]


def test_nothing_is_logged_without_subscribers(
    ana: User, bea: User, open_table: Table, django_assert_num_queries: Any
) -> None:
    open_table()
    assert (services.events_record(), Event.objects.count(), Checkpoint.objects.count()) == (0, 0, 0)
    with django_assert_num_queries(5 if ON_POSTGRES else 4):  # PostgreSQL is also queried for the time
        services.events_record()


def test_a_move_takes_no_extra_query_with_a_subscriber(
    subscribe: Subscribe, ana: User, bea: User, open_table: Table, django_assert_num_queries: Any
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def queries(match: Match) -> int:
        with CaptureQueriesContext(
            connection,
        ) as found:
            play.match_act(match_id=match.pk, user_id=ana.pk, action="roll", client_id="a1")
        return len(found)

    first, second = open_table(), open_table()
    before = queries(first)
    subscribe(ana, f"match:{second.pk}")
    assert queries(second) == before


def test_a_poll_takes_the_same_queries_for_one_match_and_for_many(
    subscribe: Subscribe, ana: User, bea: User, open_table: Table
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            services.events_record()
        return len(found)

    app = subscribe(ana)
    open_table()
    app.news()
    quiet = queries()
    for _ in range(4):
        open_table()
    busy = queries()
    services.events_record()
    assert (queries(), busy < 60) == (quiet, True)


def test_a_subscription_unused_for_a_day_expires(subscribe: Subscribe, ana: User, bea: User, open_table: Table) -> None:
    app = subscribe(ana)
    Subscription.objects.update(until=now() - timedelta(seconds=1))
    match = open_table()
    services.events_record()
    app = subscribe(ana)
    assert app.kinds() == []
    give_up(match, bea)
    assert app.kinds() == ["match.acted", "match.finished"]


def test_a_banned_members_subscription_ends(subscribe: Subscribe, ana: User, bea: User, open_table: Table) -> None:
    subscribe(ana)
    User.objects.filter(pk=ana.pk).update(is_active=False)
    open_table()
    services.events_record()
    assert Event.objects.count() == 0


def test_event_numbers_increase_and_a_page_returns_its_cursor(
    subscribe: Subscribe, ana: User, bea: User, open_table: Table
) -> None:
    app = subscribe(ana)
    for _ in range(3):
        open_table()
    services.events_record()
    own, numbers, after = f"user:{ana.pk}", [], 0
    while True:
        events, after = events_after(ana, [own], after=after, most=2)
        numbers += [event["number"] for event in events]
        if not events:
            break
    assert numbers == list(Event.objects.values_list("number", flat=True))
    assert after == EventLog.objects.get().number
    assert len(app.news()) == len(numbers)


def test_events_older_than_a_week_are_deleted(subscribe: Subscribe, ana: User, bea: User, open_table: Table) -> None:
    app = subscribe(ana)
    open_table()
    services.events_record()
    old, fresh = list(Event.objects.order_by("number")[:2])
    Event.objects.filter(pk=old.pk).update(at=now() - timedelta(days=8))
    services.events_purge()
    assert not Event.objects.filter(pk=old.pk).exists()
    assert app.news()[0]["number"] == fresh.pk


# Tournaments, ladders, notifications


def test_a_tournament_is_logged_for_its_players_and_subscribers(
    subscribe: Subscribe,
    tournament: Any,
    ana: User,
    bea: User,
    carlos: User,
    dora: User,
) -> None:
    made = tournament(format_="swiss", config={"rounds": 1})
    here = f"tournament:{made.pk}"
    player, reader, stranger = subscribe(ana), subscribe(bea, here), subscribe(carlos)
    tournaments.entrant_register(tournament_id=made.pk, user=ana)
    tournaments.entrant_add(tournament_id=made.pk, user=dora, name="Paco")
    assert (player.kinds(), reader.kinds()) == (["tournament.changed"], ["tournament.changed"])
    tournaments.tournament_start(tournament_id=made.pk, user=dora)
    assert set(player.kinds()) >= {"tournament.started", "tournament.round"}
    events = reader.news()
    [opened] = [event for event in events if event["kind"] == "tournament.round"]
    assert opened["data"] == {"section": "swiss", "round": 1}
    pairing = made.meetings.get()
    tournaments.result_enter(tournament_id=made.pk, user=dora, key=pairing.key, winner=1, points=(3, 0))
    events = {event["kind"]: event for event in reader.news()}
    result = events["tournament.result"]["data"]
    assert (result["winner"], result["entrants"]) == (1, {"1": "ana", "2": "Paco"})
    assert "tournament.finished" in events
    assert player.kinds() == [*events]
    assert stranger.kinds() == []


def test_an_opened_tournament_is_logged_for_its_director(subscribe: Subscribe, tournament: Any, dora: User) -> None:
    app = subscribe(dora)
    made = tournament()
    [events] = app.news()
    assert (events["kind"], events["subject"], events["by"]) == ("tournament.opened", f"tournament:{made.pk}", "dora")


def test_entries_reports_and_alerts_are_logged_for_directors(subscribe: Subscribe, tournament: Any, dora: User) -> None:
    made = tournament()
    director = subscribe(dora, f"desk:{made.pk}")
    tournaments.entrant_add(tournament_id=made.pk, user=dora, name="Paco")
    events = [event for event in director.news() if event["kind"] == "desk.entry"]
    assert [event["data"] for event in events] == [{"what": "registered", "entrant": 1, "entrants": {"1": "Paco"}}]


def test_a_ladder_challenge_is_logged_for_both_players_and_subscribers(
    subscribe: Subscribe,
    make: Any,
    ana: User,
    bea: User,
    carlos: User,
    dora: User,
) -> None:
    ladder = make()
    ana_events, bea_events, reader, other = (
        subscribe(ana),
        subscribe(bea),
        subscribe(dora, f"ladder:{ladder.pk}"),
        subscribe(carlos),
    )
    call = ladders.challenge_make(ladder_id=ladder.pk, user=bea, opponent=ana)
    for app in (ana_events, bea_events, reader):
        events = {event["kind"]: event for event in app.news()}
        assert events["ladder.challenge"]["by"] == "bea"
        data = {"what": "challenged", "challenge": call.pk, "challenger": "bea", "defender": "ana"}
        assert events["ladder.challenge"]["data"] == data
    assert other.kinds() == ["ladder.changed"]
    ladders.challenge_decline(challenge_id=call.pk, user=ana)
    assert [event["data"]["what"] for event in bea_events.news() if event["kind"] == "ladder.challenge"] == ["declined"]


def test_a_notification_is_logged_for_its_reader_and_again_when_updated(
    subscribe: Subscribe, ana: User, bea: User
) -> None:
    app = subscribe(bea)
    play.match_create(creator=ana, invited=bea, **TERMS)
    [events] = [event for event in app.news() if event["kind"] == "notice"]
    assert events["data"]["kind"] == "challenge"
    assert events["url"].startswith("/match/")
    assert [event for event in app.news() if event["kind"] == "notice"] == []
