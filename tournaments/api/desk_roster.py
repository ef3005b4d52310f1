"""The entrants at the desk: add, withdraw, check in, pay, late entries, substitutes, pairing preferences."""

from __future__ import annotations

from rest_framework import serializers

from accounts.api import bodies
from games.api.fields import integer
from games.labels import STRENGTHS
from tournaments import services
from tournaments.api.desk_acts import Data, desk_view, member_or_refused
from tournaments.api.fields import entrant_field
from tournaments.forms.roster import named_person
from tournaments.roles import DeskAct
from tournaments.terms import LONGEST

WALK_IN = (
    "true: no account, even if a member has that name; false: that member; null: refused (`is_member`) if one has."
)


class PersonBody(bodies.Body):
    """A member by name, or a name without an account."""

    name = serializers.CharField(max_length=80)
    walk_in = serializers.BooleanField(required=False, default=None, allow_null=True, help_text=WALK_IN)


class LateBody(bodies.Body):
    """An entry after the draw: by `name`, or by the `number` of somebody on the waiting list."""

    name = serializers.CharField(required=False, default="", allow_blank=True, max_length=80)
    walk_in = serializers.BooleanField(required=False, default=None, allow_null=True, help_text=WALK_IN)
    number = entrant_field("Somebody on the waiting list.", required=False, allow_null=True)
    points = integer("Penalty points.", most=LONGEST, default=0)
    half = serializers.BooleanField(required=False, default=False, help_text="Half a point for each missed round.")


class SubstituteBody(PersonBody):
    number = entrant_field("The entrant who is replaced.")


class NumberBody(bodies.Body):
    """An entrant."""

    number = entrant_field()


class EntrantCheckInBody(NumberBody):
    """An entrant, to check in or out."""

    here = serializers.BooleanField(required=False, default=True)


class EntrantPauseBody(NumberBody):
    """A player of an arena, to pause or (false) to pair again."""

    paused = serializers.BooleanField(required=False, default=True)


class PaidBody(NumberBody):
    """An entrant, and whether they have paid."""

    paid = serializers.BooleanField(required=False, default=True)


class LinkBody(NumberBody):
    """A walk-in, and their account."""

    player = serializers.CharField(max_length=24, help_text="A member by name.")


class FillBody(bodies.Body):
    """Computer players for the empty places: their strength, and up to how many players in total."""

    level = integer("Their strength.", least=int(min(STRENGTHS)), most=int(max(STRENGTHS)), required=True)
    to = integer("Players in total.", least=2, most=512, allow_null=True, default=None)


class PairingPreferencesBody(bodies.Body):
    """Pairs to be paired in the next round, and never to be paired: two numbers each. They replace all earlier ones."""

    together = serializers.ListField(
        child=serializers.ListField(child=entrant_field(), min_length=2, max_length=2), max_length=300
    )
    apart = serializers.ListField(
        child=serializers.ListField(child=entrant_field(), min_length=2, max_length=2), max_length=300
    )


def _person(_tournament_id: str, data: Data) -> Data:
    person = named_person(data.pop("name"), data.pop("walk_in"))
    return {**data, **person}


def _late_entry(tournament_id: str, data: Data) -> Data:
    if data.get("number") is not None:
        return {name: data[name] for name in ("number", "points", "half")}
    data.pop("number", None)
    return _person(tournament_id, data)


def _link(_tournament_id: str, data: Data) -> Data:
    return {"number": data["number"], "player": member_or_refused(data["player"])}


def _pairs(_tournament_id: str, data: Data) -> Data:
    return {name: [tuple(pair) for pair in data[name]] for name in ("together", "apart")}


EntrantAdd = desk_view(
    "desk_entrant_add", services.entrant_add, "Add an entrant.", PersonBody, _person, act=DeskAct.MANAGE_ENTRANTS
)
EntrantLate = desk_view(
    "desk_entrant_late", services.entrant_late, "Add a late entry.", LateBody, _late_entry, act=DeskAct.MANAGE_ENTRANTS
)
Substitute = desk_view(
    "desk_substitute",
    services.entrant_substitute,
    "Give the place of an entrant to another.",
    SubstituteBody,
    _person,
    act=DeskAct.MANAGE_ENTRANTS,
)
EntrantWithdraw = desk_view(
    "desk_withdraw", services.entrant_withdraw, "Withdraw an entrant.", NumberBody, act=DeskAct.MANAGE_ENTRANTS
)
Reinstate = desk_view(
    "desk_reinstate",
    services.entrant_reinstate,
    "Reinstate a withdrawn entrant.",
    NumberBody,
    act=DeskAct.MANAGE_ENTRANTS,
)
Admit = desk_view(
    "desk_admit",
    services.entrant_admit,
    "Give a place to somebody on the waiting list.",
    NumberBody,
    act=DeskAct.MANAGE_ENTRANTS,
)
EntrantCheckIn = desk_view(
    "desk_check_in",
    services.entrant_check_in,
    "Check an entrant in, or out.",
    EntrantCheckInBody,
    act=DeskAct.MANAGE_ENTRANTS,
)
EntrantPause = desk_view(
    "desk_entrant_pause",
    services.arena_pause,
    "Pause a player of an arena, or pair them again.",
    EntrantPauseBody,
    act=DeskAct.MANAGE_ENTRANTS,
)
Paid = desk_view(
    "desk_paid", services.entrant_paid, "Record whether an entrant has paid.", PaidBody, act=DeskAct.MANAGE_ENTRANTS
)
Link = desk_view(
    "desk_link", services.entrant_link, "Link a walk-in to an account.", LinkBody, _link, act=DeskAct.MANAGE_ENTRANTS
)
Fill = desk_view(
    "desk_fill",
    services.entrants_fill,
    "Fill empty places with computer players.",
    FillBody,
    act=DeskAct.MANAGE_ENTRANTS,
)
PairingPreferences = desk_view(
    "desk_wishes",
    services.pairing_preferences_set,
    "Set the pairing preferences.",
    PairingPreferencesBody,
    _pairs,
    act=DeskAct.RUN_ROUNDS,
)
