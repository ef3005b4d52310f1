"""The rules of ladders: who stands where after an event, and what a ladder's settings may be."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladders.rules import FIELDS, KINDS, BadConfig, Config, apply

ANA, BEA, CARLOS, DORA, EVA = "ana", "bea", "carlos", "dora", "eva"
LADDER = [ANA, BEA, CARLOS, DORA, EVA]
LEAPFROG, SWAP, HILL = {"rule": "leapfrog"}, {"rule": "swap"}, {"kind": "hill"}


def result(challenger: str, defender: str, winner: str) -> dict[str, str]:
    return {"type": "result", "challenger": challenger, "defender": defender, "winner": winner}


# One event in an order


def test_the_winner_leaps_over_those_between() -> None:
    assert apply(LADDER, LEAPFROG, result(DORA, BEA, DORA)) == [ANA, DORA, BEA, CARLOS, EVA]


def test_or_the_two_swap() -> None:
    assert apply(LADDER, SWAP, result(DORA, BEA, DORA)) == [ANA, DORA, CARLOS, BEA, EVA]


@pytest.mark.parametrize("config", [LEAPFROG, SWAP, {}, Config(), Config.of(SWAP)])
def test_a_challenger_who_loses_changes_nothing(config: Any) -> None:
    assert apply(LADDER, config, result(DORA, BEA, BEA)) == LADDER


@pytest.mark.parametrize("config", [LEAPFROG, SWAP])
def test_nobody_falls_by_winning(config: Any) -> None:
    assert apply(LADDER, config, result(BEA, DORA, BEA)) == LADDER
    assert apply(LADDER, config, result(BEA, DORA, DORA)) == LADDER


def test_a_forfeit_is_a_match_that_the_other_won() -> None:
    event = {"type": "forfeit", "challenger": CARLOS, "defender": ANA}
    assert apply(LADDER, LEAPFROG, {**event, "loser": ANA}) == [CARLOS, ANA, BEA, DORA, EVA]
    assert apply(LADDER, LEAPFROG, {**event, "loser": CARLOS}) == LADDER
    assert apply(LADDER, LEAPFROG, {**event, "loser": EVA}) == LADDER


def test_on_a_hill_the_winner_is_king_and_the_loser_goes_to_the_end() -> None:
    assert apply(LADDER, HILL, result(BEA, ANA, BEA)) == [BEA, CARLOS, DORA, EVA, ANA]
    assert apply(LADDER, HILL, result(BEA, ANA, ANA)) == [ANA, CARLOS, DORA, EVA, BEA]
    assert apply(LADDER, HILL, {"type": "forfeit", "challenger": BEA, "defender": ANA, "loser": BEA}) == [
        ANA,
        CARLOS,
        DORA,
        EVA,
        BEA,
    ]


@pytest.mark.parametrize("kind", ["season", "rating"])
def test_where_points_or_ratings_order_them_a_result_moves_nobody(kind: str) -> None:
    assert apply(LADDER, {"kind": kind}, result(DORA, BEA, DORA)) == LADDER


def test_who_joins_stands_at_the_bottom_or_where_he_is_put() -> None:
    assert apply(LADDER, {}, {"type": "join", "player": "flo"}) == [*LADDER, "flo"]
    assert apply(LADDER, {}, {"type": "join", "player": "flo", "at": 2}) == [ANA, "flo", BEA, CARLOS, DORA, EVA]
    assert apply(LADDER, {}, {"type": "join", "player": "flo", "at": 99}) == [*LADDER, "flo"]
    assert apply(LADDER, {}, {"type": "join", "player": BEA, "at": 1}) == LADDER
    assert apply([], {}, {"type": "join", "player": 7}) == [7]


def test_who_leaves_lets_the_others_up() -> None:
    assert apply(LADDER, {}, {"type": "leave", "player": BEA}) == [ANA, CARLOS, DORA, EVA]


def test_who_falls_stops_at_the_bottom() -> None:
    assert apply(LADDER, {}, {"type": "drop", "player": BEA, "places": 2}) == [ANA, CARLOS, DORA, BEA, EVA]
    assert apply(LADDER, {}, {"type": "drop", "player": BEA, "places": 50}) == [ANA, CARLOS, DORA, EVA, BEA]
    assert apply(LADDER, {}, {"type": "drop", "player": BEA, "places": 0}) == LADDER


def test_a_director_moves_anybody_anywhere() -> None:
    assert apply(LADDER, {}, {"type": "move", "player": EVA, "to": 1}) == [EVA, ANA, BEA, CARLOS, DORA]
    assert apply(LADDER, {}, {"type": "move", "player": ANA, "to": 3}) == [BEA, CARLOS, ANA, DORA, EVA]
    assert apply(LADDER, {}, {"type": "move", "player": ANA, "to": 99}) == [BEA, CARLOS, DORA, EVA, ANA]


players = st.integers(1, 9)
orders = st.lists(players, unique=True, max_size=9)
configs = st.fixed_dictionaries({"kind": st.sampled_from(KINDS), "rule": st.sampled_from(["leapfrog", "swap"])})
happenings = st.one_of(
    st.fixed_dictionaries({"type": st.just("result"), "challenger": players, "defender": players, "winner": players}),
    st.fixed_dictionaries({"type": st.just("forfeit"), "challenger": players, "defender": players, "loser": players}),
    st.fixed_dictionaries({"type": st.just("join"), "player": players}, optional={"at": st.integers(-2, 12)}),
    st.fixed_dictionaries({"type": st.just("leave"), "player": players}),
    st.fixed_dictionaries({"type": st.just("drop"), "player": players, "places": st.integers(-2, 12)}),
    st.fixed_dictionaries({"type": st.just("move"), "player": players, "to": st.integers(-2, 12)}),
    st.fixed_dictionaries({"type": st.sampled_from(["undo", "nonsense"]), "player": players}),
)


@given(orders, configs, happenings)
def test_an_order_always_holds_the_same_players_with_who_joined_and_without_who_left(
    order: list[int], config: dict[str, str], event: dict[str, Any]
) -> None:
    before = list(order)
    after = apply(order, config, event)
    assert order == before
    assert after is not order
    wanted = set(order)
    if event["type"] == "join":
        wanted |= {event["player"]}
    elif event["type"] == "leave":
        wanted -= {event["player"]}
    assert sorted(after) == sorted(wanted)


@given(orders, configs, happenings)
def test_an_event_about_a_stranger_changes_nothing(
    order: list[int], config: dict[str, str], event: dict[str, Any]
) -> None:
    named = {event.get(key) for key in ("player", "challenger", "defender")} - {None}
    if event["type"] != "join" and not named <= set(order):
        assert apply(order, config, event) == order


@given(orders, st.sampled_from([LEAPFROG, SWAP]), players, players)
def test_by_winning_one_never_falls_and_those_outside_the_two_places_stay(
    order: list[int], config: dict[str, str], challenger: int, defender: int
) -> None:
    after = apply(
        order, config, {"type": "result", "challenger": challenger, "defender": defender, "winner": challenger}
    )
    if {challenger, defender} <= set(order) and order.index(defender) < order.index(challenger):
        top, low = order.index(defender), order.index(challenger)
        assert after.index(challenger) == top
        assert after[:top] == order[:top]
        assert after[low + 1 :] == order[low + 1 :]
        between = order[top:low] if config is LEAPFROG else [*order[top + 1 : low], defender]
        assert after[top + 1 : low + 1] == between
    else:
        assert after == order


# Settings


def test_settings_are_usual_unless_they_are_given() -> None:
    assert (Config.of({}).range, Config.of({}).accept_hours, Config.of({"range": 0}).range) == (3, 48, 0)
    assert (Config.of({"kind": "season"}).most_out, Config.of({"kind": "season", "most_out": 2}).most_out) == (3, 2)


@pytest.mark.parametrize(
    ("mapping", "field"),
    [
        ({"reach": 3}, "reach"),
        ({"range": -1}, "range"),
        ({"range": "3"}, "range"),
        ({"range": True}, "range"),
        ({"range": None}, "range"),
        ({"play_days": 0}, "play_days"),
        ({"rule": "chess"}, "rule"),
        ({"rule": ["swap"]}, "rule"),
        ({"kind": "league"}, "kind"),
        ({"on_no_answer": "shout"}, "on_no_answer"),
    ],
)
def test_a_bad_setting_is_named(mapping: dict[str, Any], field: str) -> None:
    with pytest.raises(BadConfig) as caught:
        Config.of(mapping)
    assert caught.value.field == field


@pytest.mark.parametrize("kind", KINDS)
def test_settings_come_back_from_json(kind: str) -> None:
    config = Config.of({"kind": kind})
    assert set(config.as_json()) == {"kind", *FIELDS[kind]}
    assert Config.of(config.as_json()) == config
