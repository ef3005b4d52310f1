"""The two families of errors: `Refused` is the player's fault, coded and translated; everything else is a bug.

accounts.errors.Refused
└── Refused            the player asked for something that cannot be; nothing was changed
    ├── Stale              they had not seen the last version: the answer carries the state
    └── NotFound           no such match, or none that this viewer may see
        └── ViewerBlocked  a match that is not over, of a player who blocks this viewer or is blocked by them
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts import errors

# code -> sentence. The rules' own codes (Illegal) stand beside those of live play; %(name)s come from `params`.
TEXTS: dict[str, str | Promise] = {
    # live play
    "bad_frame": _("That message could not be read."),
    "too_large": _("That message is too long."),
    "too_many": _("Too many messages. Wait a moment and try again."),
    "unknown_command": _("Unknown command."),
    "bad_action": _("That is not a valid action in this game."),
    "bad_id": _("Every action needs an ID of 1 to 40 letters, digits and hyphens."),
    "position_id": _("Enter an XGID or a GNU Backgammon position and match ID."),
    "bad_match": _("This file contains illegal moves."),
    "bad_version": _("The match version must be a whole number."),
    "id_reused": _("This ID was already used for another action. Use a new one."),
    "stale": _("The match has changed. Check the board and try again."),
    "not_found": _("This match does not exist."),
    "not_seated": _("Only the two players of this match can do that."),
    "not_live": _("This match is not in progress."),
    "match_over": _("This match is over."),
    "not_your_turn": _("It is not your turn."),
    "time_up": _("Time is up."),
    "server_only": _("The server rolls the dice."),
    "waiting_for_rival": _("You have rolled. Wait for your opponent to roll."),
    "answer_offer": _("Accept or reject the resignation first."),
    "offer_open": _("Wait for your opponent to answer your offer."),
    "no_offer": _("There is no offer to answer."),
    "draw_not_now": _("You can't offer or claim a draw right now."),
    "paused": _("The match is paused. Wait until it is resumed."),
    "not_paused": _("This match is not paused."),
    "vacation_on": _("You are already on vacation."),
    "vacation_days": _("Enter a valid number of vacation days: you have %(days)s left this year."),
    "no_end": _("You can only end a session between two games."),
    "resign_level": _("That resignation is not allowed in this position."),
    "resign_again": _("Your opponent has just rejected that resignation. Roll first."),
    "element": _("The dice value must be 64 hexadecimal digits."),
    "element_wrong": _("That is not the next dice value of this player."),
    "dice_none": _("The dice of this match can't be verified."),
    "dice_hand": _("Your dice are already set for this match. You can't change them."),
    "dice_held": _("Your rolls can't be verified for the rest of this match."),
    "dice_early": _("Wait until both players' dice are ready."),
    "dice_nonce": _("That number does not match the commitment."),
    "dice_not_now": _("You can only send a dice value before an opening roll."),
    "order_live": _("Automatic rolls are only available in correspondence matches."),
    "orders_live": _("Automatic actions are only available in correspondence matches."),
    "bad_order": _("There is no such automatic action."),
    "order_double": _("Your opponent can't double now."),
    "take_back_practice": _("You can only take back a play in an unrated match against the computer."),
    "take_back_none": _(
        "There is no play to take back. You can take back your last play until you roll again, once for each roll."
    ),
    "resign_unseen": _("To resign a correspondence match, send the match version you have seen."),
    # the rules of backgammon (docs/rulings.md)
    "unreadable": _("That is not a valid move. Write it like 8/5 6/5, bar/20 or 6/off."),
    "ambiguous": _("Several moves match that. Say which checker moves with each die."),
    "not_now": _("You can't do that right now."),
    "not_your_man": _("You have no checker there."),
    "wrong_direction": _("Checkers move from higher points to lower points, towards home."),
    "no_number_left": _("You have already played the whole roll."),
    "no_such_number": _("You can't move %(number)s points with this roll."),
    "blocked": _("Point %(point)s is blocked: your opponent has two or more checkers there."),
    "no_hit": _("There is no blot to hit there."),
    "bar_first": _("Enter your checker from the bar first."),
    "bar_blocked": _("You can't enter from the bar with this roll: those points are blocked."),
    "not_all_home": _("You can only bear off when all your checkers are home."),
    "exact_higher_first": _(
        "You have a checker on a higher point: move it from point %(point)s with this number first."
    ),
    "must_play": _("You have a legal move, so you can't pass."),
    "must_use_both": _("You can play both dice: choose a move that uses both."),
    "must_use_larger": _("You can only play one die, and it must be the higher one: %(number)s."),
    "must_use_more": _("You can play more of this double: %(numbers)s checker moves are possible."),
    "closed_out": _("You are closed out, so you can't roll: the turn passes."),
    "no_cube": _("There is no cube in this game."),
    "crawford": _("You can't double in the Crawford game."),
    "cube_not_yours": _("Your opponent owns the cube: only they can redouble."),
    "cube_cap": _("You can't double: the cube is at its agreed limit, %(cap)s."),
    "dead_cube": _("You can't double: winning this game already wins you the match."),
    # house options, money sessions, acey-deucey
    "breathing_space": _(
        "Your opponent is on the bar: choose a move that leaves at least one of your home points open."
    ),
    "no_beaver": _("Beavers are not allowed in this match."),
    "no_raccoon": _("You can't double a beaver again: take or drop."),
    "name_double": _("Name a double from 1-1 to 6-6 first."),
    "no_draw": _("This game can't end in a draw."),
    # damas
    "unreadable_move": _("That is not a valid move. Write it like 11-16 or 17x28."),
    "ambiguous_capture": _("Several captures match that. Add the squares in between."),
    "no_such_square": _("There is no square %(square)s: squares are numbered 1 to 50."),
    "square_taken": _("Square %(square)s is not empty."),
    "not_diagonal": _("Men and kings move diagonally."),
    "men_forward": _("A man moves and captures forwards only; a king, forwards and backwards."),
    "one_step": _("A man moves one square at a time; only a king can go further."),
    "way_blocked": _("The way is blocked: you can't jump over the piece on square %(square)s."),
    "nothing_to_take": _("There is nothing to capture there."),
    "king_first": _("Your king on %(square)s can capture, and kings capture first."),
    "must_capture": _("You can capture, and in this match you must."),
    "compelled": _("Your opponent has made you capture: play one of the captures."),
    "capture_unfinished": _("Your capture is not finished: that piece can capture more."),
    "more_must_be_taken": _("A larger capture is possible: you must capture %(men)s pieces."),
    "not_that_way": _("No capture goes through those squares."),
    "no_huff": _("There is nothing to huff on square %(square)s."),
    "no_infraction": _("Your opponent did not miss a capture, so you can't make them capture."),
    "moves_used_up": _(
        "Both sides have played their five moves with only kings left: now you can only huff or compel."
    ),
    # lobby
    "variant": _("That game is not available here."),
    "length": _("Choose a match length from 1 to 99 points."),
    "clock": _("That clock is not available for this game. Choose another one."),
    "options": _("Those options are not available for this game."),
    "guest_rated": _("Guests can only play unrated. Sign up to play rated matches."),
    "bot_rated": _("Matches of an event against the computer are unrated."),
    "bot_uninvited": _("This rated game is for people. A bot can play a rated match when it is challenged."),
    "own_bot_rated": _("You can't play rated matches against your own bot."),
    "money_rated": _("Money sessions are unrated."),
    "house_rated": _("Matches with house options are unrated."),
    "self_play": _("You can't play against yourself."),
    "apart": _("You can't play against this player right now."),
    "kept_out": _("You can't watch this match."),
    "no_such_player": _("There is no player with that name."),
    "not_open": _("This match is no longer open."),
    "lead": _("The lead must be a whole number smaller than the match length."),
    "not_invited": _("This challenge is for another player."),
    "not_creator": _("Only the player who posted this match can do that."),
    "too_many_open": _("You already have several open games. Cancel one first."),
    "arranged": _("You can't do that here: this match is part of a tournament or ladder."),
    "not_away": _("Your opponent is here, or has not been away long enough."),
    "away_turn": _("You can only do that while the match is waiting for your opponent."),
    "no_adjourn": _("This match must be played in one sitting: only the organisers can pause it."),
    "not_adjourned": _("This match is not adjourned."),
    "not_over": _("This match is not finished yet."),
    "not_director": _("Only a director of the club can do that."),
    "winner": _("Choose the winner: White, Black or nobody."),
    "winner_at_desk": _("To change the winner of a tournament match, use the director's desk."),
    "reason": _("Enter a reason of up to 200 characters."),
    "archived_result": _("You can't correct the result of an imported match."),
    "board_no_moves": _("This match was played over the board: its moves were not recorded."),
    "board_players": _("Choose two different players."),
    "board_score": _("In a match to %(length)s, the winner has at least %(length)s points and the loser has fewer."),
    "too_many_archived": _("Your archive is full."),
    # marks and archives
    "not_yours": _("You can only mark or tag matches that you played or imported."),
    "note_too_long": _("A note can have at most %(most)s characters."),
    "tag_too_long": _("A tag can have up to %(most)s characters."),
    "tag_unreadable": _("Use only letters, digits and visible symbols in a tag."),
    "too_many_tags": _("A match can have up to %(most)s tags."),
    "no_matches": _("You have no finished matches yet."),
    "export_too_large": _(
        "An export can hold up to %(most)s matches, and you have %(matches)s. Download them one by one."
    ),
    "rematch_pending": _("You already offered a rematch. Wait for your opponent to accept it."),
    "engine_missing": _("The computer player is not installed on this server."),
    "engine_variant": _("The computer can't play this game yet."),
    "engine_options": _("The computer can't play with these house options."),
}


class Refused(errors.Refused):
    """As accounts.errors.Refused, with the sentences of play, above those of clubs."""

    texts: ClassVar[Mapping[str, str | Promise]] = {**errors.TEXTS, **TEXTS}


class Stale(Refused):
    """The player acted on an old version of the match."""

    def __init__(self) -> None:
        super().__init__("stale")


class NotFound(Refused):
    """No such match, or none that this viewer may see."""

    def __init__(self, code: str = "not_found") -> None:
        super().__init__(code)


class ViewerBlocked(NotFound):
    """A match that this viewer could see without a block between them and one of its players. It does not say whose."""

    def __init__(self) -> None:
        super().__init__("kept_out")
