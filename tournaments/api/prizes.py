"""The prize sheet for directors, with the form and the service of its page. The site moves no money."""

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
from accounts.api.forms import form_data, read_serializer, serializer_field, validated_form
from accounts.api.views import ApiView, check_if_match, current_user, etag_for, not_modified, with_etag
from games.api.fields import integer
from tournaments.api.fields import MOST_ENTRANTS
from tournaments.forms.prizes import PurseForm
from tournaments.models import Tournament
from tournaments.prizes import MOST_CENTS, MOST_PLACES, MOST_POOLS, Pool, Purse
from tournaments.roles import DeskAct
from tournaments.selectors import lookups, prizes
from tournaments.services.prizes import LONGEST_NAME, purse_set

_field = partial(serializer_field, PurseForm)


class PoolBody(bodies.Body):
    """A side pool, with the numbers of its participants."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    stake = integer("In hundredths.", most=MOST_CENTS, required=True)
    entrants = serializers.ListField(child=integer("An entrant by number.", least=1, most=MOST_ENTRANTS))


class PurseBody(bodies.Body):
    """Changes of the prize sheet; what is left out stays. Amounts in hundredths of the currency."""

    fee = integer("Entry fee, in hundredths.", most=MOST_CENTS)
    added = integer("Added by the club, in hundredths.", most=MOST_CENTS)
    currency = _field("currency")
    shares = serializers.ListField(
        child=integer("Percent.", most=100),
        max_length=MOST_PLACES,
        required=False,
        help_text="Percent for each place, from the first on. The rest stays with the club.",
    )
    shown = _field("shown")
    weight = _field("weight")
    pools: Any = serializers.ListSerializer(
        child=PoolBody(), required=False, max_length=MOST_POOLS, help_text="All side pools."
    )


class SidePoolSheetSerializer(serializers.Serializer[Any]):
    """A side pool."""

    name = serializers.CharField()
    stake = serializers.IntegerField(help_text="In hundredths.")
    entrants = serializers.ListField(child=serializers.IntegerField())


PurseSheetSerializer = read_serializer(
    "PurseSheetSerializer", PurseBody, "The purse of a tournament.", pools=SidePoolSheetSerializer(many=True)
)


def _purse_and_names(tournament_id: str) -> tuple[Purse, dict[int, str]]:
    """The purse of a tournament, or the last one of its club; and the entrants by number."""
    view, sheet = prizes.prize_sheet(tournament_id)
    purse = sheet.purse if view.state.purse else prizes.last_used_purse(view.tournament.club)
    return purse, {entrant.number: entrant.name for entrant in view.entrants}


def _purse_with_etag(tournament_id: str, purse: Purse) -> tuple[dict[str, Any], str]:
    body = purse.as_json()
    return body, etag_for("purse", tournament_id, body)


class DeskPrizes(ApiView):
    """The purse of a tournament, or the last one of its club, for the directors. With `If-Match` a purse that has
    changed since is not overwritten.
    """

    access: ClassVar = {"GET": access.member("read"), "PATCH": access.member("desk")}

    @extend_schema(responses=PurseSheetSerializer, operation_id="desk_prizes", tags=["desk"])
    def get(self, request: Request, tournament_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        lookups.desk_tournament(tournament_id=tournament_id, user=current_user(request), act=DeskAct.SET_PRIZES)
        body, tag = _purse_with_etag(tournament_id, _purse_and_names(tournament_id)[0])
        return not_modified(request, tag) or with_etag(body, tag)

    @extend_schema(request=PurseBody, responses=PurseSheetSerializer, operation_id="desk_prizes_change", tags=["desk"])
    def patch(self, request: Request, tournament_id: str) -> Response:
        """Change the purse, at any time; what is left out stays. With `If-Match` a purse that has changed since is not
        overwritten.
        """
        data = bodies.body_of(PurseBody, request)
        lookups.desk_tournament(tournament_id=tournament_id, user=current_user(request), act=DeskAct.SET_PRIZES)
        with transaction.atomic():
            Tournament.objects.select_for_update().get(pk=tournament_id)
            purse, names = _purse_and_names(tournament_id)
            check_if_match(request, _purse_with_etag(tournament_id, purse)[1])
            if "pools" in data:
                pools = (
                    Pool(pool["name"], pool["stake"], tuple(dict.fromkeys(pool["entrants"]))) for pool in data["pools"]
                )
                purse = replace(purse, pools=tuple(pools))
            written = {name: value for name, value in data.items() if name != "pools"}
            filled_in = form_data(PurseForm(purse=purse, names=names), written)
            purse = validated_form(PurseForm(filled_in, purse=purse, names=names), _body_field).purse()
            purse_set(tournament_id=tournament_id, user=current_user(request), purse=purse)
        body, tag = _purse_with_etag(tournament_id, purse)
        return with_etag(body, tag)


def _body_field(name: str) -> str:
    """What the body calls a field of the form."""
    if not name.startswith("pool_"):
        return name
    _pool, index, part = name.split("_")
    return f"pools.{index}.{'entrants' if part == 'who' else part}"
