"""Byes at a player's request: asked for before the round is paired, worth half a point or nothing (ruling E15)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from tests.tournaments.conftest import fresh, ready
from tests.tournaments.desk_browser import do, messages
from tournaments import services
from tournaments.errors import Refused
from tournaments.formats.core import PairingReason
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]


def swiss(tournament: Make, walk_ins: int = 5, half_byes: int = 1) -> Tournament:
    """A Swiss of three rounds that dora pairs by hand."""
    config = {"rounds": 3, "half_byes": half_byes}
    return tournament(walk_ins=walk_ins, format_="swiss", config=config, pace="hand")


def ask(made: Tournament, number: int, round_: int, *, asked: bool = True) -> None:
    services.bye_request(tournament_id=made.pk, user=made.created_by, number=number, round=round_, asked=asked)


def play_round(made: Tournament) -> None:
    """Pair the next round, and the lower number of each pair wins."""
    services.round_pair(tournament_id=made.pk, user=made.created_by)
    for key in ready(made):
        winner = min(fresh(made).by_key[key].entrants)
        services.result_enter(tournament_id=made.pk, user=made.created_by, key=key, winner=winner)


def scores(made: Tournament) -> dict[int, float]:
    return {line.entrant: dict(line.values)["wins"] for line in fresh(made).standings}


def test_who_asked_for_a_bye_is_not_paired_and_has_half_a_point(tournament: Make, dora: User) -> None:
    made = swiss(tournament)
    ask(made, 1, 1)
    services.tournament_start(tournament_id=made.pk, user=dora)
    play_round(made)
    (round_,) = fresh(made).rounds
    assert (sorted(number for pair in round_.pairs for number in pair), round_.bye, round_.absent) == (
        [2, 3, 4, 5],
        None,
        (1,),
    )
    assert scores(made)[1] == 0.5
    (absent,) = [pairing for pairing in fresh(made).pairings if pairing.state == "absent"]
    assert (absent.entrants, absent.winner, absent.why) == ((1,), None, PairingReason("requested", {"points": 0.5}))


def test_further_byes_on_request_are_worth_nothing(tournament: Make, dora: User) -> None:
    made = swiss(tournament)
    for round_ in (1, 2, 3):
        ask(made, 1, round_)
    services.tournament_start(tournament_id=made.pk, user=dora)
    for _round in range(3):
        play_round(made)
    assert (fresh(made).phase, scores(made)[1]) == ("over", 0.5)


def test_without_half_byes_a_bye_on_request_scores_nothing(tournament: Make, dora: User) -> None:
    made = swiss(tournament, half_byes=0)
    ask(made, 1, 1)
    services.tournament_start(tournament_id=made.pk, user=dora)
    play_round(made)
    assert scores(made)[1] == 0


def test_a_bye_on_request_does_not_spare_the_bye_that_is_left_over(tournament: Make, dora: User) -> None:
    made = swiss(tournament, half_byes=0)
    ask(made, 5, 1)
    services.tournament_start(tournament_id=made.pk, user=dora)
    play_round(made)
    play_round(made)
    assert fresh(made).rounds[1].bye == 5  # the fewest points, and no bye so far


def test_nobody_may_be_left_to_play(tournament: Make, dora: User) -> None:
    made = swiss(tournament, walk_ins=4)
    for number in (1, 2, 3, 4):
        ask(made, number, 1)
    services.tournament_start(tournament_id=made.pk, user=dora)
    services.round_pair(tournament_id=made.pk, user=dora)
    assert (fresh(made).rounds[0].pairs, fresh(made).rounds[0].absent) == ((), (1, 2, 3, 4))
    play_round(made)
    assert len(fresh(made).rounds[1].pairs) == 2


def test_a_request_is_taken_back_and_undone(tournament: Make, dora: User) -> None:
    made = swiss(tournament)
    ask(made, 1, 1)
    ask(made, 1, 2)
    ask(made, 1, 1, asked=False)
    assert fresh(made).byes == {1: {2}}
    act = made.events.order_by("-n").values_list("act", flat=True)[0]
    services.act_undo(tournament_id=made.pk, user=dora, act=act)
    assert fresh(made).byes == {1: {1, 2}}


def test_the_pairs_of_a_round_can_be_changed_beside_a_bye(tournament: Make, dora: User) -> None:
    made = swiss(tournament)
    ask(made, 1, 1)
    services.tournament_start(tournament_id=made.pk, user=dora)
    services.round_pair(tournament_id=made.pk, user=dora, pairs=[(2, 5), (3, 4)])
    assert (fresh(made).rounds[0].pairs, fresh(made).rounds[0].absent) == (((2, 5), (3, 4)), (1,))


def test_what_cannot_be_asked_is_refused(tournament: Make, ana: User, bea: User, dora: User) -> None:
    made, knockout = swiss(tournament), tournament(walk_ins=4)
    services.entrant_register(tournament_id=made.pk, user=ana)
    services.bye_request(tournament_id=made.pk, user=ana, number=6, round=3)
    for code, user, where, number, round_ in (
        ("not_yours", bea, made, 6, 1),
        ("no_byes", dora, knockout, 1, 1),
        ("bye_round", ana, made, 6, 4),
        ("not_entered", dora, made, 9, 1),
    ):
        with pytest.raises(Refused) as found:
            services.bye_request(tournament_id=where.pk, user=user, number=number, round=round_)
        assert found.value.code == code
    services.tournament_start(tournament_id=made.pk, user=dora)
    play_round(made)
    with pytest.raises(Refused) as found:
        services.bye_request(tournament_id=made.pk, user=ana, number=6, round=1)
    assert found.value.text == "Choose a round that is not paired yet, from 2 to 3."


def test_players_ask_on_their_page_and_directors_at_the_desk(
    tournament: Make, as_user: Callable[[User], Client], desk: Client, ana: User
) -> None:
    made = swiss(tournament)
    services.entrant_register(tournament_id=made.pk, user=ana)
    player = as_user(ana)
    assert messages(do(player, "tournament-bye", made, round="2")) == ["Bye in round 2 requested."]
    page = player.get(f"/tournaments/{made.pk}/")
    assert [(option.round, option.asked) for option in page.context["view"].bye_options] == [
        (1, False),
        (2, True),
        (3, False),
    ]
    assert messages(do(desk, "desk-bye", made, entrant="1", round="1")) == []
    assert fresh(made).byes == {6: {2}, 1: {1}}
    text = desk.get(f"/tournaments/{made.pk}/desk/").content.decode()
    assert "Round 1: W1" in text
    do(player, "tournament-bye", made, round="2", action="remove")
    assert fresh(made).byes == {1: {1}}
    do(player, "desk-bye", made, entrant="1", round="1", action="remove")
    assert fresh(made).byes == {1: {1}}
