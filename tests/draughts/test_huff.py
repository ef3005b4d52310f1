"""Soplar: skipping a capture, and how the opponent may punish it (D8)."""

from __future__ import annotations

import pytest

from draughts import Illegal, Position

from .positions import game, last_ply, stands, to_move

MISSED = "B:W22,36,50:B1,11,17"
"""Black can take 17x28."""


def refusal(position: Position, action: str) -> tuple[str, str]:
    """The code and the ruling with which an action is refused."""
    with pytest.raises(Illegal) as refused:
        position.after(action)
    return refused.value.code, refused.value.ruling


class TestObligatoria:
    def test_a_possible_capture_is_compulsory(self):
        position = to_move(MISSED, mode="obligatoria")
        assert position.actions() == ["17x28"]
        assert refusal(position, "1-6") == ("must_capture", "D8")

    def test_there_is_no_huff(self):
        position = to_move(MISSED, "17x28", mode="obligatoria")
        assert position.may("white") == ["move"]
        assert refusal(position, "huff 28") == ("no_huff", "D8")
        assert refusal(position, "compel") == ("no_infraction", "D8")


class TestSoplar:
    def test_every_quiet_move_is_playable_beside_the_captures(self):
        assert to_move(MISSED).actions() == ["1-6", "1-7", "11-16", "17-21", "17x28"]

    def test_a_capture_gives_no_rights(self):
        position = to_move(MISSED, "17x28")
        assert (position.may("white"), position.view("white")["huff"]) == (["move"], None)

    def test_a_quiet_move_without_a_capture_gives_no_rights(self):
        assert game("dice 12", "11-16").may("white") == ["move"]

    def test_the_opponent_may_huff_compel_or_just_move(self):
        position = to_move(MISSED, "1-6")
        assert position.may("white") == ["move", "huff 17", "compel"]
        assert position.may("black") == []
        assert position.actions()[:2] == ["huff 17", "compel"]
        assert position.view(None)["huff"] == {"squares": [17], "compel": True}

    def test_a_huffed_man_is_removed_and_the_opponent_still_moves(self):
        position = to_move(MISSED, "1-6", "huff 17")
        assert (position.turn, stands(position)) == ("white", "W:W22,36,50:B6,11")
        assert position.may("white") == ["move"]
        assert position.after("22-17").turn == "black"

    def test_a_man_that_moved_instead_of_capturing_is_huffed_on_its_new_square(self):
        position = to_move(MISSED, "17-21")
        assert position.may("white") == ["move", "huff 21", "compel"]
        assert stands(position.after("huff 21")) == "W:W22,36,50:B1,11"
        assert refusal(position, "huff 17") == ("no_huff", "D8")

    def test_one_man_is_huffed_once(self):
        position = to_move("B:W21,23,50:B16,17,18,1", "1-6")
        assert position.may("white") == ["move", "huff 16", "huff 17", "huff 18", "compel"]
        assert refusal(position.after("huff 18"), "huff 17") == ("no_huff", "D8")
        assert refusal(position.after("huff 18"), "compel") == ("no_infraction", "D8")

    def test_the_right_lapses_with_the_opponents_move(self):
        position = to_move(MISSED, "1-6", "50-45")
        assert (position.infraction, position.may("black")) == (None, ["move"])

    def test_under_king_first_only_kings_are_huffed(self):
        position = to_move("B:W21,34,50:B17,K45,1", "1-6")
        assert position.may("white") == ["move", "huff 45", "compel"]

    def test_a_wrong_kind_of_capture_is_never_offered(self):
        assert refusal(to_move("B:W21,34,50:B17,K45"), "17x26") == ("king_first", "D3")

    def test_huffing_the_last_man_wins(self):
        position = to_move("B:W22,36:B17", "17-21", "huff 21")
        assert (position.turn, position.outcome.view()) == ("over", {"winner": "white", "points": 1, "kind": "game"})

    def test_a_player_who_huffs_and_skips_a_capture_may_be_huffed_in_turn(self):
        position = to_move("B:W22,36,39,43,50:B1,11,17,34", "1-6", "huff 17", "50-45")
        assert position.may("black") == ["move", "huff 39", "compel"]


class TestCompel:
    def test_the_move_is_taken_back_and_the_offender_must_capture(self):
        position = to_move(MISSED, "1-6", "compel")
        assert (position.turn, stands(position)) == ("black", MISSED)
        assert (position.actions(), position.may("black")) == (["17x28"], ["move"])
        assert refusal(position, "1-6") == ("compelled", "D8")

    def test_the_offender_then_captures_and_play_continues(self):
        position = to_move(MISSED, "1-6", "compel", "17x28")
        assert (position.compelled, position.may("white")) == (False, ["move"])

    def test_the_duty_ends_with_the_game(self):
        compelled = to_move(MISSED, "1-6", "compel")
        assert (compelled.compelled, compelled.conceded("black", 1).compelled) == (True, False)

    def test_it_takes_the_counts_back_too(self):
        before = to_move("B:WK22,36:BK11,K1")
        assert before.after("1-7").after("compel").state == before.state


class TestRightsBeforeTheEnd:
    """While rights are open the game continues."""

    SHUT_IN = "B:W36,37:B23,26,27,31,32"
    "After 23-28 White's score no move; but Black could take 37."

    def test_blocking_the_opponent_by_not_capturing_does_not_win_at_once(self):
        position = to_move(self.SHUT_IN, "23-28")
        assert (position.turn, position.moves) == ("white", ())
        assert position.may("white") == position.actions() == ["huff 31", "huff 32", "compel"]
        assert position.after("huff 31").may("white") == ["move"]
        assert position.after("compel").actions() == ["31x42", "32x41"]

    def test_without_an_infraction_it_wins(self):
        position = to_move("B:W36:B22,31", "22-27")
        assert position.outcome.view() == {"winner": "black", "points": 1, "kind": "blocked"}

    def test_the_last_of_the_kings_moves_can_still_be_punished_but_none_follows(self):
        position = last_ply("W:WK5,K45:BK37").after("45-50")
        assert position.actions() == ["huff 5", "compel"]
        assert refusal(position, "37-41") == ("moves_used_up", "D7")
        assert position.after("huff 5").outcome.kind == "kings"
        assert position.after("compel").after("5x46").outcome.view()["winner"] == "white"

    def test_huffing_the_last_king_then_still_wins(self):
        assert last_ply("W:WK5:BK37").after("5-10").after("huff 10").outcome.view()["winner"] == "black"
