"""The sheet of prizes, as its directors write it: by the form and the service of its page. The site moves no money."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.forms import field_of, filled, shown_as, valid
from accounts.api.views import ApiView, must_match, tag_of, tagged, unchanged, who
from games.api.common import whole
from tournaments.api.entering import MOST_ENTRANTS
from tournaments.forms.prizes import PurseForm
from tournaments.models import Tournament
from tournaments.prizes import MOST_CENTS, MOST_PLACES, MOST_POOLS, Pool, Purse
from tournaments.selectors import entries, prizes
from tournaments.services.prizes import LONGEST_NAME, purse_set

_field = partial(field_of, PurseForm)


class PoolBody(bodies.Body):
    """A side pool, with the numbers of the entrants who are in it."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    stake = whole("In hundredths.", most=MOST_CENTS, required=True)
    entrants = serializers.ListField(child=whole("An entrant by number.", least=1, most=MOST_ENTRANTS))


class PurseBody(bodies.Body):
    """What is to be another way on the sheet of prizes; the rest stays. Amounts in hundredths of the currency."""

    fee = whole("Entry fee, in hundredths.", most=MOST_CENTS)
    added = whole("Added by the club, in hundredths.", most=MOST_CENTS)
    currency = _field("currency")
    shares = serializers.ListField(
        child=whole("Percent.", most=100),
        max_length=MOST_PLACES,
        required=False,
        help_text="Percent for each place, from the first on. What is left stays with the club.",
    )
    shown = _field("shown")
    weight = _field("weight")
    pools: Any = serializers.ListSerializer(
        child=PoolBody(), required=False, max_length=MOST_POOLS, help_text="All side pools."
    )


class SidePoolSheetSerializer(serializers.Serializer[Any]):
    """A side pool as it was said."""

    name = serializers.CharField()
    stake = serializers.IntegerField(help_text="In hundredths.")
    entrants = serializers.ListField(child=serializers.IntegerField())


PurseSheetSerializer = shown_as(
    "PurseSheetSerializer", PurseBody, "What was said about prizes.", pools=SidePoolSheetSerializer(many=True)
)


def _sheet(tournament_id: str) -> tuple[Purse, dict[int, str]]:
    """What was said about prizes, or what the club usually says; and the entrants by number."""
    view, found = prizes.prizes(tournament_id)
    purse = found.purse if view.state.purse else prizes.usual(view.tournament.club)
    return purse, {one.number: one.name for one in view.entrants}


def _told(tournament_id: str, purse: Purse) -> tuple[dict[str, Any], str]:
    told = purse.as_json()
    return told, tag_of("purse", tournament_id, told)


class PrizesDesk(ApiView):
    """What was said about prizes, or is usual in the club, for the directors. With `If-Match` nothing is changed that
    is no longer as it was seen.
    """

    access: ClassVar = {"GET": access.member("read"), "PATCH": access.member("desk")}

    @extend_schema(responses=PurseSheetSerializer, operation_id="desk_prizes", tags=["desk"])
    def get(self, request: Request, tournament_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        entries.directed(tournament_id=tournament_id, user=who(request))
        told, tag = _told(tournament_id, _sheet(tournament_id)[0])
        return unchanged(request, tag) or tagged(told, tag)

    @extend_schema(request=PurseBody, responses=PurseSheetSerializer, operation_id="desk_prizes_change", tags=["desk"])
    def patch(self, request: Request, tournament_id: str) -> Response:
        """Write down what is paid and how it is shared out, at any time; what is not named stays. With `If-Match`
        nothing is changed that is no longer as it was seen.
        """
        said = bodies.body_of(PurseBody, request)
        entries.directed(tournament_id=tournament_id, user=who(request))
        with transaction.atomic():
            Tournament.objects.select_for_update().get(pk=tournament_id)
            purse, names = _sheet(tournament_id)
            must_match(request, _told(tournament_id, purse)[1])
            if "pools" in said:
                pools = (
                    Pool(one["name"], one["stake"], tuple(dict.fromkeys(one["entrants"]))) for one in said["pools"]
                )
                purse = replace(purse, pools=tuple(pools))
            written = {name: value for name, value in said.items() if name != "pools"}
            filled_in = filled(PurseForm(purse=purse, names=names), written)
            purse = valid(PurseForm(filled_in, purse=purse, names=names), _called).purse()
            purse_set(tournament_id=tournament_id, user=who(request), purse=purse)
        told, tag = _told(tournament_id, purse)
        return tagged(told, tag)


def _called(name: str) -> str:
    """What the body calls a field of the form."""
    if not name.startswith("pool_"):
        return name
    _pool, at, part = name.split("_")
    return f"pools.{at}.{'entrants' if part == 'who' else part}"
