"""What a player or a director asked and cannot be: `Refused` as in `games`, with the sentences of tournaments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games import errors

TEXTS: dict[str, str | Promise] = {
    "no_tournament": _("There is no such tournament."),
    "not_director": _("Only the directors of this tournament can do that."),
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
    "full": _("The tournament is full."),
    "not_entered": _("There is no such entrant in this tournament."),
    "withdrawn": _("This entrant has withdrawn."),
    "no_name": _("An entrant needs a name of 1 to 80 letters."),
    "nonce": _("A player's number for the draw has 64 hexadecimal digits."),
    "has_account": _("This entrant is already linked to an account."),
    "ranks": _("Every seeded place can be given once, to an entrant of this tournament."),
    # running
    "already_drawn": _("The draw has been made."),
    "not_running": _("The tournament is not running."),
    "already_over": _("The tournament is over."),
    "round_unknown": _("There is no such round to open."),
    "round_unfinished": _("The round is not finished: every match needs a result first."),
    "no_match_in_play": _("None of these matches is in play on this site."),
    # results
    "no_pairing": _("There is no such pairing."),
    "not_ready": _("This pairing is not to be played now."),
    "not_yours": _("Only the two players and the directors can do that."),
    "not_open": _("The round of this pairing is not open yet."),
    "locked": _("The deadline has passed: ask the director."),
    "on_the_board": _("This match is played here, on the board: its result comes by itself."),
    "report_score": _("The winner of a match to %(length)s has at least %(length)s points, and the loser fewer."),
    "report_winner": _("The winner is one of the two."),
    "no_report": _("There is no reported result to answer."),
    "own_report": _("Your rival has to confirm what you reported."),
    "online_only": _("The matches of this tournament are played on the board of this site."),
}


class Refused(errors.Refused):
    """As games.errors.Refused, with the sentences above."""

    texts: ClassVar[Mapping[str, str | Promise]] = {**errors.TEXTS, **TEXTS}


class NotFound(Refused, errors.NotFound):
    """No such tournament, or none that this viewer may see."""

    def __init__(self) -> None:
        Refused.__init__(self, "no_tournament")
