"""Entrants at the desk: who comes, who leaves, who pays, who is seeded, who shall meet."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from accounts.api import bodies
from games.api.common import whole
from games.words import STRENGTHS
from tournaments import services
from tournaments.api.desk import member_of, told_by
from tournaments.api.entering import number
from tournaments.forms.desk import member_named
from tournaments.terms import LONGEST


class PersonBody(bodies.Body):
    """A member by name, or a name without an account."""

    name = serializers.CharField(max_length=80)
    walk_in = serializers.BooleanField(
        required=False, default=False, help_text="Has no account, whoever bears the same name."
    )


class LateBody(bodies.Body):
    """Who comes after the draw: by `name`, or the `number` of one who waits for a place."""

    name = serializers.CharField(required=False, default="", allow_blank=True, max_length=80)
    walk_in = serializers.BooleanField(required=False, default=False)
    number = number("One of the waiting list.", required=False, allow_null=True)
    points = whole("Penalty points.", most=LONGEST, default=0)
    half = serializers.BooleanField(required=False, default=False, help_text="Half a point for each round missed.")


class SubstituteBody(PersonBody):
    number = number("Whose place it was.")


class NumberBody(bodies.Body):
    number = number()


class EntrantHereBody(NumberBody):
    here = serializers.BooleanField(required=False, default=True)


class PaidBody(NumberBody):
    paid = serializers.BooleanField(required=False, default=True)


class LinkBody(NumberBody):
    player = serializers.CharField(max_length=24, help_text="A member by name.")


class FillBody(bodies.Body):
    """How strong the computer is that takes the missing places, and up to how many players in all."""

    level = whole("How strong.", least=int(min(STRENGTHS)), most=int(max(STRENGTHS)), required=True)
    to = whole("Players in all.", least=2, most=512, allow_null=True, default=None)


class SeedBody(bodies.Body):
    number = number()
    rank = whole("The place; null: none.", least=1, most=512, required=True, allow_null=True)


class SeedsBody(bodies.Body):
    """Seeded places; of an entrant who is not named nothing changes."""

    seeds = serializers.ListField(child=SeedBody(), max_length=512)


class WishesBody(bodies.Body):
    """Who shall meet in the next round, and who never: two numbers each. They take the place of the wishes before."""

    together = serializers.ListField(
        child=serializers.ListField(child=number(), min_length=2, max_length=2), max_length=300
    )
    apart = serializers.ListField(
        child=serializers.ListField(child=number(), min_length=2, max_length=2), max_length=300
    )


def _person(_tournament_id: str, said: dict[str, Any]) -> dict[str, Any]:
    name = said.pop("name")
    player = None if said.pop("walk_in") else member_named(name)
    return {**said, "player": player} if player else {**said, "name": name}


def _late(tournament_id: str, said: dict[str, Any]) -> dict[str, Any]:
    if said.get("number") is not None:
        return {name: said[name] for name in ("number", "points", "half")}
    said.pop("number", None)
    return _person(tournament_id, said)


EntrantAdd = told_by("desk_entrant_add", services.entrant_add, PersonBody, "Enter somebody.", _person)
EntrantLate = told_by("desk_entrant_late", services.entrant_late, LateBody, "Let somebody in after the draw.", _late)
Substitute = told_by(
    "desk_substitute", services.entrant_substitute, SubstituteBody, "Give the place of an entrant to another.", _person
)
EntrantWithdraw = told_by("desk_withdraw", services.entrant_withdraw, NumberBody, "Take an entrant out: he has left.")
Reinstate = told_by("desk_reinstate", services.entrant_reinstate, NumberBody, "Let an entrant who left back in.")
Admit = told_by("desk_admit", services.entrant_admit, NumberBody, "Give one who waits a place.")
EntrantHere = told_by("desk_check_in", services.entrant_check_in, EntrantHereBody, "Check an entrant in, or out.")
Paid = told_by("desk_paid", services.entrant_paid, PaidBody, "Note that an entrant has paid, or has not.")
Link = told_by(
    "desk_link",
    services.entrant_link,
    LinkBody,
    "Link a name without an account to the member who it is.",
    lambda _id, said: {"number": said["number"], "player": member_of(said["player"])},
)
Fill = told_by("desk_fill", services.entrants_fill, FillBody, "Let the computer take the places that are missing.")
Seeds = told_by(
    "desk_seeds",
    services.entrants_seed,
    SeedsBody,
    "Give or take seeded places.",
    lambda _id, said: {"ranks": {one["number"]: one["rank"] for one in said["seeds"]}},
)
WishesOf = told_by(
    "desk_wishes",
    services.pairs_wish,
    WishesBody,
    "Say who shall meet in the next round, and who never.",
    lambda _id, said: {name: [tuple(two) for two in said[name]] for name in ("together", "apart")},
)
