"""A ladder from its events: what the rules remember beside the order, who may call whom, and what an undo is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.ladders import (
    Config,
    State,
    dump,
    fold,
    load,
    may_challenge,
    next_due,
    next_on_hill,
    reach,
    step,
)

ANA, BEA, CARLOS, DORA, EVA = "ana", "bea", "carlos", "dora", "eva"
LADDER = [ANA, BEA, CARLOS, DORA, EVA]
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def day(number: float) -> datetime:
    return NOON + timedelta(days=number)


class Story:
    """Events told one after the other, at noon of the first day unless another moment is named."""

    def __init__(self, *joined: str, **settings: Any) -> None:
        self.config = Config.of(settings)
        self.events: list[dict[str, Any]] = []
        self.state = State()
        self.tell("created", config=self.config.as_json())
        for seconds, player in enumerate(joined):
            later = seconds if self.config.kind == "season" else 0  # there it may decide
            self.tell("joined", NOON + timedelta(seconds=later), player=player)

    def tell(self, type_: str, at: datetime | None = None, **facts: Any) -> None:
        event = {"n": len(self.events) + 1, "type": type_, "at": at or NOON, **facts}
        self.events.append(event)
        self.state = step(self.state, self.config, event)
        if type_ in ("undo", "redo"):
            self.state = fold(self.config, self.events)

    def beat(self, winner: str, loser: str, at: datetime | None = None, *, challenger: str = "") -> None:
        first = challenger or winner
        other = loser if first == winner else winner
        self.tell("result", at, challenger=first, defender=other, winner=winner)

    def why(self, challenger: str, defender: str, at: datetime = NOON) -> str | None:
        return may_challenge(self.state, self.config, challenger, defender, at)


def test_of_a_challenge_ladder_the_order_follows_the_matches() -> None:
    story = Story(*LADDER)
    story.beat(CARLOS, ANA)
    assert story.state.order == (CARLOS, ANA, BEA, DORA, EVA)
    assert [story.state.place(one) for one in (CARLOS, EVA, "flo")] == [1, 5, None]
    before = story.state
    story.beat(DORA, ANA)
    assert before.moves(story.state) == {DORA: (4, 2), ANA: (2, 3), BEA: (3, 4)}
    assert story.state.rows[ANA].played == 2
    assert story.state.rows[DORA].won == 1


def test_one_may_call_a_few_places_up() -> None:
    story = Story(*LADDER)
    assert story.why(EVA, BEA) is None
    assert story.why(EVA, ANA) == "ladder_too_far"
    assert story.why(BEA, EVA) == "ladder_not_above"
    assert story.why(BEA, BEA) == "self_play"
    assert story.why("flo", BEA) == "ladder_not_on"
    assert story.why(BEA, "flo") == "ladder_rival_not_on"
    assert Story(*LADDER, range=0).why(EVA, ANA) is None
    assert Story(*LADDER, kind="rating").why(EVA, ANA) == "ladder_by_rating"


def test_the_frozen_and_the_absent_do_not_count_in_the_reach() -> None:
    story = Story(*LADDER)
    story.tell("froze", player=DORA)
    assert reach(story.state, EVA, ANA, NOON) == 3
    assert story.why(EVA, ANA) is None
    assert story.why(EVA, DORA) == "ladder_rival_frozen"


def test_two_do_not_meet_again_at_once() -> None:
    story = Story(*LADDER, immunity_hours=0)
    story.beat(ANA, BEA, challenger=BEA)
    assert story.why(BEA, ANA, day(6.9)) == "ladder_rematch"
    assert story.why(BEA, ANA, day(7)) is None
    assert story.why(CARLOS, ANA, day(1)) is None


def test_who_has_defended_is_left_in_peace() -> None:
    story = Story(*LADDER)
    story.beat(ANA, BEA, challenger=BEA)
    assert story.why(CARLOS, ANA, day(2.9)) == "ladder_rival_immune"
    assert story.why(CARLOS, ANA, day(3)) is None
    story.beat(DORA, CARLOS)
    assert story.state.rows[DORA].immune_until is None


def test_challenges_are_counted_until_they_end() -> None:
    story = Story(*LADDER)
    story.tell("challenged", challenge=1, challenger=CARLOS, defender=BEA)
    assert story.why(CARLOS, BEA) == "ladder_called"
    assert story.why(CARLOS, ANA) == "ladder_most_out"
    assert story.why(DORA, BEA) == "ladder_most_in"
    assert story.why(DORA, ANA) is None
    story.tell("withdrawn", challenge=1, challenger=CARLOS, defender=BEA, loser=None)
    assert story.why(DORA, BEA) is None
    assert story.state.order == tuple(LADDER)


def test_a_forfeit_costs_the_place_and_is_no_sign_of_life() -> None:
    story = Story(*LADDER)
    story.tell("expired", day(2), challenge=1, challenger=CARLOS, defender=ANA, loser=ANA)
    assert story.state.order == (CARLOS, ANA, BEA, DORA, EVA)
    assert (story.state.rows[ANA].idle_from, story.state.rows[CARLOS].idle_from) == (NOON, day(2))


def test_who_does_not_play_freezes_then_falls_again_and_again() -> None:
    story = Story(*LADDER)
    assert next_due(story.state.rows[ANA], story.config) == day(30)
    story.tell("froze", day(30), player=ANA)
    assert next_due(story.state.rows[ANA], story.config) == day(45)
    story.tell("dropped", day(45), player=ANA, places=3)
    assert story.state.order == (BEA, CARLOS, DORA, ANA, EVA)
    assert next_due(story.state.rows[ANA], story.config) == day(90)
    story.tell("thawed", day(50), player=ANA)
    assert not story.state.rows[ANA].frozen
    assert next_due(story.state.rows[ANA], story.config) == day(80)
    story.beat(ANA, DORA, day(60))
    assert next_due(story.state.rows[ANA], story.config) == day(90)
    assert story.state.rows[ANA].drops == 0


def test_who_calls_is_there() -> None:
    story = Story(*LADDER)
    story.tell("froze", day(30), player=BEA)
    story.tell("challenged", day(31), challenge=1, challenger=BEA, defender=ANA)
    assert not story.state.rows[BEA].frozen
    assert next_due(story.state.rows[BEA], story.config) == day(45)


def test_a_vacation_stops_what_time_does_and_what_is_left_of_it_comes_back() -> None:
    story = Story(*LADDER)
    story.tell("away", day(1), player=ANA, days=10)
    assert story.why(BEA, ANA, day(5)) == "ladder_rival_away"
    assert story.why(ANA, BEA, day(5)) == "ladder_away"
    assert next_due(story.state.rows[ANA], story.config) == day(11)
    story.tell("back", day(5), player=ANA)
    row = story.state.rows[ANA]
    assert (row.away_days, row.away_until, row.idle_from) == (4.0, None, day(4))
    assert story.why(BEA, ANA, day(5)) is None


def test_time_out_of_order_counts_for_nobody() -> None:
    story = Story(*LADDER)
    story.beat(ANA, BEA, challenger=BEA)
    story.tell("outage", day(2), seconds=86400)
    assert (story.state.rows[ANA].immune_until, story.state.rows[ANA].seen_at) == (day(4), day(1))
    story.tell("closed", day(3))
    assert story.why(EVA, DORA, day(4)) == "ladder_closed"
    story.tell("opened", day(13))
    assert (story.state.rows[ANA].immune_until, story.state.rows[EVA].idle_from) == (day(14), day(11))


# Seasons


def test_in_a_season_the_order_is_that_of_the_points() -> None:
    story = Story(*LADDER, kind="season")
    story.beat(DORA, ANA)  # 3 and 1 for having beaten somebody higher, against 1
    assert [story.state.rows[one].points for one in (DORA, ANA)] == [4, 1]
    assert story.state.order == (DORA, ANA, BEA, CARLOS, EVA)
    story.beat(DORA, EVA)
    assert (story.state.rows[DORA].points, story.state.order[:3]) == (7, (DORA, ANA, EVA))
    assert story.why(DORA, EVA) is None


def test_with_equal_points_fewer_matches_stand_higher_then_who_joined_earlier() -> None:
    story = Story(ANA, BEA, CARLOS, kind="season", points_loss=0, bonus_higher=0)
    story.beat(BEA, CARLOS)
    story.beat(ANA, CARLOS)
    story.beat(CARLOS, BEA)
    assert [story.state.rows[one].points for one in (ANA, BEA, CARLOS)] == [3, 3, 3]
    assert story.state.order == (ANA, BEA, CARLOS)


def test_only_so_many_matches_against_the_same_rival_and_only_the_best_count() -> None:
    story = Story(ANA, BEA, CARLOS, kind="season", against_same=2, best_of=2, bonus_higher=0)
    for _ in range(3):
        story.beat(ANA, BEA)
    assert (story.state.rows[ANA].points, story.state.rows[BEA].points, story.state.rows[ANA].played) == (6, 2, 3)
    story.beat(BEA, CARLOS)
    assert story.state.rows[BEA].points == 4


def test_a_new_season_begins_at_zero_and_keeps_the_order_of_a_challenge_ladder() -> None:
    story = Story(*LADDER)
    story.beat(BEA, ANA)
    story.tell("away", player=EVA, days=5)
    story.tell("season", day(5))
    row = story.state.rows[EVA]
    assert (story.state.season, story.state.order, row.away_days) == (2, (BEA, ANA, CARLOS, DORA, EVA), 0)
    season = Story(*LADDER, kind="season")
    season.beat(EVA, ANA)
    season.tell("season", day(5))
    assert season.state.order == tuple(LADDER)
    assert {row.points for row in season.state.rows.values()} == {0}


# The hill


def test_on_a_hill_the_next_in_line_plays_the_king() -> None:
    story = Story(*LADDER, kind="hill")
    assert next_on_hill(story.state, NOON) == (BEA, ANA)
    assert story.why(BEA, ANA) is None
    assert story.why(CARLOS, ANA) == "ladder_not_next"
    assert story.why(ANA, BEA) == "ladder_king_waits"
    assert story.why(CARLOS, BEA) == "ladder_only_king"
    story.tell("challenged", challenge=1, challenger=BEA, defender=ANA, itself=True)
    assert next_on_hill(story.state, NOON) is None
    story.tell("result", challenge=1, challenger=BEA, defender=ANA, winner=BEA)
    assert story.state.order == (BEA, CARLOS, DORA, EVA, ANA)
    assert next_on_hill(story.state, NOON) == (CARLOS, BEA)


def test_who_is_frozen_or_away_lets_the_next_pass_and_nobody_plays_an_absent_king() -> None:
    story = Story(*LADDER, kind="hill")
    story.tell("froze", player=BEA)
    assert next_on_hill(story.state, NOON) == (CARLOS, ANA)
    assert story.why(BEA, ANA) is None
    story.tell("away", player=ANA, days=2)
    assert next_on_hill(story.state, NOON) is None
    assert next_on_hill(story.state, day(2)) == (CARLOS, ANA)
    assert next_on_hill(Story(ANA, kind="hill").state, NOON) is None


# Undone


def test_what_is_undone_has_never_been_and_may_be_restored() -> None:
    story = Story(*LADDER)
    story.beat(CARLOS, ANA)
    wrong = len(story.events)
    story.beat(DORA, ANA)
    story.tell("undo", undone=wrong)
    assert story.state.order == (DORA, ANA, BEA, CARLOS, EVA)
    story.tell("redo", undone=wrong)
    assert story.state.order == (CARLOS, DORA, ANA, BEA, EVA)


def test_an_undone_forfeit_still_ends_its_challenge() -> None:
    story = Story(*LADDER)
    story.tell("challenged", challenge=1, challenger=BEA, defender=ANA)
    story.tell("expired", challenge=1, challenger=BEA, defender=ANA, loser=ANA)
    story.tell("undo", undone=len(story.events))
    assert (story.state.order, story.state.calls) == (tuple(LADDER), ())


happened = st.one_of(
    st.tuples(st.just("result"), st.sampled_from(LADDER), st.sampled_from(LADDER)),
    st.tuples(st.just("expired"), st.sampled_from(LADDER), st.sampled_from(LADDER)),
    st.tuples(st.sampled_from(["joined", "left", "dropped", "froze", "back"]), st.sampled_from(LADDER), st.none()),
    st.tuples(st.sampled_from(["season", "outage"]), st.none(), st.none()),
)


def told(story: Story, happening: tuple[str, Any, Any]) -> None:
    type_, one, other = happening
    at = day(len(story.events))
    if type_ in ("result", "expired"):
        story.tell(type_, at, challenger=one, defender=other, winner=one, loser=other, challenge=len(story.events))
    elif type_ == "outage":
        story.tell(type_, at, seconds=600)
    else:
        story.tell(type_, at, **({} if one is None else {"player": one, "places": 2}))


@settings(deadline=None)  # the first example pays for the imports
@given(st.sampled_from(["challenge", "season", "hill"]), st.lists(happened, max_size=12), st.data())
def test_an_undo_is_the_fold_without_the_event(kind: str, happenings: list[Any], data: st.DataObject) -> None:
    story = Story(ANA, BEA, CARLOS, kind=kind)
    for happening in happenings:
        told(story, happening)
    assert fold(story.config, story.events) == story.state
    assert load(dump(story.state)) == story.state
    assert sorted(story.state.order) == sorted(story.state.rows)
    n = data.draw(st.integers(2, len(story.events)))
    before = story.state
    story.tell("undo", undone=n)
    without = [event for event in story.events if event["n"] != n and event["type"] != "undo"]
    assert story.state == fold(story.config, without)
    story.tell("redo", undone=n)
    assert story.state == before
