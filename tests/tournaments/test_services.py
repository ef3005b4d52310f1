"""A tournament from its creation to its end, through its services."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from games import services as play
from games.models import Match
from tests.tournaments.conftest import fresh, ready, terms
from tournaments import draw, fold, services
from tournaments.errors import NotFound, Refused
from tournaments.models import Entrant, Meeting, Tournament, TournamentEvent
from tournaments.state import Event

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]


def refused(code: str, service: Callable[..., Any], **arguments: Any) -> None:
    """The service refuses with this code, and writes nothing."""
    before = TournamentEvent.objects.count()
    with pytest.raises(Refused) as error:
        service(**arguments)
    assert error.value.code == code
    assert str(error.value.text)
    assert TournamentEvent.objects.count() == before


def enter(tournament: Tournament, *people: User) -> None:
    for person in people:
        services.entrant_register(tournament_id=tournament.pk, user=person)


def kinds(tournament: Tournament) -> list[str]:
    return list(tournament.events.values_list("kind", flat=True))


# Making one


def test_the_creator_directs_the_tournament_and_the_draw_is_committed(dora: User) -> None:
    made = services.tournament_create(
        creator=dora, name="  Torneo semanal del club ", terms=terms(), timezone="Europe/Madrid"
    )
    assert (made.name, made.phase, made.version) == ("Torneo semanal del club", "open", 1)
    assert [director.user for director in made.directors] == [dora]
    assert made.seed_hash == draw.commitment(bytes(made.seed))
    assert kinds(made) == ["configured"]


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("no_name", {"name": "  "}),
        ("no_name", {"name": "x" * 81}),
        ("timezone", {"timezone": "Mars/Olympus"}),
        ("timezone", {"timezone": "../../etc/passwd"}),
        ("starts_at", {"starts_itself": True}),
        ("config", {"terms": terms("no-such-format")}),
        ("config", {"terms": terms(pace="timed")}),
        ("config", {"capacity": 1}),
        ("variant", {"terms": terms(variant="ludo")}),
        ("clock", {"terms": terms(clock="min5")}),
        ("options", {"terms": terms(options={"cube_cap": 3})}),
        ("house_rated", {"terms": terms(rated=True, options={"desahogo": True})}),
    ],
)
def test_impossible_settings_are_refused(dora: User, code: str, changes: dict[str, Any]) -> None:
    refused(
        code,
        services.tournament_create,
        **{"creator": dora, "name": "Torneo semanal del club", "terms": terms(), **changes},
    )


def test_guests_neither_direct_nor_register(tournament: Make, person: Callable[..., User]) -> None:
    guest = person("guest-1", is_guest=True)
    refused("members_only", services.tournament_create, creator=guest, name="x", terms=terms())
    refused("members_only", services.entrant_register, tournament_id=tournament().pk, user=guest)


def test_terms_change_until_the_draw(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(walk_ins=2)
    services.tournament_update(tournament_id=made.pk, user=dora, name="Viernes", terms=terms(lengths=[5, 7]))
    assert fresh(made).rules.lengths == (5, 7)
    refused("not_director", services.tournament_update, tournament_id=made.pk, user=ana, name="Mine")
    services.tournament_draw(tournament_id=made.pk, user=dora)
    refused("already_drawn", services.tournament_update, tournament_id=made.pk, user=dora, name="Late")
    made.refresh_from_db()
    assert (made.name, made.phase) == ("Viernes", "drawn")


def test_directors_are_added_and_removed_but_the_creator_stays(
    tournament: Make, dora: User, ana: User, carlos: User
) -> None:
    made = tournament()
    refused("not_director", services.director_add, tournament_id=made.pk, user=ana, director=ana)
    services.director_add(tournament_id=made.pk, user=dora, director=ana)
    services.announcement_post(tournament_id=made.pk, user=ana, text=" Starts at nine. ")
    services.director_remove(tournament_id=made.pk, user=ana, director=dora)
    services.director_remove(tournament_id=made.pk, user=dora, director=ana)
    refused("not_director", services.announcement_post, tournament_id=made.pk, user=ana, text="again")
    assert kinds(made) == ["configured", "director_added", "announced", "director_removed"]
    with pytest.raises(NotFound):
        services.announcement_post(tournament_id="nothing", user=carlos, text="x")


# Entering


def test_members_register_withdraw_and_return_to_their_number(tournament: Make, ana: User, bea: User) -> None:
    made = tournament(capacity=2)
    enter(made, ana, bea)
    refused("entered", services.entrant_register, tournament_id=made.pk, user=ana)
    services.entrant_withdraw(tournament_id=made.pk, user=ana, number=1)
    refused("not_yours", services.entrant_withdraw, tournament_id=made.pk, user=ana, number=2)
    enter(made, ana)
    assert [(entrant.number, entrant.name, entrant.withdrawn) for entrant in made.entrants.all()] == [
        (1, "ana", False),
        (2, "bea", False),
    ]


def test_a_walk_in_needs_a_name_and_can_be_linked_later(tournament: Make, dora: User, ana: User, bea: User) -> None:
    made = tournament()
    refused("no_name", services.entrant_add, tournament_id=made.pk, user=dora, name=" ")
    refused("not_director", services.entrant_add, tournament_id=made.pk, user=ana, name="Paco")
    paco = services.entrant_add(tournament_id=made.pk, user=dora, name=" Paco   Ruiz ")
    assert paco.name == "Paco Ruiz"
    enter(made, bea)
    refused("entered", services.entrant_link, tournament_id=made.pk, user=dora, number=1, player=bea)
    services.entrant_link(tournament_id=made.pk, user=dora, number=1, player=ana)
    refused("has_account", services.entrant_link, tournament_id=made.pk, user=dora, number=1, player=ana)
    assert [entrant.name for entrant in made.entrants.all()] == ["ana", "bea"]


def test_only_checked_in_entrants_are_drawn_where_required(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(walk_ins=3, check_in=True)
    enter(made, ana)
    for number in (1, 3):
        services.entrant_check_in(tournament_id=made.pk, user=dora, number=number)
    services.entrant_check_in(tournament_id=made.pk, user=ana, number=4, nonce="ab" * 32)
    services.entrant_check_in(tournament_id=made.pk, user=dora, number=3, here=False)
    refused("nonce", services.entrant_check_in, tournament_id=made.pk, user=ana, number=4, nonce="short")
    services.tournament_draw(tournament_id=made.pk, user=dora)
    assert fresh(made).order == (1, 4)
    assert bytes(Entrant.objects.get(number=4).nonce) == b"\xab" * 32


def test_seeds_come_first_and_the_rest_by_a_verifiable_draw(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=8, seeding="drawn")
    refused("ranks", services.entrants_seed, tournament_id=made.pk, user=dora, ranks={5: 1, 7: 1})
    refused("ranks", services.entrants_seed, tournament_id=made.pk, user=dora, ranks={50: 1})
    services.entrants_seed(tournament_id=made.pk, user=dora, ranks={5: 2, 7: 1})
    services.tournament_draw(tournament_id=made.pk, user=dora)
    drawn = made.events.get(kind="drawn").data
    assert drawn["order"][:2] == [7, 5]
    assert drawn["order"][2:] == drawn["document"]["order"]
    assert draw.verify(drawn["document"]) == ""
    assert drawn["document"]["commitment"] == made.seed_hash


def test_the_draw_needs_two(tournament: Make, dora: User) -> None:
    refused("too_few", services.tournament_draw, tournament_id=tournament(walk_ins=1).pk, user=dora)


# Playing


def test_a_pairing_opens_a_match_and_records_its_result(
    tournament: Make,
    ana: User,
    bea: User,
    carlos: User,
    person: Callable[..., User],
    django_capture_on_commit_callbacks: Any,
    dora: User,
) -> None:
    made = tournament(config={"consolation": "simple"})
    eva = person("eva")
    enter(made, ana, bea, carlos, eva)
    services.tournament_start(tournament_id=made.pk, user=dora)
    first = Meeting.objects.get(tournament=made, key="main-1-1")
    assert (first.a.name, first.b.name) == ("ana", "eva")
    match = first.match
    assert match is not None
    assert (match.status, match.arranged, match.length, match.variant, match.title) == (
        "open",
        True,
        3,
        "backgammon",
        "Torneo semanal del club",
    )
    with django_capture_on_commit_callbacks(execute=True):
        play.match_arrive(match_id=match.pk, user=ana)
        play.match_arrive(match_id=match.pk, user=eva)
        play.match_act(match_id=match.pk, user_id=eva.pk, action="resign match", client_id="e-1")
    state = fresh(made)
    assert state.by_key["main-1-1"].winner == 1
    assert ready(made) == ["main-1-2"]
    services.result_enter(tournament_id=made.pk, user=dora, key="main-1-2", winner=2, points=(3, 1))
    assert ready(made) == ["main-2-1", "consolation-1-1"]
    final = Meeting.objects.get(tournament=made, key="main-2-1")
    assert final.match is not None
    assert {final.a.name, final.b.name} == {"ana", "bea"}
    # The other match was never begun: it was called off, because its result came from the director.
    assert Match.objects.filter(title="Torneo semanal del club", status="cancelled").count() == 1


def test_the_end_of_a_match_is_recorded_once(tournament: Make, ana: User, bea: User, dora: User) -> None:
    made = tournament()
    enter(made, ana, bea)
    services.tournament_start(tournament_id=made.pk, user=dora)
    match = Meeting.objects.get(tournament=made).match
    assert match is not None
    assert services.match_result_record(match_id=match.pk) is False  # it is not over yet
    for user in (ana, bea):
        play.match_arrive(match_id=match.pk, user=user)
    play.match_act(match_id=match.pk, user_id=bea.pk, action="resign match", client_id="b-1")
    assert services.unrecorded_match_ids() == [match.pk]  # nobody heard the signal: the transaction of the test goes on
    assert services.match_result_record(match_id=match.pk) is True
    assert services.match_result_record(match_id=match.pk) is False
    assert services.unrecorded_match_ids() == []
    assert kinds(made)[-2:] == ["result", "finished"]
    made.refresh_from_db()
    assert (made.phase, made.ended_at is not None) == ("over", True)
    assert [line.entrant for line in fresh(made).standings] == [1, 2]


def test_a_reported_result_is_confirmed_by_the_opponent(
    tournament: Make, ana: User, bea: User, carlos: User, dora: User
) -> None:
    made = tournament(venue="board")
    enter(made, ana, bea)
    services.tournament_start(tournament_id=made.pk, user=dora)
    pairing = {"tournament_id": made.pk, "key": "main-1-1"}
    assert Meeting.objects.get(tournament=made).match is None
    refused("not_yours", services.result_report, **pairing, user=carlos, winner=1, points=(3, 0))
    refused("report_score", services.result_report, **pairing, user=ana, winner=1, points=(2, 0))
    refused("report_score", services.result_report, **pairing, user=ana, winner=2, points=(3, 0))
    refused("report_winner", services.result_report, **pairing, user=ana, winner=9, points=(3, 0))
    refused("no_report", services.result_confirm, **pairing, user=bea)
    services.result_report(**pairing, user=ana, winner=1, points=(3, 2))
    refused("own_report", services.result_confirm, **pairing, user=ana)
    services.result_confirm(**pairing, user=bea)
    result = fresh(made).by_key["main-1-1"].result
    assert result is not None
    assert (result.winner, result.points, result.how) == (1, (3, 2), "played")


def test_two_equal_reports_are_a_result_and_different_ones_a_dispute(
    tournament: Make, ana: User, bea: User, dora: User
) -> None:
    made = tournament(venue="board", format_="round-robin", config={"legs": 2})
    enter(made, ana, bea)
    services.tournament_start(tournament_id=made.pk, user=dora)
    first, second = ready(made)
    for user in (ana, bea):
        services.result_report(tournament_id=made.pk, key=first, user=user, winner=1, points=_of(made, first, {1: 3}))
    assert fresh(made).by_key[first].winner == 1
    services.result_report(tournament_id=made.pk, key=second, user=ana, winner=1, points=_of(made, second, {1: 3}))
    services.result_report(tournament_id=made.pk, key=second, user=bea, winner=2, points=_of(made, second, {2: 4}))
    state = fresh(made)
    assert state.reports[second].disputed
    assert ("disputed", second) in state.alerts
    refused("no_report", services.result_confirm, tournament_id=made.pk, key=second, user=bea)
    services.result_enter(tournament_id=made.pk, user=dora, key=second, winner=2, points=_of(made, second, {2: 4}))
    state = fresh(made)
    assert (state.phase, state.reports, state.alerts) == ("over", {}, {})


def _of(tournament: Tournament, key: str, points: dict[int, float]) -> tuple[float, float]:
    """Points by entrant, in the order of the pairing."""
    a, b = fresh(tournament).by_key[key].entrants
    return points.get(a, 0), points.get(b, 0)


def test_a_report_about_a_walk_in_waits_for_the_director(tournament: Make, ana: User, dora: User) -> None:
    made = tournament(walk_ins=1)
    enter(made, ana)
    services.tournament_start(tournament_id=made.pk, user=dora)
    services.result_report(tournament_id=made.pk, key="main-1-1", user=ana, winner=2, points=(1, 3))
    assert ("unconfirmed", "main-1-1") in fresh(made).alerts
    services.alert_dismiss(tournament_id=made.pk, user=dora, kind="unconfirmed", key="main-1-1")
    assert fresh(made).alerts == {}


def test_a_live_match_is_not_reported_by_hand(tournament: Make, ana: User, bea: User, dora: User) -> None:
    online, both = tournament(venue="online"), tournament(venue="both")
    for made in (online, both):
        enter(made, ana, bea)
        services.tournament_start(tournament_id=made.pk, user=dora)
    report = {"key": "main-1-1", "user": ana, "winner": 1, "points": (3, 0)}
    refused("online_only", services.result_report, tournament_id=online.pk, **report)
    match = Meeting.objects.get(tournament=both).match
    assert match is not None
    for user in (ana, bea):
        play.match_arrive(match_id=match.pk, user=user)
    refused("on_the_board", services.result_report, tournament_id=both.pk, **report)


def test_a_withdrawal_loses_unplayed_matches_and_stops_the_live_one(
    tournament: Make, ana: User, bea: User, carlos: User, dora: User
) -> None:
    made = tournament(walk_ins=1)
    enter(made, ana, bea, carlos)
    services.tournament_start(tournament_id=made.pk, user=dora)
    meeting = Meeting.objects.get(tournament=made, key="main-1-2")
    match = meeting.match
    assert match is not None
    for user in (ana, bea):
        play.match_arrive(match_id=match.pk, user=user)
    services.entrant_withdraw(tournament_id=made.pk, user=ana, number=2)
    match.refresh_from_db()
    assert (match.status, match.winner) == ("over", "")
    pairing = fresh(made).by_key["main-1-2"]
    assert pairing.result is not None
    assert (pairing.winner, pairing.result.how) == (3, "withdrawn")


def test_nobody_advances_from_a_double_walkover(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True)
    shared = {"tournament_id": made.pk, "user": dora}
    services.result_enter(**shared, key="main-1-1", winner=None, how="walkover")
    services.result_enter(**shared, key="main-1-2", winner=2, how="walkover")
    state = fresh(made)
    assert (state.phase, state.by_key["main-2-1"].state, state.by_key["main-2-1"].winner) == ("over", "bye", 2)
    refused("has_result", services.result_enter, **shared, key="main-1-1", winner=1)


def test_a_cancelled_tournament_stops_its_matches(tournament: Make, ana: User, bea: User, dora: User) -> None:
    made = tournament()
    enter(made, ana, bea)
    services.tournament_start(tournament_id=made.pk, user=dora)
    refused("not_director", services.tournament_cancel, tournament_id=made.pk, user=ana)
    services.tournament_cancel(tournament_id=made.pk, user=dora)
    assert set(Match.objects.values_list("status", flat=True)) == {"cancelled"}
    made.refresh_from_db()
    assert made.phase == "cancelled"


# Rounds


def test_rounds_by_hand_are_opened_by_the_director(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, pace="hand", start=True)
    assert Meeting.objects.filter(opened_at__isnull=False).count() == 0
    refused("round_unknown", services.round_open, tournament_id=made.pk, user=dora, section="main", round=9)
    services.round_open(tournament_id=made.pk, user=dora, section="main", round=1)
    assert Meeting.objects.filter(opened_at__isnull=False).count() == 2


def test_swiss_rounds_pair_themselves_or_by_hand(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=5, format_="swiss", config={"rounds": 2}, start=True)
    assert len(ready(made)) == 2
    by_hand = tournament(walk_ins=5, format_="swiss", config={"rounds": 2}, pace="hand", start=True)
    assert ready(by_hand) == []
    services.round_pair(tournament_id=by_hand.pk, user=dora)
    refused("round_unfinished", services.round_pair, tournament_id=by_hand.pk, user=dora)
    for event in (made, by_hand):
        for key in ready(event):
            winner = fresh(event).by_key[key].entrants[0]
            services.result_enter(tournament_id=event.pk, user=dora, key=key, winner=winner, how="walkover")
    assert fresh(made).rounds[1].round == 2
    assert len(fresh(by_hand).rounds) == 1
    services.round_pair(tournament_id=by_hand.pk, user=dora)
    assert fresh(made).rounds == fresh(by_hand).rounds


def test_nobody_has_two_open_matches_at_once(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=6, format_="round-robin", start=True)
    while keys := ready(made):
        open_ones = Meeting.objects.filter(opened_at__isnull=False, state="ready")
        players = [number for meeting in open_ones for number in (meeting.a.number, meeting.b.number)]
        assert len(players) == len(set(players))
        key = next(key for key in keys if key in {meeting.key for meeting in open_ones})
        winner = fresh(made).by_key[key].entrants[-1]
        services.result_enter(tournament_id=made.pk, user=dora, key=key, winner=winner, how="walkover")
    assert fresh(made).phase == "over"


def test_the_rows_equal_a_clean_replay_of_the_events(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=7, format_="double", start=True)
    services.entrant_withdraw(tournament_id=made.pk, user=dora, number=3)
    while keys := ready(made):
        winner = fresh(made).by_key[keys[-1]].entrants[0]
        services.result_enter(tournament_id=made.pk, user=dora, key=keys[-1], winner=winner, how="walkover")
    rows = [Event(kind, data) for kind, data in made.events.values_list("kind", "data")]
    replayed = fold.fold(rows)
    known = {pairing.key: pairing.entrants for pairing in replayed.pairings if len(pairing.entrants) == 2}
    assert known == {
        pairing.key: (pairing.a.number, pairing.b.number) for pairing in made.meetings.select_related("a", "b")
    }
    assert set(made.meetings.values_list("state", flat=True)) == {"done"}
    made.refresh_from_db()
    assert (made.phase, made.version) == (replayed.phase, len(rows))


def test_each_round_has_the_options_of_its_length(tournament: Make, ana: User, bea: User, dora: User) -> None:
    made = tournament(lengths=[1, 5], options={"cube": True, "cube_cap": 64})
    enter(made, ana, bea)
    services.tournament_start(tournament_id=made.pk, user=dora)
    match = Meeting.objects.get(tournament=made).match
    assert match is not None
    assert (match.length, match.options) == (1, {})  # a match to one point has no cube (B13)
