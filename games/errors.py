"""The two families of errors: `Refused` is the player's, coded and translated; everything else is a bug.

accounts.errors.Refused
└── Refused            the player asked for something that cannot be; nothing was changed
    ├── Stale          he had not seen the last version: the answer carries the state
    └── NotFound       no such match, or none that he may see
        └── KeptOut    a match that is not over, of a player from whom a block keeps him apart
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
    "too_many": _("Too many messages in a short time. Wait a moment."),
    "unknown_command": _("This server does not know that command."),
    "bad_action": _("That is not an action of this game."),
    "bad_id": _("Every action needs an id of 1 to 40 letters, digits and dashes."),
    "position_id": _("That is neither an XGID nor a GNU Backgammon position and match ID."),
    "bad_match": _("There are plays in this file that cannot be."),
    "bad_version": _("The version of the match must be a whole number."),
    "id_reused": _("This id was already used for another action."),
    "stale": _("The match has moved on. Look again before you act."),
    "not_found": _("There is no such match."),
    "not_seated": _("Only the two players can act in this match."),
    "not_live": _("This match is not in play."),
    "match_over": _("This match is over."),
    "not_your_turn": _("It is not your turn."),
    "time_up": _("The time is up."),
    "server_only": _("The dice are rolled by the server."),
    "waiting_for_rival": _("Your roll is in. Your rival still has to roll."),
    "answer_offer": _("Accept or reject the resignation first."),
    "offer_open": _("Your offer is waiting for an answer."),
    "no_offer": _("There is no offer to answer."),
    "draw_not_now": _("A draw cannot be offered or claimed at this moment."),
    "paused": _("The match is paused. It goes on when the director says so."),
    "not_paused": _("This match is not paused."),
    "vacation_on": _("You are already on vacation."),
    "vacation_days": _("You have %(days)s days of vacation left this year."),
    "no_end": _("A session ends between two games."),
    "resign_level": _("That resignation is not possible in this position."),
    "resign_again": _("Your rival has just rejected that. Roll first."),
    "element": _("The dice element must be 64 hexadecimal digits."),
    "element_wrong": _("That dice element is not the next one of your chain."),
    "dice_none": _("The dice of this match have no proof."),
    "dice_hand": _("This seat has already locked its dice. They cannot be locked anew."),
    "dice_held": _("The dice of this seat are no longer proved; that lasts to the end of the match."),
    "dice_early": _("Not yet: both players lock their dice first."),
    "dice_nonce": _("That number is not the one that was promised."),
    "dice_not_now": _("A dice element is laid down before an opening roll."),
    "order_live": _("The site rolls for you only in matches by correspondence."),
    "orders_live": _("Orders are for matches by correspondence."),
    "bad_order": _("There is no such order."),
    "order_double": _("Your rival cannot double now."),
    "resign_unseen": _("Say which version of the match you have seen: by correspondence nobody resigns unseen."),
    # the rules of backgammon (docs/rulings.md)
    "unreadable": _("That is not a play. Write it like 8/5 6/5, bar/20 or 6/off."),
    "ambiguous": _("Several plays fit that. Say which man moves by which number."),
    "not_now": _("That is not possible at this moment of the game."),
    "not_your_man": _("You have no man there."),
    "wrong_direction": _("Men move from the higher points to the lower ones, towards home."),
    "no_number_left": _("All the numbers of this roll are played."),
    "no_such_number": _("No number of this roll takes a man that far (%(number)s)."),
    "blocked": _("Point %(point)s is blocked: two or more rival men stand there."),
    "no_hit": _("There is no rival man to hit there."),
    "bar_first": _("The man on the bar enters first."),
    "bar_blocked": _("No number of this roll enters from the bar: the points are blocked."),
    "not_all_home": _("Men are borne off only when all of them are home; one is still outside."),
    "exact_higher_first": _("A man further back (point %(point)s) has to be moved with this number first."),
    "must_play": _("There is a legal play: you cannot pass."),
    "must_use_both": _("Both numbers can be played: choose a play that uses both."),
    "must_use_larger": _("Only one number can be played: it must be the larger, %(number)s."),
    "must_use_more": _("More of the double can be played: choose a play that uses %(numbers)s numbers."),
    "closed_out": _("You are closed out: the turn passes without a roll."),
    "no_cube": _("This game is played without the cube."),
    "crawford": _("This is the Crawford game: it is played without the cube."),
    "cube_not_yours": _("Your rival owns the cube: only he can redouble."),
    "cube_cap": _("The cube is at its agreed limit, %(cap)s."),
    "dead_cube": _("The cube is dead: you already play for the whole match."),
    # house options, money sessions, acey-deucey
    "breathing_space": _("Your rival has a man on the bar: leave a point of your home open, since another play can."),
    "no_beaver": _("Beavers were not agreed on for this match."),
    "no_raccoon": _("A beaver is not doubled again: take it or drop."),
    "name_double": _("Name a double from 1 to 6 first."),
    "no_draw": _("This game cannot end in a draw."),
    # damas
    "unreadable_move": _("That is not a move. Write it like 11-16 or 17x28."),
    "ambiguous_capture": _("Several captures fit that. Name the squares in between."),
    "no_such_square": _("There is no square %(square)s: they are numbered 1 to 50."),
    "square_taken": _("Square %(square)s is not empty."),
    "not_diagonal": _("Men and kings move along the diagonals."),
    "men_forward": _("A man moves and takes forward only; a king goes both ways."),
    "one_step": _("A man goes one square at a time; only a king goes further."),
    "way_blocked": _("The way is not free: there is something on square %(square)s that cannot be jumped."),
    "nothing_to_take": _("There is nothing to take there."),
    "king_first": _("Your king on %(square)s can take: the king takes first."),
    "must_capture": _("You can take: in this match taking is compulsory."),
    "compelled": _("Your rival has made you take: play one of the captures."),
    "capture_unfinished": _("The capture is not finished: that piece can take more."),
    "more_must_be_taken": _("A capture that takes more is possible: %(men)s must be taken."),
    "not_that_way": _("No capture goes through those squares."),
    "no_huff": _("There is nothing to huff on square %(square)s."),
    "no_infraction": _("Your rival has not failed to take: there is nothing to take back."),
    "moves_used_up": _("The five moves each with kings only are played: you can only huff or compel."),
    # lobby
    "variant": _("That game is not played here."),
    "length": _("A match is played to 1 to 99 points."),
    "clock": _("That clock does not fit this game."),
    "options": _("Those options do not fit this game."),
    "guest_rated": _("Guests play unrated matches. Sign up to play for rating."),
    "bot_rated": _("Matches against the computer are unrated."),
    "money_rated": _("Money sessions are unrated."),
    "house_rated": _("Matches with house options are unrated."),
    "self_play": _("You cannot play against yourself."),
    "apart": _("You cannot play against this player now."),
    "kept_out": _("You cannot watch this match."),
    "no_such_player": _("There is no player of that name."),
    "not_open": _("This match is no longer open."),
    "lead": _("A lead is a whole number of points below the length of the match."),
    "not_invited": _("This challenge is for another player."),
    "not_creator": _("Only the player who opened it can do that."),
    "too_many_open": _("You already have several open matches. Cancel one first."),
    "arranged": _("This match was arranged: it is part of a tournament or a ladder."),
    "not_away": _("Your rival is here, or has not been away for long enough."),
    "away_turn": _("That is possible only while the match waits for your rival."),
    "no_adjourn": _("This match is played in one sitting: only its organisers can pause it."),
    "not_adjourned": _("This match is not adjourned."),
    "not_over": _("This match is not finished yet."),
    "not_director": _("Only a director of the club can do that."),
    "winner": _("Say who won: White, Black or nobody."),
    "winner_at_desk": _("Who won a match of a tournament is corrected at the desk of that tournament."),
    "reason": _("Say why, in at most 200 characters."),
    "archived_result": _("The result of a match out of a file cannot be corrected."),
    "board_no_moves": _("This match was played over the board: nobody wrote down its moves."),
    "board_players": _("A result is of two different players."),
    "board_score": _("The winner of a match to %(length)s has at least %(length)s points, and the loser fewer."),
    "too_many_archived": _("Your archive is full."),
    # marks and archives
    "not_yours": _("You can keep marks on matches that you played or brought in."),
    "note_too_long": _("A note has at most %(most)s characters."),
    "tag_too_long": _("A tag has at most %(most)s characters."),
    "tag_unreadable": _("A tag is made of letters, digits and signs that can be seen."),
    "too_many_tags": _("A match has at most %(most)s tags."),
    "no_matches": _("You have no finished match yet."),
    "export_too_large": _("An archive holds at most %(most)s matches; you have %(matches)s. Fetch them one by one."),
    "rematch_pending": _("The rematch is already offered. Your rival has to accept it."),
    "engine_missing": _("The computer's engine is not installed on this machine."),
    "engine_variant": _("The computer does not know this game yet."),
    "engine_options": _("The computer does not play with these house options."),
    # ladders (rulings L1 to L12); the numbers are those of the ladder's rules
    "ladder_not_director": _("Only a director of the club can do that."),
    "ladder_members": _("This ladder is for members of the club."),
    "ladder_closed": _("This ladder is closed."),
    "ladder_by_rating": _("The order of this ladder is that of the ratings: play rated matches to climb."),
    "ladder_by_points": _("The order of this ladder is that of the points."),
    "ladder_not_on": _("You are not on this ladder. Join it first."),
    "ladder_rival_not_on": _("That player is not on this ladder."),
    "ladder_away": _("You are on vacation. Come back first."),
    "ladder_rival_away": _("That player is on vacation."),
    "ladder_called": _("The two of you already have a challenge open."),
    "ladder_most_out": _("You have challenged as many as you may at once (%(most_out)s). Play or withdraw first."),
    "ladder_most_in": _("That player already has a challenge to play."),
    "ladder_not_above": _("You can only challenge players above you."),
    "ladder_too_far": _("You can challenge up to %(range)s places above you; the frozen and the absent do not count."),
    "ladder_rival_frozen": _("That place is frozen: its player has not been seen for %(freeze_days)s days."),
    "ladder_rival_immune": _("That player has just defended the place and is left in peace for a while."),
    "ladder_rematch": _("The two of you have just played. Wait %(rematch_days)s days, or challenge somebody else."),
    "ladder_king_waits": _("You are the king: the next in line comes to you."),
    "ladder_only_king": _("Only the king is challenged here."),
    "ladder_king_plays": _("The king has a match already. Wait for its end."),
    "ladder_not_next": _("Somebody is before you in the line."),
    "ladder_not_called": _("This challenge is not yours to answer."),
    "ladder_challenge_over": _("This challenge is over."),
    "ladder_in_play": _("Finish your match of this ladder first."),
    "ladder_vacation": _("You have %(left)s days of vacation left this season."),
    "ladder_place": _("The places of this ladder go from 1 to %(last)s."),
    "ladder_no_undo": _("That event cannot be undone or restored."),
    "ladder_no_such_winner": _("The winner is one of the two players of the challenge."),
    "ladder_name": _("A ladder has a name of at most %(most)s letters."),
    "ladder_name_taken": _("The club has a ladder of that name."),
    "ladder_kind": _("There is no such kind of ladder."),
    "ladder_kind_fixed": _("The kind of a ladder does not change. Open another one."),
    "ladder_config": _("That rule of the ladder has a value that is not possible (%(field)s)."),
    "ladder_season_end": _("A season ends in the future."),
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


class KeptOut(NotFound):
    """A match that he would see, if no block stood between him and one of its players. Whose it is remains unsaid."""

    def __init__(self) -> None:
        super().__init__("kept_out")
