"""Venue mode (ruling E27): take a tournament out, its file, and what a file of results would bring, and brings."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.errors import Problem
from accounts.api.views import ApiView, current_user
from games.api.fields import choice
from tournaments import services
from tournaments.api.desk_acts import desk_view
from tournaments.api.fields import version_response
from tournaments.api.serializers import TournamentVersionSerializer
from tournaments.models import VenueCopy
from tournaments.roles import DeskAct
from tournaments.selectors import lookups, venue
from tournaments.venue_file import MOST_BYTES

MOST_MEMBERS, LONGEST_KEY = 512, 80
IMPORT = access.member("desk", "import")


class VenueCopySerializer(serializers.Serializer[Any]):
    """A copy of the tournament for a venue; `here`: this site is the venue's."""

    status = choice(VenueCopy.Status)
    here = serializers.BooleanField()
    club = serializers.CharField(allow_blank=True, help_text="At the venue: the club that it comes from.")
    at = serializers.DateTimeField(help_text="When it was taken out, or brought here.")


class VenueSerializer(serializers.Serializer[Any]):
    """Where the tournament is, and the copy that is out, came back or was given up last (null: none)."""

    away = serializers.SerializerMethodField(help_text="Nothing can be done here until it is back.")
    copy = VenueCopySerializer(allow_null=True)
    by = serializers.CharField(allow_blank=True)
    in_play = serializers.BooleanField(help_text="A match on this site has to end before it can be taken out.")
    can_return = serializers.BooleanField(help_text="Whether results may be brought back here.")
    played = serializers.IntegerField(help_text="At the venue: how many results were entered here.")

    @extend_schema_field(serializers.BooleanField())
    def get_away(self, page: venue.VenuePage) -> bool:
        return page.status is not None and not page.status.here


class VenueFileSerializer(serializers.Serializer[Any]):
    """A signed file: save its text under its name, or send it on as it is."""

    name = serializers.CharField()
    text = serializers.CharField()


class VenueFileBody(bodies.Body):
    """The text of a file."""

    text = serializers.CharField(
        max_length=MOST_BYTES, trim_whitespace=False, help_text="The whole content of the file."
    )


class VenueResultsBody(VenueFileBody):
    """A file of results; `members`: the newcomers (by `key`) who are the members of that name."""

    members = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_KEY), max_length=MOST_MEMBERS, required=False, default=list
    )


class BringHereBody(VenueFileBody):
    """A file for the venue; `replace`: an earlier copy goes, with what was played here and never came back."""

    replace = serializers.BooleanField(required=False, default=False)


class NewcomerSerializer(serializers.Serializer[Any]):
    """Somebody who came at the venue, and the member of this site with that name (empty: none)."""

    key = serializers.CharField()
    number = serializers.IntegerField()
    name = serializers.CharField()
    member = serializers.SerializerMethodField()

    def get_member(self, newcomer: Any) -> str:
        return newcomer.member.username if newcomer.member is not None else ""


class OverruledSerializer(serializers.Serializer[Any]):
    """What was done on this site since, and would be undone; `venue`: what the venue says in its place."""

    text = serializers.CharField()
    by = serializers.CharField(allow_blank=True)
    at = serializers.CharField(help_text="In the tournament's time zone, in words.")
    venue = serializers.CharField(allow_blank=True)


class VenueReturnSerializer(serializers.Serializer[Any]):
    """What a file would bring. A file that brings nothing new (`is_new` false) changes nothing."""

    is_new = serializers.BooleanField(source="found.is_new")
    results = serializers.ListField(child=serializers.CharField(help_text="In words."))
    others = serializers.IntegerField(help_text="How many log entries come beside the results.")
    newcomers = NewcomerSerializer(many=True)
    overruled = OverruledSerializer(many=True)


class VenueBroughtSerializer(TournamentVersionSerializer):
    """The tournament after its results came; `is_new` false: all of it was here already, and nothing was changed."""

    is_new = serializers.BooleanField()
    results = serializers.IntegerField(help_text="How many results the file brought.")


class BroughtHereSerializer(serializers.Serializer[Any]):
    """The tournament that is played here now."""

    id = serializers.CharField(source="pk")
    name = serializers.CharField()


class Venue(ApiView):
    """Where a tournament is that is played at a venue without internet, for its directors."""

    access: ClassVar = {"GET": access.member("read")}

    @extend_schema(responses=VenueSerializer, operation_id="desk_venue", tags=["desk"])
    def get(self, request: Request, tournament_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        page = venue.venue_page(tournament_id=tournament_id, user=current_user(request))
        return Response(VenueSerializer(page).data)


TakeOut = desk_view(
    "desk_venue_take_out",
    services.venue_take_out,
    "Take the tournament to its venue: nothing can be done with it on this site until it is back.",
    act=DeskAct.TAKE_TO_VENUE,
)
GiveUp = desk_view(
    "desk_venue_give_up",
    services.venue_give_up,
    "Give up the venue's copy: the tournament goes on here, without what was played there.",
    act=DeskAct.TAKE_TO_VENUE,
)


class VenueFile(ApiView):
    """The signed file to take along from here: to the venue, or the results back from it."""

    # Whoever has the file can sign results: a token that may only read does not get it.
    access: ClassVar = {"GET": access.member("desk")}

    @extend_schema(responses=VenueFileSerializer, operation_id="desk_venue_file", tags=["desk"])
    def get(self, request: Request, tournament_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        found = venue.venue_download(tournament_id=tournament_id, user=current_user(request))
        if found is None:
            raise Problem("nothing_here", status=404)
        headers = {"Cache-Control": "no-store"}
        return Response({"name": found.name, "text": found.content.decode()}, headers=headers)


class VenueResultsCheck(ApiView):
    """What a file of results would bring, and what of this site it would overrule; nothing is written."""

    access: ClassVar = {"POST": IMPORT}

    @extend_schema(
        request=VenueFileBody, responses=VenueReturnSerializer, operation_id="desk_venue_results_check", tags=["desk"]
    )
    def post(self, request: Request, tournament_id: str) -> Response:
        data, user = _file(request, tournament_id, VenueFileBody), current_user(request)
        found = services.venue_results_check(tournament_id=tournament_id, user=user, data=data["text"].encode())
        return Response(VenueReturnSerializer(venue.return_page(found, user)).data)


class VenueResults(ApiView):
    """Bring the results of the venue back, once: ratings, places and master points follow."""

    access: ClassVar = {"POST": IMPORT}

    @extend_schema(
        request=VenueResultsBody,
        responses=VenueBroughtSerializer,
        operation_id="desk_venue_results",
        tags=["desk"],
    )
    def post(self, request: Request, tournament_id: str) -> Response:
        data, user = _file(request, tournament_id, VenueResultsBody), current_user(request)
        found = services.venue_results_bring(
            tournament_id=tournament_id, user=user, data=data["text"].encode(), members=data["members"]
        )
        brought = {"is_new": bool(found.events), "results": len(found.results)}
        return Response({**version_response(tournament_id).data, **brought})


def _file(request: Request, tournament_id: str, body: type[VenueFileBody]) -> dict[str, Any]:
    """The body with a file, of somebody who may bring it."""
    data = bodies.body_of(body, request)
    user = current_user(request)
    lookups.desk_tournament(tournament_id=tournament_id, user=user, act=DeskAct.TAKE_TO_VENUE)
    return data


class VenueBringHere(ApiView):
    """Bring a tournament to this site, which is the venue's, as the owner of its club; one directs it."""

    access: ClassVar = {"POST": IMPORT}

    @extend_schema(
        request=BringHereBody,
        responses={201: BroughtHereSerializer},
        operation_id="venue_bring_here",
        tags=["desk"],
    )
    def post(self, request: Request) -> Response:
        data = bodies.body_of(BringHereBody, request)
        made = services.venue_bring_here(
            user=current_user(request), data=data["text"].encode(), replace=data["replace"]
        )
        return Response(BroughtHereSerializer(made).data, status=201)
