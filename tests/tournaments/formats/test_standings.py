"""Tables, with every number worked out by hand."""

from __future__ import annotations

import pytest

from tournaments.formats.core import Bye, Config, Invalid, Pairing, PairingReason, Result, Seed, Slot
from tournaments.formats.registry import FORMATS
from tournaments.formats.resolve import resolve_pairing
from tournaments.formats.standings import check_tie_breaks, known_tie_breaks, struck_entrants, table

ANA, BEA, CARLOS, DORA, EVA = 1, 2, 3, 4, 5


def game(round_: int, number: int, a: int, b: int | None, result: Result | None = None, *, withdrawn=()) -> Pairing:
    other = Slot(Bye(), is_empty=True) if b is None else Slot(Seed(b), b)
    results = {} if result is None else {f"swiss-{round_}-{number}": result}
    return resolve_pairing(
        section="swiss",
        round_=round_,
        number=number,
        a=Slot(Seed(a), a),
        b=other,
        why=PairingReason("fold"),
        results=results,
        withdrawn=frozenset(withdrawn),
    )


# Ana wins all, Bea and Eva win two (Eva one of them a bye), Carlos and Dora only their byes.
THREE_ROUNDS = (
    game(1, 1, ANA, CARLOS, Result(ANA, (5, 2))),
    game(1, 2, BEA, DORA, Result(BEA, (5, 4))),
    game(1, 3, EVA, None),
    game(2, 1, ANA, BEA, Result(ANA, (5, 3))),
    game(2, 2, CARLOS, EVA, Result(EVA, (1, 5))),
    game(2, 3, DORA, None),
    game(3, 1, ANA, DORA, Result(ANA, (5, 0))),
    game(3, 2, EVA, BEA, Result(BEA, (3, 5))),
    game(3, 3, CARLOS, None),
)
ENTRANTS = (ANA, BEA, CARLOS, DORA, EVA)


def order(tie_breaks: list[str], pairings=THREE_ROUNDS, entrants=ENTRANTS, **more) -> list[tuple[int, int]]:
    return [(line.place, line.entrant) for line in table(pairings, entrants, tie_breaks, **more)]


@pytest.mark.parametrize(
    ("tie_break", "values"),
    [
        ("wins", {ANA: 3, BEA: 2, CARLOS: 1, DORA: 1, EVA: 2}),
        ("buchholz", {ANA: 4, BEA: 6, CARLOS: 6, DORA: 6, EVA: 5}),
        ("buchholz-cut", {ANA: 3, BEA: 5, CARLOS: 5, DORA: 5, EVA: 4}),
        ("median", {ANA: 1, BEA: 2, CARLOS: 2, DORA: 2, EVA: 2}),
        ("sonneborn-berger", {ANA: 4, BEA: 3, CARLOS: 1, DORA: 1, EVA: 3}),
        ("direct", {ANA: 0, BEA: 1, CARLOS: 0, DORA: 0, EVA: 0}),
        ("points", {ANA: 10, BEA: 1, CARLOS: -7, DORA: -6, EVA: 2}),
    ],
)
def test_each_tie_break_counts_what_it_says(tie_break: str, values: dict[int, float]) -> None:
    lines = table(THREE_ROUNDS, ENTRANTS, ["wins"] if tie_break == "wins" else ["wins", tie_break])
    assert {line.entrant: dict(line.values)[tie_break] for line in lines} == values


def test_a_line_says_what_was_played_won_and_lost() -> None:
    ana, bea, eva, carlos, dora = table(THREE_ROUNDS, ENTRANTS, ["wins", "direct"], section="swiss")
    assert (ana.place, ana.entrant, ana.section, ana.played, ana.wins, ana.losses) == (1, ANA, "swiss", 3, 3, 0)
    assert (eva.place, eva.entrant, eva.played, eva.wins, eva.losses) == (3, EVA, 2, 2, 1)
    assert bea.values == (("wins", 2.0), ("direct", 1.0))
    assert (carlos.place, dora.place) == (4, 4)
    assert carlos.note == ""


def test_the_director_orders_the_tie_breaks() -> None:
    assert order(["wins"]) == [(1, ANA), (2, BEA), (2, EVA), (4, CARLOS), (4, DORA)]
    assert order(["wins", "points"]) == [(1, ANA), (2, EVA), (3, BEA), (4, DORA), (5, CARLOS)]
    assert order(["wins", "buchholz", "points"]) == [(1, ANA), (2, BEA), (3, EVA), (4, DORA), (5, CARLOS)]
    assert order(["points", "wins"])[:2] == [(1, ANA), (2, EVA)]


def test_entrants_who_share_a_place_keep_their_order() -> None:
    assert order(["wins"], entrants=(EVA, DORA, CARLOS, BEA, ANA)) == [
        (1, ANA),
        (2, EVA),
        (2, BEA),
        (4, DORA),
        (4, CARLOS),
    ]


def test_before_anything_is_played_all_are_first() -> None:
    assert order(["wins", "buchholz-cut", "direct"], pairings=()) == [(1, entrant) for entrant in ENTRANTS]


def test_direct_encounter_separates_nobody_if_each_has_won_once() -> None:
    circle = (
        game(1, 1, ANA, BEA, Result(ANA)),
        game(2, 1, BEA, CARLOS, Result(BEA)),
        game(3, 1, CARLOS, ANA, Result(CARLOS)),
    )
    assert order(["wins", "direct"], circle, (ANA, BEA, CARLOS)) == [(1, ANA), (1, BEA), (1, CARLOS)]


def test_direct_encounter_is_applied_again_to_those_it_leaves_tied() -> None:
    # Among themselves Ana and Bea beat two, Carlos and Dora one.
    beaten = {ANA: (CARLOS, DORA), BEA: (ANA, DORA), CARLOS: (BEA,), DORA: (CARLOS,)}
    games = [game(n, 1, won, lost, Result(won)) for n, won in enumerate(beaten, 1) for lost in beaten[won]]
    lines = table(games, (ANA, BEA, CARLOS, DORA), ["direct"])
    assert [(line.place, line.entrant, dict(line.values)["direct"]) for line in lines] == [
        (1, BEA, 2.0),
        (2, ANA, 2.0),
        (3, DORA, 1.0),
        (4, CARLOS, 1.0),
    ]


def test_direct_encounter_counts_only_tied_entrants() -> None:
    games = (
        game(1, 1, ANA, BEA, Result(BEA, (6, 7))),
        game(1, 2, CARLOS, DORA, Result(CARLOS, (7, 1))),
        game(2, 1, ANA, CARLOS, Result(ANA, (7, 2))),
        game(2, 2, BEA, DORA, Result(DORA, (2, 7))),
        game(3, 1, ANA, DORA, Result(ANA, (7, 5))),
        game(3, 2, BEA, CARLOS, Result(BEA, (7, 5))),
    )
    assert order(["wins", "direct"], games, (ANA, BEA, CARLOS, DORA)) == [(1, BEA), (2, ANA), (3, CARLOS), (4, DORA)]


def test_a_walkover_counts_as_a_win_against_a_dummy_with_the_same_score() -> None:
    games = (game(1, 1, ANA, BEA, Result(ANA, how="walkover")), game(2, 1, ANA, CARLOS, Result(ANA, (5, 4))))
    ana, *others = table(games, (ANA, BEA, CARLOS), ["wins", "buchholz", "sonneborn-berger", "points"])
    assert (ana.played, ana.wins, ana.losses) == (1, 2, 0)
    assert ana.values == (("wins", 2.0), ("buchholz", 2.0), ("sonneborn-berger", 2.0), ("points", 1.0))
    carlos, bea = others
    # Bea sat out both rounds: two dummies with 0. Carlos met Ana, and sat out one.
    assert dict(bea.values)["buchholz"] == 0
    assert dict(carlos.values)["buchholz"] == 2


def test_after_a_double_walkover_both_have_lost() -> None:
    games = (game(1, 1, ANA, BEA, Result(None, how="walkover")),)
    assert [(line.wins, line.losses, line.played) for line in table(games, (ANA, BEA), ["wins"])] == [(0, 1, 0)] * 2


def test_an_unplayed_match_counts_for_nobody() -> None:
    games = (game(1, 1, ANA, BEA, Result(ANA)), game(1, 2, CARLOS, DORA))
    carlos = next(line for line in table(games, ENTRANTS[:4], ["wins", "buchholz"]) if line.entrant == CARLOS)
    assert (carlos.wins, carlos.losses, carlos.values) == (0, 0, (("wins", 0.0), ("buchholz", 0.0)))


def test_a_withdrawn_entrant_keeps_the_place_and_a_struck_entrant_is_last() -> None:
    lines = table(THREE_ROUNDS, ENTRANTS, ["wins"], withdrawn={BEA, EVA}, struck={EVA})
    assert [(line.place, line.entrant, line.wins, line.note) for line in lines] == [
        (1, ANA, 3, ""),
        (2, BEA, 1, "out"),
        (2, CARLOS, 1, ""),
        (2, DORA, 1, ""),
        (5, EVA, 0, "out"),
    ]
    assert lines[-1].values == (("wins", 0.0),)


def test_an_entrant_who_left_before_half_of_the_matches_is_struck() -> None:
    def three_games(played: int) -> list[Pairing]:
        games = [(1, BEA), (2, CARLOS), (3, ANA)]
        return [game(n, 1, DORA, other, Result(DORA) if n <= played else None, withdrawn={DORA}) for n, other in games]

    assert struck_entrants(three_games(1), {DORA}) == {DORA}
    assert struck_entrants(three_games(2), {DORA}) == frozenset()
    assert struck_entrants(three_games(3), {DORA}) == frozenset()
    assert struck_entrants([*three_games(1)[:2], game(3, 1, DORA, None)], {DORA}) == frozenset()
    one_of_two = [game(1, 1, DORA, BEA, withdrawn={DORA}), game(2, 1, DORA, None)]
    assert struck_entrants(one_of_two, {DORA}) == {DORA}  # a bye is no match


def test_lost_matches_do_not_count_as_missed() -> None:
    games = [
        game(1, 1, DORA, ANA, Result(ANA)),
        game(2, 1, DORA, BEA, Result(BEA)),
        game(3, 1, DORA, CARLOS, withdrawn={DORA}),
    ]
    assert struck_entrants(games, {DORA}) == frozenset()


def test_won_walkovers_do_not_count_as_missed() -> None:
    games = [
        game(1, 1, ANA, BEA, Result(ANA, how="walkover")),
        game(2, 1, ANA, CARLOS, Result(ANA, how="walkover")),
        game(3, 1, ANA, DORA, withdrawn={ANA}),
    ]
    assert struck_entrants(games, {ANA}) == frozenset()


@pytest.mark.parametrize(("names", "wrong"), [(("wins", "luck"), "luck"), (("wins", "wins"), "wins")])
def test_tie_breaks_are_known_and_named_once(names: tuple[str, ...], wrong: str) -> None:
    with pytest.raises(Invalid) as error:
        check_tie_breaks(Config("swiss", tie_breaks=names))
    assert error.value.code == "tie_breaks"
    assert error.value.params == {"name": wrong, "known": known_tie_breaks(0)}


@pytest.mark.parametrize("format_", FORMATS)
def test_the_usual_tie_breaks_are_all_known_and_count(format_: str) -> None:
    check_tie_breaks(Config(format_))
    check_tie_breaks(Config(format_), all_meet=FORMATS[format_].sections in ("cross", "both"))


def test_where_all_meet_a_tie_break_has_to_be_left() -> None:
    names = ("buchholz", "median")
    check_tie_breaks(Config("swiss", tie_breaks=names))
    with pytest.raises(Invalid) as error:
        check_tie_breaks(Config("league", tie_breaks=names), all_meet=True)
    assert (error.value.code, error.value.params) == ("tie_breaks_all_meet", {"names": names})


def test_a_win_without_a_score_counts_and_its_points_do_not() -> None:
    unscored = (game(1, 1, ANA, CARLOS, Result(ANA)), *THREE_ROUNDS[1:])
    lines = {line.entrant: dict(line.values) for line in table(unscored, ENTRANTS, ["wins", "buchholz", "points"])}
    assert lines[ANA] == {"wins": 3, "buchholz": 4, "points": 7}  # 10 with the score
    assert lines[CARLOS] == {"wins": 1, "buchholz": 6, "points": -4}
