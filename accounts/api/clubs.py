"""Clubs and the people in them, as their pages show them to the one who asks."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import clubs, rates, rosters
from accounts.api.access import member, public
from accounts.api.bodies import Body, Paged, Query, body_of, query_of
from accounts.api.pages import page_of, slice_of
from accounts.api.people import PersonSerializer, person_told
from accounts.api.schema import page_answer
from accounts.api.ties import one_named
from accounts.api.views import ApiView, viewer, who
from accounts.errors import Refused
from accounts.models import Club, Membership

TAGS = ["clubs"]
ROLES = Membership.Role.values
WEBSITE = r"^https?://[a-z0-9][a-z0-9.-]*(:[0-9]{1,5})?(/[!-~]*)?$"


class ClubRowSerializer(serializers.Serializer[Any]):
    """A club of the list."""

    slug = serializers.CharField()
    name = serializers.CharField()
    place = serializers.CharField(allow_blank=True)
    meets = serializers.CharField(allow_blank=True)
    people = serializers.IntegerField()
    default = serializers.BooleanField(help_text="Whether every member of the site belongs to it.")


class ClubSerializer(ClubRowSerializer):
    """A club: what its page says, its policies, and what the one who asks may do there."""

    about = serializers.CharField(allow_blank=True)
    website = serializers.CharField(allow_blank=True)
    timezone = serializers.CharField()
    joining = serializers.ChoiceField(choices=Club.Joining.values)
    makers = serializers.ChoiceField(choices=Club.Makers.values)
    rated = serializers.ChoiceField(choices=Club.Rated.values)
    outside = serializers.BooleanField()
    standings = serializers.ListField(
        child=serializers.CharField(),
        help_text="What one is there: owner, director, member, stranger, guest, staff.",
    )
    asked = serializers.BooleanField(help_text="Whether one has asked to be let in.")


def _row(club: Club, people: int) -> dict[str, Any]:
    return {
        "slug": club.slug,
        "name": club.name,
        "place": club.place,
        "meets": club.meets,
        "people": people,
        "default": club.is_default,
    }


def _club(visit: rosters.Visit) -> dict[str, Any]:
    club = visit.club
    facts = {name: getattr(club, name) for name in clubs.FACTS}
    mine = {"standings": sorted(one.value for one in visit.standings), "asked": visit.asked}
    return {**_row(club, visit.people), **facts, **mine}


def told_of(request: Request, club: Club) -> dict[str, Any]:
    """A club as the one who asks finds it now."""
    return _club(visited(request, club.slug))


def visited(request: Request, slug: str) -> rosters.Visit:
    """The club of an address, as the one who asks finds it. Raises Refused("no_club")."""
    found = rosters.visit(slug=slug, user=viewer(request))
    if found is None:
        raise Refused("no_club")
    return found


def kept(request: Request, slug: str) -> rosters.Visit:
    """The same, for who looks after its people. Raises Refused: no_club, club_not_owner."""
    found = visited(request, slug)
    if not found.keeps:
        raise Refused("club_not_owner")
    return found


class ClubFacts(Body):
    """What a club says of itself, and its policies."""

    name = serializers.CharField(min_length=2, max_length=80, required=False)
    about = serializers.CharField(max_length=2000, allow_blank=True, required=False)
    place = serializers.CharField(max_length=120, allow_blank=True, required=False)
    meets = serializers.CharField(max_length=120, allow_blank=True, required=False)
    website = serializers.RegexField(WEBSITE, max_length=200, allow_blank=True, required=False)
    timezone = serializers.CharField(max_length=64, required=False)
    joining = serializers.ChoiceField(choices=Club.Joining.values, required=False)
    makers = serializers.ChoiceField(choices=Club.Makers.values, required=False)
    rated = serializers.ChoiceField(choices=Club.Rated.values, required=False)
    outside = serializers.BooleanField(required=False)


class ClubBody(ClubFacts):
    """A club to be opened."""

    name = serializers.CharField(min_length=2, max_length=80)


class Clubs(ApiView):
    """The clubs of the site, one's own first; and opening one, where one may."""

    access = {"GET": public(), "POST": member("club")}

    @extend_schema(operation_id="clubs", parameters=[Paged], responses=page_answer(ClubRowSerializer), tags=TAGS)
    def get(self, request: Request) -> Response:
        asked = query_of(Paged, request)
        rows = rosters.listed(viewer(request))
        return slice_of(rows, name="clubs", asked=asked, told=lambda some: [_row(one.club, one.people) for one in some])

    @extend_schema(operation_id="club_open", request=ClubBody, responses={201: ClubSerializer}, tags=TAGS)
    def post(self, request: Request) -> Response:
        made = clubs.club_create(by=who(request), **body_of(ClubBody, request))
        return Response(told_of(request, made), status=201)


class OneClub(ApiView):
    """A club."""

    access = {"GET": public(), "PATCH": member("club")}

    @extend_schema(operation_id="club", responses=ClubSerializer, tags=TAGS)
    def get(self, request: Request, slug: str) -> Response:
        query_of(Query, request)
        return Response(_club(visited(request, slug)))

    @extend_schema(operation_id="club_change", request=ClubFacts, responses=ClubSerializer, tags=TAGS)
    def patch(self, request: Request, slug: str) -> Response:
        facts = body_of(ClubFacts, request)
        clubs.club_change(club=visited(request, slug).club, by=who(request), **facts)
        return Response(_club(visited(request, slug)))


# The roster


class RosterQuery(Paged):
    q = serializers.CharField(required=False, max_length=24, help_text="A part of the name.")
    role = serializers.ChoiceField(choices=ROLES, required=False)


class PlaceSerializer(serializers.Serializer[Any]):
    """Somebody's place in a club; `until` is his last day as a member."""

    person = PersonSerializer()
    role = serializers.ChoiceField(choices=ROLES)
    until = serializers.DateField(allow_null=True)
    expired = serializers.BooleanField()


def _place(place: rosters.Place) -> dict[str, Any]:
    return {
        "person": person_told(place.user),
        "role": place.role,
        "until": place.until,
        "expired": place.expired,
    }


class Members(ApiView):
    """The people of a club: owners and directors first, then by name."""

    access = {"GET": public(kind=rates.SEARCH)}

    @extend_schema(
        operation_id="club_members", parameters=[RosterQuery], responses=page_answer(PlaceSerializer), tags=TAGS
    )
    def get(self, request: Request, slug: str) -> Response:
        asked = query_of(RosterQuery, request)
        club = visited(request, slug).club
        rows = rosters.roster(club, asked.get("q", ""), asked.get("role", ""))
        places = rosters.places
        return page_of(
            rows, by=("rank", "name_key"), asked=asked, told=lambda found: [_place(one) for one in places(club, found)]
        )


class MemberBody(Body):
    """What is to be another way; the rest stays. An `until` of null takes the end away."""

    role = serializers.ChoiceField(choices=ROLES, required=False)
    until = serializers.DateField(required=False, allow_null=True)


class OneMember(ApiView):
    """A member's role and last day, for the owners of the club; and taking him out of it."""

    access = {"PATCH": member("club"), "DELETE": member("club")}

    @extend_schema(operation_id="club_member_change", request=MemberBody, responses=PlaceSerializer, tags=TAGS)
    def patch(self, request: Request, slug: str, name: str) -> Response:
        said = body_of(MemberBody, request)
        club, by = kept(request, slug).club, who(request)
        user = one_named(name)
        with transaction.atomic():
            if "role" in said:
                clubs.member_role(club=club, by=by, user=user, role=said["role"])
            if "until" in said:
                clubs.member_until(club=club, by=by, user=user, until=said["until"])
        found = rosters.places(club, list(rosters.roster(club).filter(pk=user.pk)))
        if not found:
            raise Refused("club_not_member")
        return Response(_place(found[0]))

    @extend_schema(operation_id="club_member_remove", responses={204: None}, tags=TAGS)
    def delete(self, request: Request, slug: str, name: str) -> Response:
        clubs.member_remove(club=kept(request, slug).club, by=who(request), user=one_named(name))
        return Response(status=204)


class Joining(ApiView):
    """Step into a club that is open to all, or leave it."""

    access = {"PUT": member("club"), "DELETE": member("club")}

    @extend_schema(operation_id="club_join", request=None, responses=ClubSerializer, tags=TAGS)
    def put(self, request: Request, slug: str) -> Response:
        clubs.club_join(club=visited(request, slug).club, user=who(request))
        return Response(_club(visited(request, slug)))

    @extend_schema(operation_id="club_leave", responses={204: None}, tags=TAGS)
    def delete(self, request: Request, slug: str) -> Response:
        clubs.club_leave(club=visited(request, slug).club, user=who(request))
        return Response(status=204)
