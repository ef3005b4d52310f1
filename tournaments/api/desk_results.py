"""Results at the desk: enter, correct, undo, redo, penalties, alerts. What resets other pairings asks first."""

from __future__ import annotations

from rest_framework import serializers

from accounts.api import bodies
from games.api.fields import choice, integer
from tournaments import services
from tournaments.api.desk_acts import Data, desk_view
from tournaments.api.fields import PointsField, entrant_field, pairing_key_field, points_in_order
from tournaments.errors import Refused
from tournaments.roles import DeskAct
from tournaments.selectors import lookups
from tournaments.terms import LONGEST

LONGEST_WHY = 200
MOST_ACT = 2**31 - 1


def agreed_field() -> serializers.ListField:
    """The keys of the pairings that may be reset, as a 409 named them."""
    return serializers.ListField(
        child=serializers.CharField(max_length=40), required=False, allow_null=True, default=None, max_length=10_000
    )


class ResultBody(bodies.Body):
    """A result: a score (`played`), a `walkover` of the winner, or a `double` walkover, which nobody wins.

    Without `won` and `lost` the score of a match that was played is not known.
    """

    key = pairing_key_field()
    how = choice(("played", "walkover", "double"), required=False, default="played")
    winner = entrant_field("The number of the winner; nobody's in a double walkover.", required=False, allow_null=True)
    won = PointsField(required=False)
    lost = PointsField(required=False)
    why = serializers.CharField(required=False, default="", allow_blank=True, max_length=LONGEST_WHY)
    loser_present = serializers.BooleanField(
        required=False, default=False, help_text="Of a walkover: the loser is there, and goes on in the consolation."
    )


class CorrectionBody(ResultBody):
    """A corrected result, and the reason. `agreed`: the pairings that may be reset, as 409 named them."""

    why = serializers.CharField(max_length=LONGEST_WHY)
    agreed = agreed_field()


class UndoBody(bodies.Body):
    """An act of the log by its number. `agreed`: the pairings that may be reset, as 409 named them."""

    act = integer("Its number.", least=1, most=MOST_ACT, required=True)
    agreed = agreed_field()


class PenaltyBody(bodies.Body):
    """Penalty points of an entrant in a pairing: the opponent starts with them."""

    key = pairing_key_field()
    number = entrant_field()
    points = integer("How many in total.", most=LONGEST, required=True)


class AlertBody(bodies.Body):
    """An alert."""

    what = serializers.CharField(source="kind", max_length=20)
    key = serializers.CharField(required=False, default="", allow_blank=True, max_length=40)


def _result(tournament_id: str, data: Data) -> Data:
    """Keyword arguments for the services of results. Raises Refused: no_pairing, no_winner, no_score."""
    kwargs: Data = {
        name: data[name] for name in ("key", "why", "agreed") if name in data and (name != "why" or data["why"])
    }
    first = lookups.first_entrant_number(tournament_id=tournament_id, key=data["key"])
    if data["how"] == "double":
        return {**kwargs, "winner": None, "how": "walkover"}
    if data.get("winner") is None:
        raise Refused("no_winner")
    if data["how"] == "walkover":
        return {**kwargs, "winner": data["winner"], "how": "walkover", "loser_present": data["loser_present"]}
    if "won" not in data and "lost" not in data:
        return {**kwargs, "winner": data["winner"]}
    if "won" not in data or "lost" not in data:
        raise Refused("no_score")
    return {**kwargs, "winner": data["winner"], "points": points_in_order(data, first)}


ASKS_FIRST = "Where other pairings would be reset, they are named first (409 `affected`)."

Result = desk_view(
    "desk_result", services.result_enter, "Enter a result.", ResultBody, _result, act=DeskAct.ENTER_RESULTS
)
Correct = desk_view(
    "desk_correct",
    services.result_correct,
    f"Correct a result. {ASKS_FIRST}",
    CorrectionBody,
    _result,
    resets=True,
    act=DeskAct.CORRECT_RESULTS,
)
Undo = desk_view(
    "desk_undo",
    services.act_undo,
    f"Undo an act of the log. {ASKS_FIRST}",
    UndoBody,
    resets=True,
    act=DeskAct.UNDO_OWN_RESULTS,
)
Redo = desk_view(
    "desk_redo", services.act_redo, f"Redo an act of the log. {ASKS_FIRST}", UndoBody, resets=True, act=DeskAct.UNDO
)
Penalty = desk_view(
    "desk_penalty", services.penalty_give, "Give penalty points.", PenaltyBody, act=DeskAct.GIVE_PENALTIES
)
DismissAlert = desk_view(
    "desk_settle", services.alert_dismiss, "Dismiss an alert.", AlertBody, act=DeskAct.DISMISS_ALERTS
)
