"""What a player or a director asked and cannot be: `Refused` as in `games`, with the sentences of tournaments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games import errors

if TYPE_CHECKING:
    from tournaments.acts import Affected

TEXTS: dict[str, str | Promise] = {
    "no_tournament": _("There is no such tournament."),
    "not_director": _("Only the directors of this tournament can do that."),
    "not_club_director": _("Only the directors of the club can do that."),
    "not_club_owner": _("Only an owner of the club can do that."),
    # the nights of a club
    "template_name": _("A template has a name of 1 to 80 letters that no other of the club has."),
    "template_used": _("Nights that repeat are made from this template: stop them first."),
    "no_template": _("There is no such template."),
    "no_recurrence": _("There is no such night that repeats."),
    "rhythm": _("Choose at least one weekday, and a last day that is not before the first."),
    "opens_days": _("Entries open 0 to %(most)s days before."),
    "too_many_nights": _("A club has at most %(most)s templates and as many nights that repeat."),
    "night_no_date": _("That is not one of the next dates."),
    "nobody_directs": _("Nobody who could open it directs the club any more."),
    # prizes and seasons
    "purse": _("These prizes do not fit: the shares are at most 100 % together, and no amount is below nothing."),
    "pool": _("A side pool needs a name of 1 to 40 letters, and players of this tournament."),
    "season_name": _("A season has a name of 1 to 80 letters that no other of the club has."),
    "season_days": _("A season does not end before it begins."),
    "season_years": _("The days of a season lie in the years %(first)s to %(last)s."),
    "season_points": _("Points are 0 to %(most)s, for at most %(places)s places."),
    "too_many_seasons": _("A club has at most %(most)s seasons."),
    # results out of a file
    "not_rated_outside": _("In this club results over the board do not count for the ratings."),
    "sheet_large": _("The file is too large: at most %(most)s KB."),
    "sheet_long": _("The file is too long: at most %(most)s lines."),
    "sheet_empty": _("There is no result in this file."),
    "sheet_columns": _("The first line has to name the columns. These are missing: %(missing)s."),
    "line_short": _("Something is missing: the date, the two players, the length and the score are needed."),
    "line_long": _("A cell is too long."),
    "line_date": _("The date is none: write it like 2026-11-20 or 20/11/2026."),
    "line_future": _("The date has not come yet."),
    "line_names": _("A name has signs that cannot be seen."),
    "line_same": _("Both players are the same."),
    "line_length": _("Matches are played to 1 to 99 points."),
    "line_score": _("The winner has at least the points of the match, and the loser fewer: write it like 5-3."),
    "line_winner": _("The winner is not the one who has more points."),
    "members_only": _("Tournaments are for members. Signing up takes a minute and keeps your games."),
    # the shape of a tournament
    "config": _("That tournament cannot be: its settings do not fit together."),
    "lengths": _("Matches are played to 1 to 99 points."),
    "timezone": _("There is no such time zone."),
    "starts_at": _("A tournament that starts by itself needs a time."),
    "too_few": _("This format needs at least %(least)s players."),
    "too_many": _("This format holds at most %(most)s players."),
    "rounds": _("This number of rounds does not fit: 1 to %(most)s can be played."),
    "groups": _(
        "The groups do not fit the number of players: from %(least)s to %(most)s can be made, of at least 3 each."
    ),
    "divisions": _("The divisions do not fit the number of players: from %(least)s to %(most)s can be made."),
    "advance": _("From %(least)s to %(most)s players of each group can go on."),
    "legs": _("Each two meet %(least)s to %(most)s times."),
    "moving": _("From %(least)s to %(most)s players can move up and down between divisions."),
    "losses": _("A player is out after 1 to 9 losses."),
    "tie_breaks": _("There is no such tie-break."),
    # entering
    "entry_closed": _("Entries are closed."),
    "entered": _("This player has already entered."),
    "fill_board": _("The computer plays on the boards of this site only: this tournament has its own."),
    "fill_enough": _("There are %(count)s players already: nobody is missing."),
    "fill_most": _("At most %(most)s of the computer can come at once."),
    "fill_places": _("%(missing)s players are missing, and there are only %(free)s places left."),
    "not_waiting": _("This entrant does not wait for a place."),
    "replaced": _("Somebody else has taken the place of this player here: only the director can change that."),
    "closed_at": _("Entries closed on %(moment)s. The director can still let you in."),
    "by_password": _("That is not the password of this tournament. The director tells it to you."),
    "by_invitation": _("This tournament is by invitation: open the link that the director gives you."),
    "club_only": _("Only members of %(club)s can enter. You can join on the page of the club."),
    "rating_low": _("You need a rating of %(least)s or more in %(game)s, and have %(rating)s."),
    "rating_high": _("Your rating in %(game)s is %(rating)s. Only players up to %(most)s can enter."),
    "password": _("A password has up to %(most)s letters and signs."),
    "not_entered": _("There is no such entrant in this tournament."),
    "withdrawn": _("This entrant has withdrawn."),
    "no_name": _("An entrant needs a name of 1 to 80 letters."),
    "nonce": _("A player's number for the draw has 64 hexadecimal digits."),
    "has_account": _("This entrant is already linked to an account."),
    "ranks": _("Every seeded place can be given once, to an entrant of this tournament."),
    "late_back": _("This player has left: let the player back in."),
    "no_bye": _("There is no bye in the bracket for one more."),
    "late_started": _("That bye is not free any more: who had it plays his next match already."),
    "late_results": _("Everybody meets everybody here: nobody can come after the first result."),
    "late_last": _("The last round is paired: nobody can come any more."),
    "late_out": _("Whoever comes now has lost too many rounds to play on."),
    "penalty": _("A penalty is 0 to %(most)s points."),
    "in_play": _("Their match is in play: wait for its end, or enter a result first."),
    # running
    "already_drawn": _("The draw has been made."),
    "not_running": _("The tournament is not running."),
    "already_over": _("The tournament is over."),
    "round_unknown": _("There is no such round to open."),
    "round_unfinished": _("The round is not finished: every match needs a result first."),
    "round_past": _("That moment has passed already."),
    "no_wishes": _("In this format nobody is paired while it runs."),
    "pairs_forced": _("These cannot be paired as you wish: %(names)s."),
    "pairs_forbidden": _("With these wishes nobody is left to play against: %(names)s."),
    "recess": _("There is a break already."),
    "no_recess": _("There is no break now."),
    "recess_past": _("A break ends later than now."),
    "no_match_in_play": _("None of these matches is in play on this site."),
    # results
    "no_pairing": _("There is no such pairing."),
    "not_ready": _("This pairing is not to be played now."),
    "not_yours": _("Only the two players and the directors can do that."),
    "not_open": _("The round of this pairing is not open yet."),
    "locked": _("The deadline has passed: ask the director."),
    "on_the_board": _("This match is played here, on the board: its result comes by itself."),
    "report_score": _("The winner of a match to %(length)s has at least %(length)s points, and the loser fewer."),
    "report_lead": _("The loser began with %(lead)s points for penalties, so that is the least."),
    "report_winner": _("The winner is one of the two."),
    "no_winner": _("Say who won."),
    "no_score": _("Say the score."),
    "no_report": _("There is no reported result to answer."),
    "own_report": _("Your rival has to confirm what you reported."),
    "online_only": _("The matches of this tournament are played on the board of this site."),
    # mending
    "affected": _("Other matches would be reset: look at the list first."),
    "no_result_yet": _("This pairing has no result to correct."),
    "same_result": _("That is the result already."),
    "no_reason": _("Say why, in up to 200 letters: everybody can read it."),
    "no_act": _("There is no such line in the log."),
    "not_undoable": _("That cannot be undone."),
    "undone_already": _("That is undone already."),
    "not_undone": _("That is not undone."),
    "by_itself": _("The site would do the same again at once: undo or correct what leads to it."),
}


class Refused(errors.Refused):
    """As games.errors.Refused, with the sentences above."""

    texts: ClassVar[Mapping[str, str | Promise]] = {**errors.TEXTS, **TEXTS}


class NotFound(Refused, errors.NotFound):
    """No such tournament, or none that this viewer may see."""

    def __init__(self) -> None:
        Refused.__init__(self, "no_tournament")


class Affects(Refused):
    """What was asked would reset other pairings, and the director has not agreed to exactly these."""

    def __init__(self, affected: tuple[Affected, ...]) -> None:
        super().__init__("affected", params={"count": len(affected)})
        self.affected = affected
