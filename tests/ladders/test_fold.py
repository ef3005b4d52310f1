"""A ladder from its events: what the rules remember beside the order, who may call whom, and what an undo is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ladders.rules import Config, State, dump, fold, load, may_challenge, next_due, next_on_hill, reach, step

ANA, BEA, CARLOS, DORA, EVA = "ana", "bea", "carlos", "dora", "eva"
LADDER = [ANA, BEA, CARLOS, DORA, EVA]
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def day(number: float) -> datetime:
    return NOON + timedelta(days=number)


class History:
    """Events told one after the other, at noon of the first day unless another moment is named."""

    def __init__(self, *joined: str, **settings: Any) -> None:
        self.config = Config.of(settings)
        self.events: list[dict[str, Any]] = []
        self.state = State()
        self.record("created", config=self.config.as_json())
        for seconds, player in enumerate(joined):
            later = seconds if self.config.kind == "season" else 0  # there it may decide
            self.record("joined", NOON + timedelta(seconds=later), player=player)

    def record(self, type_: str, at: datetime | None = None, **facts: Any) -> None:
        event = {"n": len(self.events) + 1, "type": type_, "at": at or NOON, **facts}
        self.events.append(event)
        self.state = step(self.state, self.config, event)
        if type_ in ("undo", "redo"):
            self.state = fold(self.config, self.events)

    def beat(self, winner: str, loser: str, at: datetime | None = None, *, challenger: str = "") -> None:
        first = challenger or winner
        other = loser if first == winner else winner
        self.record("result", at, challenger=first, defender=other, winner=winner)

    def why(self, challenger: str, defender: str, at: datetime = NOON) -> str | None:
        return may_challenge(self.state, self.config, challenger, defender, at)


def test_of_a_challenge_ladder_the_order_follows_the_matches() -> None:
    history = History(*LADDER)
    history.beat(CARLOS, ANA)
    assert history.state.order == (CARLOS, ANA, BEA, DORA, EVA)
    assert [history.state.place(player) for player in (CARLOS, EVA, "flo")] == [1, 5, None]
    before = history.state
    history.beat(DORA, ANA)
    assert before.moves(history.state) == {DORA: (4, 2), ANA: (2, 3), BEA: (3, 4)}
    assert history.state.rows[ANA].played == 2
    assert history.state.rows[DORA].won == 1


def test_one_may_call_a_few_places_up() -> None:
    history = History(*LADDER)
    assert history.why(EVA, BEA) is None
    assert history.why(EVA, ANA) == "ladder_too_far"
    assert history.why(BEA, EVA) == "ladder_not_above"
    assert history.why(BEA, BEA) == "self_play"
    assert history.why("flo", BEA) == "ladder_not_on"
    assert history.why(BEA, "flo") == "ladder_rival_not_on"
    assert History(*LADDER, range=0).why(EVA, ANA) is None
    assert History(*LADDER, kind="rating").why(EVA, ANA) == "ladder_by_rating"


def test_the_frozen_and_the_absent_do_not_count_in_the_reach() -> None:
    history = History(*LADDER)
    history.record("froze", player=DORA)
    assert reach(history.state, EVA, ANA, NOON) == 3
    assert history.why(EVA, ANA) is None
    assert history.why(EVA, DORA) == "ladder_rival_frozen"


def test_two_do_not_meet_again_at_once() -> None:
    history = History(*LADDER, immunity_hours=0)
    history.beat(ANA, BEA, challenger=BEA)
    assert history.why(BEA, ANA, day(6.9)) == "ladder_rematch"
    assert history.why(BEA, ANA, day(7)) is None
    assert history.why(CARLOS, ANA, day(1)) is None


def test_who_has_defended_is_left_in_peace() -> None:
    history = History(*LADDER)
    history.beat(ANA, BEA, challenger=BEA)
    assert history.why(CARLOS, ANA, day(2.9)) == "ladder_rival_immune"
    assert history.why(CARLOS, ANA, day(3)) is None
    history.beat(DORA, CARLOS)
    assert history.state.rows[DORA].immune_until is None


def test_challenges_are_counted_until_they_end() -> None:
    history = History(*LADDER)
    history.record("challenged", challenge=1, challenger=CARLOS, defender=BEA)
    assert history.why(CARLOS, BEA) == "ladder_called"
    assert history.why(CARLOS, ANA) == "ladder_most_out"
    assert history.why(DORA, BEA) == "ladder_most_in"
    assert history.why(DORA, ANA) is None
    history.record("withdrawn", challenge=1, challenger=CARLOS, defender=BEA, loser=None)
    assert history.why(DORA, BEA) is None
    assert history.state.order == tuple(LADDER)


def test_a_forfeit_costs_the_place_and_is_no_sign_of_life() -> None:
    history = History(*LADDER)
    history.record("expired", day(2), challenge=1, challenger=CARLOS, defender=ANA, loser=ANA)
    assert history.state.order == (CARLOS, ANA, BEA, DORA, EVA)
    assert (history.state.rows[ANA].idle_from, history.state.rows[CARLOS].idle_from) == (NOON, day(2))


def test_who_does_not_play_freezes_then_falls_again_and_again() -> None:
    history = History(*LADDER)
    assert next_due(history.state.rows[ANA], history.config) == day(30)
    history.record("froze", day(30), player=ANA)
    assert next_due(history.state.rows[ANA], history.config) == day(45)
    history.record("dropped", day(45), player=ANA, places=3)
    assert history.state.order == (BEA, CARLOS, DORA, ANA, EVA)
    assert next_due(history.state.rows[ANA], history.config) == day(90)
    history.record("thawed", day(50), player=ANA)
    assert not history.state.rows[ANA].frozen
    assert next_due(history.state.rows[ANA], history.config) == day(80)
    history.beat(ANA, DORA, day(60))
    assert next_due(history.state.rows[ANA], history.config) == day(90)
    assert history.state.rows[ANA].drops == 0


def test_who_calls_is_there() -> None:
    history = History(*LADDER)
    history.record("froze", day(30), player=BEA)
    history.record("challenged", day(31), challenge=1, challenger=BEA, defender=ANA)
    assert not history.state.rows[BEA].frozen
    assert next_due(history.state.rows[BEA], history.config) == day(45)


def test_a_vacation_stops_what_time_does_and_what_is_left_of_it_comes_back() -> None:
    history = History(*LADDER)
    history.record("away", day(1), player=ANA, days=10)
    assert history.why(BEA, ANA, day(5)) == "ladder_rival_away"
    assert history.why(ANA, BEA, day(5)) == "ladder_away"
    assert next_due(history.state.rows[ANA], history.config) == day(11)
    history.record("back", day(5), player=ANA)
    row = history.state.rows[ANA]
    assert (row.away_days, row.away_until, row.idle_from) == (4.0, None, day(4))
    assert history.why(BEA, ANA, day(5)) is None


def test_time_out_of_order_counts_for_nobody() -> None:
    history = History(*LADDER)
    history.beat(ANA, BEA, challenger=BEA)
    history.record("outage", day(2), seconds=86400)
    assert (history.state.rows[ANA].immune_until, history.state.rows[ANA].seen_at) == (day(4), day(1))
    history.record("closed", day(3))
    assert history.why(EVA, DORA, day(4)) == "ladder_closed"
    history.record("opened", day(13))
    assert (history.state.rows[ANA].immune_until, history.state.rows[EVA].idle_from) == (day(14), day(11))


# Seasons


def test_in_a_season_the_order_is_that_of_the_points() -> None:
    history = History(*LADDER, kind="season")
    history.beat(DORA, ANA)  # 3 and 1 for having beaten somebody higher, against 1
    assert [history.state.rows[player].points for player in (DORA, ANA)] == [4, 1]
    assert history.state.order == (DORA, ANA, BEA, CARLOS, EVA)
    history.beat(DORA, EVA)
    assert (history.state.rows[DORA].points, history.state.order[:3]) == (7, (DORA, ANA, EVA))
    assert history.why(DORA, EVA) is None


def test_with_equal_points_fewer_matches_stand_higher_then_who_joined_earlier() -> None:
    history = History(ANA, BEA, CARLOS, kind="season", points_loss=0, bonus_higher=0)
    history.beat(BEA, CARLOS)
    history.beat(ANA, CARLOS)
    history.beat(CARLOS, BEA)
    assert [history.state.rows[player].points for player in (ANA, BEA, CARLOS)] == [3, 3, 3]
    assert history.state.order == (ANA, BEA, CARLOS)


def test_only_so_many_matches_against_the_same_opponent_and_only_the_best_count() -> None:
    history = History(ANA, BEA, CARLOS, kind="season", against_same=2, best_of=2, bonus_higher=0)
    for _ in range(3):
        history.beat(ANA, BEA)
    assert (history.state.rows[ANA].points, history.state.rows[BEA].points, history.state.rows[ANA].played) == (6, 2, 3)
    history.beat(BEA, CARLOS)
    assert history.state.rows[BEA].points == 4


def test_a_new_season_begins_at_zero_and_keeps_the_order_of_a_challenge_ladder() -> None:
    history = History(*LADDER)
    history.beat(BEA, ANA)
    history.record("away", player=EVA, days=5)
    history.record("season", day(5))
    row = history.state.rows[EVA]
    assert (history.state.season, history.state.order, row.away_days) == (2, (BEA, ANA, CARLOS, DORA, EVA), 0)
    season = History(*LADDER, kind="season")
    season.beat(EVA, ANA)
    season.record("season", day(5))
    assert season.state.order == tuple(LADDER)
    assert {row.points for row in season.state.rows.values()} == {0}


# The hill


def test_on_a_hill_the_next_in_line_plays_the_king() -> None:
    history = History(*LADDER, kind="hill")
    assert next_on_hill(history.state, NOON) == (BEA, ANA)
    assert history.why(BEA, ANA) is None
    assert history.why(CARLOS, ANA) == "ladder_not_next"
    assert history.why(ANA, BEA) == "ladder_king_waits"
    assert history.why(CARLOS, BEA) == "ladder_only_king"
    history.record("challenged", challenge=1, challenger=BEA, defender=ANA, itself=True)
    assert next_on_hill(history.state, NOON) is None
    history.record("result", challenge=1, challenger=BEA, defender=ANA, winner=BEA)
    assert history.state.order == (BEA, CARLOS, DORA, EVA, ANA)
    assert next_on_hill(history.state, NOON) == (CARLOS, BEA)


def test_who_is_frozen_or_away_lets_the_next_pass_and_nobody_plays_an_absent_king() -> None:
    history = History(*LADDER, kind="hill")
    history.record("froze", player=BEA)
    assert next_on_hill(history.state, NOON) == (CARLOS, ANA)
    assert history.why(BEA, ANA) is None
    history.record("away", player=ANA, days=2)
    assert next_on_hill(history.state, NOON) is None
    assert next_on_hill(history.state, day(2)) == (CARLOS, ANA)
    assert next_on_hill(History(ANA, kind="hill").state, NOON) is None


# Undone


def test_what_is_undone_has_never_been_and_may_be_restored() -> None:
    history = History(*LADDER)
    history.beat(CARLOS, ANA)
    wrong = len(history.events)
    history.beat(DORA, ANA)
    history.record("undo", undone=wrong)
    assert history.state.order == (DORA, ANA, BEA, CARLOS, EVA)
    history.record("redo", undone=wrong)
    assert history.state.order == (CARLOS, DORA, ANA, BEA, EVA)


def test_an_undone_forfeit_still_ends_its_challenge() -> None:
    history = History(*LADDER)
    history.record("challenged", challenge=1, challenger=BEA, defender=ANA)
    history.record("expired", challenge=1, challenger=BEA, defender=ANA, loser=ANA)
    history.record("undo", undone=len(history.events))
    assert (history.state.order, history.state.challenges) == (tuple(LADDER), ())


happened = st.one_of(
    st.tuples(st.just("result"), st.sampled_from(LADDER), st.sampled_from(LADDER)),
    st.tuples(st.just("expired"), st.sampled_from(LADDER), st.sampled_from(LADDER)),
    st.tuples(st.sampled_from(["joined", "left", "dropped", "froze", "back"]), st.sampled_from(LADDER), st.none()),
    st.tuples(st.sampled_from(["season", "outage"]), st.none(), st.none()),
)


def record_event(history: History, step: tuple[str, Any, Any]) -> None:
    type_, first, second = step
    at = day(len(history.events))
    if type_ in ("result", "expired"):
        history.record(
            type_, at, challenger=first, defender=second, winner=first, loser=second, challenge=len(history.events)
        )
    elif type_ == "outage":
        history.record(type_, at, seconds=600)
    else:
        history.record(type_, at, **({} if first is None else {"player": first, "places": 2}))


@settings(deadline=None)  # the first example pays for the imports
@given(st.sampled_from(["challenge", "season", "hill"]), st.lists(happened, max_size=12), st.data())
def test_an_undo_is_the_fold_without_the_event(kind: str, happenings: list[Any], data: st.DataObject) -> None:
    history = History(ANA, BEA, CARLOS, kind=kind)
    for happening in happenings:
        record_event(history, happening)
    assert fold(history.config, history.events) == history.state
    assert load(dump(history.state)) == history.state
    assert sorted(history.state.order) == sorted(history.state.rows)
    n = data.draw(st.integers(2, len(history.events)))
    before = history.state
    history.record("undo", undone=n)
    without = [event for event in history.events if event["n"] != n and event["type"] != "undo"]
    assert history.state == fold(history.config, without)
    history.record("redo", undone=n)
    assert history.state == before
