"""Directing ladders: for the directors of their clubs. Everybody else is answered with 403."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from accounts.api import bodies
from games.api.fields import integer
from ladders import services
from ladders.api.steps import DirectorStep, documented, player_of
from ladders.services.transaction import LONGEST_REASON


class ReasonBody(bodies.Body):
    """The reason, which everybody can read."""

    reason = serializers.CharField(required=False, default="", allow_blank=True, max_length=LONGEST_REASON)


class DecideBody(ReasonBody):
    """Who won a challenge that was not played here; null: nobody."""

    winner = serializers.CharField(max_length=24, allow_null=True)


@documented("ladder_decide")
class ChallengeDecide(DirectorStep):
    """Decide how a challenge ended that was not played here: for directors of the club."""

    body = DecideBody
    service = staticmethod(services.challenge_decide)

    def facts(self, ladder_id: str, posted: dict[str, Any]) -> Mapping[str, Any]:
        name = posted["winner"]
        return {**posted, "winner": None if name is None else player_of(ladder_id, name, "ladder_no_such_winner")}


class PlaceBody(ReasonBody):
    """Another place for a player."""

    player = serializers.CharField(max_length=24)
    to = integer("The place, 1 on top.", least=1, most=10_000, required=True)


@documented("ladder_place")
class LadderPlace(DirectorStep):
    """Move a player to another place: for directors of the club."""

    body = PlaceBody
    service = staticmethod(services.ladder_place)

    def facts(self, ladder_id: str, posted: dict[str, Any]) -> Mapping[str, Any]:
        user = player_of(ladder_id, posted["player"], "ladder_rival_not_on")
        return {"user": user, "to": posted["to"], "reason": posted["reason"]}


class EventBody(ReasonBody):
    """An event of the ladder by its number."""

    n = integer("Its number.", least=1, required=True)


@documented("ladder_undo")
class LadderUndo(DirectorStep):
    """Undo an event that moved somebody: for directors of the club."""

    body = EventBody
    service = staticmethod(services.ladder_undo)


@documented("ladder_redo")
class LadderRedo(DirectorStep):
    """Restore an event that was undone: for directors of the club."""

    body = EventBody
    service = staticmethod(services.ladder_redo)


@documented("ladder_close")
class LadderClose(DirectorStep):
    """Close a ladder: for directors of the club."""

    service = staticmethod(services.ladder_close)


@documented("ladder_open")
class LadderOpen(DirectorStep):
    """Reopen a closed ladder: for directors of the club."""

    service = staticmethod(services.ladder_open)


class LadderSeasonBody(bodies.Body):
    """The name of the next season, and when it ends."""

    name = serializers.CharField(required=False, default="", allow_blank=True, max_length=60)
    ends_at = serializers.DateTimeField(required=False, allow_null=True, default=None)


@documented("ladder_season_close")
class LadderSeasonClose(DirectorStep):
    """End the season, keep its table, and begin the next: for directors of the club."""

    body = LadderSeasonBody
    service = staticmethod(services.season_close)
