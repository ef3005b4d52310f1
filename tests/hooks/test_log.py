"""The log of events: what is told of play, tournaments, ladders and notices, once and in one order."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games import services as play
from games.database import now
from games.models import Match
from games.services import ladders
from hooks import services
from hooks.models import Clerk, Ear, Event, Mark
from hooks.selectors.events import events_after
from tests.conftest import ON_POSTGRES
from tournaments import services as tournaments

pytestmark = pytest.mark.django_db

Listen = Callable[..., Any]
Table = Callable[..., Match]
TERMS: dict[str, Any] = {"variant": "backgammon", "length": 5, "clock": "club", "rated": True}


def give_up(match: Match, loser: User) -> None:
    play.match_act(match_id=match.pk, user_id=loser.pk, action="resign match", client_id=f"end-{loser.pk}")


# Matches


def test_a_match_is_told_from_its_beginning_to_its_end(listen: Listen, ana: User, bea: User, open_table: Table) -> None:
    program = listen(ana)
    match = open_table()
    told = [one for one in program.news() if one["kind"] != "notice"]
    assert [one["kind"] for one in told] == ["match.created", "match.started"]
    assert told[0] == {
        "number": told[0]["number"],
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
    assert [(one["kind"], one["data"]["version"]) for one in program.news()] == [("match.acted", 1)]
    give_up(match, bea)
    acted, finished = (one for one in program.news() if one["kind"] != "notice")
    match.refresh_from_db()
    assert (acted["kind"], acted["data"]["version"]) == ("match.acted", match.version)
    assert finished["data"] == {
        "winner": "white",
        "by": "resign",
        "points": {"white": 0.0, "black": 0.0},
        "version": match.version,
        "players": {"white": "ana", "black": "bea"},
    }
    assert program.news() == []


def test_several_acts_between_two_looks_are_one_event_with_the_last_version(
    listen: Listen, ana: User, bea: User, open_table: Table
) -> None:
    program, match = listen(ana), open_table()
    program.news()
    for user in (ana, bea):
        play.match_act(match_id=match.pk, user_id=user.pk, action="roll", client_id=f"r-{user.pk}")
    match.refresh_from_db()
    assert [(one["kind"], one["data"]["version"]) for one in program.news()] == [("match.acted", match.version)]


def test_a_challenge_is_told_to_who_is_challenged_and_its_end_to_both(listen: Listen, ana: User, bea: User) -> None:
    hers, his = listen(ana), listen(bea)
    match = play.match_create(creator=ana, invited=bea, **TERMS)
    assert (hers.kinds(), his.kinds()) == (["match.created"], ["match.created", "challenge"])
    play.match_decline(match_id=match.pk, user=bea)
    assert (hers.kinds(), his.kinds()) == (["match.cancelled"], ["match.cancelled"])


def test_a_seek_that_is_taken_back_is_told(listen: Listen, ana: User) -> None:
    program = listen(ana)
    match = play.match_create(creator=ana, **TERMS)
    program.news()
    play.match_cancel(match_id=match.pk, user=ana)
    assert program.kinds() == ["match.cancelled"]


def test_what_was_there_before_anybody_listened_begins_where_it_is(
    listen: Listen, ana: User, bea: User, open_table: Table
) -> None:
    match = open_table()
    play.match_act(match_id=match.pk, user_id=ana.pk, action="roll", client_id="a1")
    program = listen(ana)
    assert program.kinds() == []
    give_up(match, bea)
    assert program.kinds() == ["match.acted", "match.finished"]


def test_a_match_that_began_and_ended_while_no_worker_ran_is_told_as_a_whole(
    listen: Listen, ana: User, bea: User, open_table: Table
) -> None:
    program = listen(ana)
    give_up(open_table(), bea)
    assert program.kinds() == ["match.created", "match.started", "match.acted", "match.finished"]


def test_nothing_is_written_where_nobody_listens(
    ana: User, bea: User, open_table: Table, django_assert_num_queries: Any
) -> None:
    open_table()
    assert (services.events_take(), Event.objects.count(), Mark.objects.count()) == (0, 0, 0)
    with django_assert_num_queries(5 if ON_POSTGRES else 4):  # there it is asked for the time
        services.events_take()


def test_a_move_costs_no_query_more_when_somebody_listens(
    listen: Listen, ana: User, bea: User, open_table: Table, django_assert_num_queries: Any
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
    listen(ana, f"match:{second.pk}")
    assert queries(second) == before


def test_a_look_costs_as_much_with_many_tables_as_with_one(
    listen: Listen, ana: User, bea: User, open_table: Table
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            services.events_take()
        return len(found)

    program = listen(ana)
    open_table()
    program.news()
    quiet = queries()
    for _ in range(4):
        open_table()
    busy = queries()
    services.events_take()
    assert (queries(), busy < 60) == (quiet, True)


def test_who_does_not_come_by_for_a_day_is_listened_for_no_more(
    listen: Listen, ana: User, bea: User, open_table: Table
) -> None:
    program = listen(ana)
    Ear.objects.update(until=now() - timedelta(seconds=1))
    match = open_table()
    services.events_take()
    program = listen(ana)
    assert program.kinds() == []
    give_up(match, bea)
    assert program.kinds() == ["match.acted", "match.finished"]


def test_a_member_who_is_banned_is_listened_for_no_more(
    listen: Listen, ana: User, bea: User, open_table: Table
) -> None:
    listen(ana)
    User.objects.filter(pk=ana.pk).update(is_active=False)
    open_table()
    services.events_take()
    assert Event.objects.count() == 0


def test_numbers_count_up_and_a_page_says_how_far_it_went(
    listen: Listen, ana: User, bea: User, open_table: Table
) -> None:
    program = listen(ana)
    for _ in range(3):
        open_table()
    services.events_take()
    own, heard, after = f"user:{ana.pk}", [], 0
    while True:
        told, after = events_after(ana, [own], after=after, most=2)
        heard += [one["number"] for one in told]
        if not told:
            break
    assert heard == list(Event.objects.values_list("number", flat=True))
    assert after == Clerk.objects.get().number
    assert len(program.news()) == len(heard)


def test_events_of_more_than_a_week_ago_are_forgotten(listen: Listen, ana: User, bea: User, open_table: Table) -> None:
    program = listen(ana)
    open_table()
    services.events_take()
    old, fresh = list(Event.objects.order_by("number")[:2])
    Event.objects.filter(pk=old.pk).update(at=now() - timedelta(days=8))
    services.events_forget()
    assert not Event.objects.filter(pk=old.pk).exists()
    assert program.news()[0]["number"] == fresh.pk


# Tournaments, ladders, notices


def test_a_tournament_is_told_to_who_plays_in_it_and_to_who_asked(
    listen: Listen,
    tournament: Any,
    ana: User,
    bea: User,
    carlos: User,
    dora: User,
) -> None:
    made = tournament(format_="swiss", config={"rounds": 1})
    here = f"tournament:{made.pk}"
    player, reader, stranger = listen(ana), listen(bea, here), listen(carlos)
    tournaments.entrant_register(tournament_id=made.pk, user=ana)
    tournaments.entrant_add(tournament_id=made.pk, user=dora, name="Paco")
    assert (player.kinds(), reader.kinds()) == (["tournament.changed"], ["tournament.changed"])
    tournaments.tournament_start(tournament_id=made.pk, user=dora)
    assert set(player.kinds()) >= {"tournament.started", "tournament.round"}
    told = reader.news()
    [opened] = [one for one in told if one["kind"] == "tournament.round"]
    assert opened["data"] == {"section": "swiss", "round": 1}
    pairing = made.meetings.get()
    tournaments.result_enter(tournament_id=made.pk, user=dora, key=pairing.key, winner=1, points=(3, 0))
    told = {one["kind"]: one for one in reader.news()}
    result = told["tournament.result"]["data"]
    assert (result["winner"], result["entrants"]) == (1, {"1": "ana", "2": "Paco"})
    assert "tournament.finished" in told
    assert player.kinds() == [*told]
    assert stranger.kinds() == []


def test_a_tournament_that_is_opened_is_told_to_its_director(listen: Listen, tournament: Any, dora: User) -> None:
    program = listen(dora)
    made = tournament()
    [told] = program.news()
    assert (told["kind"], told["subject"], told["by"]) == ("tournament.opened", f"tournament:{made.pk}", "dora")


def test_a_desk_tells_entries_reports_and_alerts(listen: Listen, tournament: Any, dora: User) -> None:
    made = tournament()
    desk = listen(dora, f"desk:{made.pk}")
    tournaments.entrant_add(tournament_id=made.pk, user=dora, name="Paco")
    told = [one for one in desk.news() if one["kind"] == "desk.entry"]
    assert [one["data"] for one in told] == [{"what": "registered", "entrant": 1, "entrants": {"1": "Paco"}}]


def test_a_call_on_a_ladder_is_told_to_both_and_to_who_asked(
    listen: Listen,
    make: Any,
    ana: User,
    bea: User,
    carlos: User,
    dora: User,
) -> None:
    ladder = make()
    hers, his, reader, other = listen(ana), listen(bea), listen(dora, f"ladder:{ladder.pk}"), listen(carlos)
    call = ladders.challenge_make(ladder_id=ladder.pk, user=bea, rival=ana)
    for program in (hers, his, reader):
        told = {one["kind"]: one for one in program.news()}
        assert told["ladder.challenge"]["by"] == "bea"
        data = {"what": "challenged", "challenge": call.pk, "challenger": "bea", "defender": "ana"}
        assert told["ladder.challenge"]["data"] == data
    assert other.kinds() == ["ladder.changed"]
    ladders.challenge_decline(challenge_id=call.pk, user=ana)
    assert [one["data"]["what"] for one in his.news() if one["kind"] == "ladder.challenge"] == ["declined"]


def test_a_notice_is_told_to_its_reader_and_again_when_it_is_said_anew(listen: Listen, ana: User, bea: User) -> None:
    program = listen(bea)
    play.match_create(creator=ana, invited=bea, **TERMS)
    [told] = [one for one in program.news() if one["kind"] == "notice"]
    assert told["data"]["kind"] == "challenge"
    assert told["url"].startswith("/match/")
    assert [one for one in program.news() if one["kind"] == "notice"] == []
