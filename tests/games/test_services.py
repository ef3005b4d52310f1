"""Services, the only writers: their effects in the database rows."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.models import User
from games import replay, services
from games.engine import Side
from games.errors import Refused, Stale
from games.events import state_of
from games.models import Action, Game, Match
from games.services import Answer
from tests.replayed_state import replayed_state

pytestmark = pytest.mark.django_db

Open = Callable[..., Match]
Act = Callable[..., Answer]
Dice = deque[tuple[int, int]]


def texts(match: Match) -> list[str]:
    return [f"{a.actor}: {a.text}" for a in Action.objects.filter(match=match)]


@pytest.fixture
def opened(open_table: Open, act: Act, next_rolls: Dice, ana: User, bea: User) -> Match:
    """ana rolled 3 and bea 1: ana is to play 31."""
    next_rolls.append((3, 1))
    match = open_table()
    act(match, ana, "roll")
    act(match, bea, "roll")
    return match


def test_a_joined_match_is_live_with_both_seats_and_waits_for_the_opening_roll(open_table: Open) -> None:
    match = open_table()
    match.refresh_from_db()
    assert match.status == "live"
    assert [(s.side, s.user.username) for s in match.seats.order_by("-side")] == [("white", "ana"), ("black", "bea")]
    assert state_of(match).opening
    assert match.flag_at is not None
    assert Game.objects.get(match=match).number == 1


def test_every_action_appends_rows_and_the_snapshot_equals_their_replay(opened: Match, act: Act, ana: User) -> None:
    answer = act(opened, ana, "8/5 6/5", after=3)
    assert answer.version == 4
    assert texts(opened) == ["white: roll", "black: roll", "chance: dice 31", "white: 8/5 6/5"]
    opened.refresh_from_db()
    assert replayed_state(opened) == state_of(opened)


def test_a_players_input_is_stored_in_canonical_form(opened: Match, act: Act, ana: User) -> None:
    act(opened, ana, "  6/5   8/5 ")
    assert texts(opened)[-1] == "white: 8/5 6/5"


def test_the_same_id_again_gets_the_first_answer_and_changes_nothing(opened: Match, act: Act, ana: User) -> None:
    first = act(opened, ana, "8/5 6/5", client_id="tab-7", after=3)
    second = act(opened, ana, "8/5 6/5", client_id="tab-7", after=3)
    assert second == first
    assert Action.objects.filter(match=opened).count() == 4


def test_the_same_id_with_another_body_is_refused(opened: Match, act: Act, ana: User) -> None:
    act(opened, ana, "8/5 6/5", client_id="tab-7")
    with pytest.raises(Refused, match="id_reused"):
        act(opened, ana, "double", client_id="tab-7")


def test_an_action_on_an_old_version_is_stale(opened: Match, act: Act, ana: User) -> None:
    with pytest.raises(Stale):
        act(opened, ana, "8/5 6/5", after=2)
    assert Action.objects.filter(match=opened).count() == 3


@pytest.mark.parametrize(
    ("player", "action", "code"),
    [
        ("bea", "8/5 6/5", "not_your_turn"),
        ("ana", "dice 66", "server_only"),
        ("carlos", "8/5 6/5", "not_seated"),
        ("ana", "accept", "no_offer"),
        ("ana", "flag black", None),
        ("ana", "wins", None),
        ("ana", "8/2", None),
        ("ana", "", "bad_action"),
        ("ana", "x" * 101, "bad_action"),
        ("ana", "8/5\n6/5", "bad_action"),
        ("ana", "resign 9", "resign_level"),
    ],
)
def test_an_invalid_action_is_refused_with_a_code_and_changes_nothing(
    opened: Match, act: Act, request: pytest.FixtureRequest, player: str, action: str, code: str | None
) -> None:
    before = Match.objects.values().get(pk=opened.pk)
    with pytest.raises(Refused) as refused:
        act(opened, request.getfixturevalue(player), action)
    assert code is None or refused.value.code == code
    assert refused.value.text
    assert Match.objects.values().get(pk=opened.pk) == before
    assert Action.objects.filter(match=opened).count() == 3


def test_a_whole_match_through_the_services_replays_to_its_end(
    open_table: Open, act: Act, ana: User, bea: User
) -> None:
    match = open_table(clock="none", length=7)
    choose = random.Random(7)
    while (match := Match.objects.get(pk=match.pk)).status == "live":
        state = state_of(match)
        side, user = ("white", ana) if _due(state, "white") else ("black", bea)
        action = "roll" if "roll" in state.may(side) else choose.choice(sorted(state.position.actions()))
        act(match, user, action, after=match.version)
    rows = list(Action.objects.filter(match=match))
    assert [row.n for row in rows] == list(range(1, match.version + 1))
    passes = [number for number, row in enumerate(rows) if row.text == "pass"]
    assert passes
    assert {rows[number].actor for number in passes} == {"server"}
    assert {rows[number].at - rows[number - 1].at for number in passes} == {timedelta(0)}
    assert replayed_state(match) == state_of(match)
    assert {seat.side for seat in match.seats.all() if seat.won} == {match.winner}
    assert max(seat.points for seat in match.seats.all()) >= 7


def _due(state: replay.State, side: Side) -> bool:
    return any(not name.startswith("resign") for name in state.may(side))


def test_a_dropped_double_ends_the_game_and_opens_the_next(opened: Match, act: Act, ana: User, bea: User) -> None:
    act(opened, ana, "8/5 6/5")
    act(opened, bea, "double")
    act(opened, ana, "drop")
    first, second = Game.objects.filter(match=opened)
    assert (first.winner, first.points, first.kind) == ("black", 1, "drop")
    assert second.score_before["black"] == 1
    assert {s.side: s.points for s in opened.seats.all()} == {"white": 0, "black": 1}


def test_a_resigned_match_is_over_for_everyone(opened: Match, act: Act, ana: User, bea: User) -> None:
    act(opened, bea, "resign match")
    match = Match.objects.get(pk=opened.pk)
    assert (match.status, match.winner, match.ended_by, match.flag_at) == ("over", "white", "resign", None)
    assert {s.side: s.won for s in match.seats.all()} == {"white": True, "black": False}
    with pytest.raises(Refused, match="match_over"):
        act(opened, ana, "8/5 6/5")


def test_the_flag_falls_on_the_first_access_after_the_deadline(opened: Match, act: Act, ana: User) -> None:
    match = Match.objects.get(pk=opened.pk)
    past = timedelta(milliseconds=match.clock["white"] + match.clock["delay"] + 1)
    Match.objects.filter(pk=match.pk).update(clock_at=match.clock_at - past, flag_at=match.flag_at - past)
    with pytest.raises(Refused, match="time_up"):
        act(match, ana, "8/5 6/5")
    match.refresh_from_db()
    assert (match.status, match.winner, match.ended_by) == ("over", "black", "flag")
    assert texts(match)[-1] == "server: flag white"
    assert services.match_touch(match_id=match.pk) == match.version


def test_an_access_before_the_deadline_does_nothing(opened: Match) -> None:
    version = Match.objects.get(pk=opened.pk).version
    assert services.match_touch(match_id=opened.pk) == version


def test_a_missing_roller_is_held_after_twenty_seconds_and_their_clock_runs(
    open_table: Open, act: Act, next_rolls: Dice, ana: User
) -> None:
    next_rolls.append((1, 6))
    match = open_table()
    act(match, ana, "roll")
    Match.objects.filter(pk=match.pk).update(flag_at=Match.objects.get(pk=match.pk).created_at)
    services.match_touch(match_id=match.pk)
    match.refresh_from_db()
    assert texts(match) == ["white: roll", "server: hold black", "chance: dice 16"]
    assert match.clock["running"] == "black"


def test_time_beyond_the_delay_comes_off_the_players_reserve(opened: Match, act: Act, ana: User) -> None:
    match = Match.objects.get(pk=opened.pk)
    Match.objects.filter(pk=match.pk).update(clock_at=match.clock_at - timedelta(seconds=20))
    act(match, ana, "8/5 6/5")
    match.refresh_from_db()
    assert 591_000 < match.clock["white"] <= 592_000
    assert match.clock["running"] == "black"


def test_an_open_game_can_be_withdrawn_but_not_joined_twice(ana: User, bea: User, carlos: User) -> None:
    seek = services.match_create(creator=ana, variant="backgammon", length=3, clock="club", rated=True)
    services.match_join(match_id=seek.pk, user=bea)
    with pytest.raises(Refused, match="not_open"):
        services.match_join(match_id=seek.pk, user=carlos)
    with pytest.raises(Refused, match="not_open"):
        services.match_cancel(match_id=seek.pk, user=ana)


def test_a_challenge_is_for_one_player_who_may_decline(ana: User, bea: User, carlos: User) -> None:
    seek = services.match_create(creator=ana, variant="backgammon", length=3, clock="club", rated=True, invited=bea)
    with pytest.raises(Refused, match="not_invited"):
        services.match_join(match_id=seek.pk, user=carlos)
    services.match_decline(match_id=seek.pk, user=bea)
    assert Match.objects.get(pk=seek.pk).status == "cancelled"


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"variant": "chess"}, "variant"),
        ({"length": -1}, "length"),
        ({"length": 100}, "length"),
        ({"length": True}, "length"),
        ({"clock": "sundial"}, "clock"),
        ({"options": {"cube": "yes"}}, "options"),
        ({"options": {"house": True}}, "options"),
    ],
)
def test_terms_that_do_not_exist_are_refused(ana: User, terms: dict[str, object], code: str) -> None:
    wanted: dict[str, object] = {"variant": "backgammon", "length": 3, "clock": "club", "rated": False, **terms}
    with pytest.raises(Refused) as refused:
        services.match_create(creator=ana, **wanted)  # type: ignore[arg-type]
    assert refused.value.code == code
    assert not Match.objects.exists()


def test_a_rematch_is_offered_by_one_and_accepted_by_the_other(opened: Match, act: Act, ana: User, bea: User) -> None:
    with pytest.raises(Refused, match="not_over"):
        services.match_rematch(match_id=opened.pk, user=ana)
    act(opened, ana, "resign match")
    offered = services.match_rematch(match_id=opened.pk, user=ana)
    assert (offered.status, offered.invited) == ("open", bea)
    with pytest.raises(Refused, match="rematch_pending"):
        services.match_rematch(match_id=opened.pk, user=ana)
    joined = services.match_rematch(match_id=opened.pk, user=bea)
    assert (joined.pk, joined.status) == (offered.pk, "live")


def test_guests_play_unrated(ana: User) -> None:
    ana.is_guest = True
    ana.save()
    with pytest.raises(Refused, match="guest_rated"):
        services.match_create(creator=ana, variant="backgammon", length=3, clock="club", rated=True)
