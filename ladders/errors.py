"""What a player or a director asked of a ladder and cannot be: `Refused` as in `games`, with the sentences of ladders.

The numbers in the sentences are those of the ladder's own rules (rulings L1 to L12).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games import errors

TEXTS: dict[str, str | Promise] = {
    "ladder_not_director": _("Only a director of the club can do that."),
    "ladder_members": _("This ladder is for club members only."),
    "ladder_closed": _("This ladder is closed."),
    "ladder_by_rating": _("This ladder follows the ratings: play rated matches to climb."),
    "ladder_by_points": _("This ladder is ordered by points: you can't change places by hand."),
    "ladder_not_on": _("You are not on this ladder. Join it first."),
    "ladder_rival_not_on": _("That player is not on this ladder."),
    "ladder_away": _("You are on vacation. End your vacation first."),
    "ladder_rival_away": _("That player is on vacation."),
    "ladder_called": _("You two already have an open challenge."),
    "ladder_most_out": _("You have reached the limit of open challenges (%(most_out)s). Play or withdraw one first."),
    "ladder_most_in": _("That player can't receive more challenges right now."),
    "ladder_not_above": _("You can only challenge players above you."),
    "ladder_too_far": _(
        "That player is too far above you: the challenge range is %(range)s. Frozen and absent players are not counted."
    ),
    "ladder_rival_frozen": _("That place is frozen: the player has been inactive for %(freeze_days)s days."),
    "ladder_rival_immune": _("That player has just defended their place and can't be challenged for a while."),
    "ladder_rematch": _(
        "You two have just played. Wait %(rematch_days)s days between matches, or challenge another player."
    ),
    "ladder_king_waits": _("You are the king: the next player in the queue challenges you."),
    "ladder_only_king": _("On this ladder you can only challenge the king."),
    "ladder_king_plays": _("The king is already playing. Wait for that match to end."),
    "ladder_not_next": _("Another player is ahead of you in the queue."),
    "ladder_not_called": _("You can't answer or withdraw this challenge."),
    "ladder_challenge_over": _("This challenge is over."),
    "ladder_in_play": _("Finish your match on this ladder first."),
    "ladder_vacation": _("Enter a valid number of vacation days: you have %(left)s left this season."),
    "ladder_place": _("Choose a place from 1 to %(last)s."),
    "ladder_no_undo": _("You can't undo or restore this event."),
    "ladder_no_such_winner": _("The winner must be one of the two players of the challenge."),
    "ladder_name": _("Enter a ladder name of up to %(most)s characters."),
    "ladder_name_taken": _("The club already has a ladder with that name. Choose another one."),
    "ladder_kind": _("There is no such type of ladder."),
    "ladder_kind_fixed": _("You can't change the type of a ladder. Create a new one."),
    "ladder_config": _("This ladder rule has an invalid value: %(field)s."),
    "ladder_season_end": _("Choose a season end date in the future."),
}


class Refused(errors.Refused):
    """As games.errors.Refused, with the sentences above."""

    texts: ClassVar[Mapping[str, str | Promise]] = {**errors.Refused.texts, **TEXTS}
