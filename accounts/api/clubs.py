"""Clubs and their members, as their pages show them to the viewer."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import member, public
from accounts.api.bodies import Body, Paged, Query, body_of, query_of
from accounts.api.pagination import paginate_list, paginate_queryset
from accounts.api.relationships import user_by_name
from accounts.api.schema import page_serializer
from accounts.api.users import PersonSerializer, serialize_person
from accounts.api.views import ApiView, current_user, viewer
from accounts.clubs import selectors as club_selectors
from accounts.clubs import services as clubs
from accounts.errors import Refused
from accounts.models import Club, Membership
from accounts.web import api_rates
from accounts.web.staff import refusal_code

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
    """A club: its page, its settings, and what the viewer is there."""

    about = serializers.CharField(allow_blank=True)
    website = serializers.CharField(allow_blank=True)
    timezone = serializers.CharField()
    joining = serializers.ChoiceField(choices=Club.Joining.values)
    makers = serializers.ChoiceField(choices=Club.Makers.values)
    rated = serializers.ChoiceField(choices=Club.Rated.values)
    outside = serializers.BooleanField()
    standings = serializers.ListField(
        child=serializers.CharField(),
        help_text="What you are there: owner, director, member, stranger, guest, staff.",
    )
    asked = serializers.BooleanField(help_text="Whether you have sent a join request.")


def _serialize_row(club: Club, people: int) -> dict[str, Any]:
    return {
        "slug": club.slug,
        "name": club.name,
        "place": club.place,
        "meets": club.meets,
        "people": people,
        "default": club.is_default,
    }


def _serialize_access(access: club_selectors.ClubAccess) -> dict[str, Any]:
    club = access.club
    values = {name: getattr(club, name) for name in clubs.EDITABLE_FIELDS}
    own = {"standings": sorted(status.value for status in access.statuses), "asked": access.has_requested}
    return {**_serialize_row(club, access.member_count), **values, **own}


def serialize_club(request: Request, club: Club) -> dict[str, Any]:
    """A club with the viewer's access to it."""
    return _serialize_access(club_access(request, club.slug))


def club_access(request: Request, slug: str) -> club_selectors.ClubAccess:
    """The club of this slug with the viewer's access. Raises Refused("no_club")."""
    found = club_selectors.club_access(slug=slug, user=viewer(request))
    if found is None:
        raise Refused("no_club")
    return found


def managed_club(request: Request, slug: str) -> club_selectors.ClubAccess:
    """The same, for those who manage its members. Raises Refused: no_club, club_not_owner."""
    found = club_access(request, slug)
    if not found.can_manage_members:
        raise Refused(refusal_code(current_user(request), "club_not_owner"))
    return found


class ClubUpdateBody(Body):
    """The page and the settings of a club."""

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


class ClubBody(ClubUpdateBody):
    """A club to be created."""

    name = serializers.CharField(min_length=2, max_length=80)


class Clubs(ApiView):
    """The clubs of the site, your own first; and creating one, where allowed."""

    access = {"GET": public(), "POST": member("club")}

    @extend_schema(operation_id="clubs", parameters=[Paged], responses=page_serializer(ClubRowSerializer), tags=TAGS)
    def get(self, request: Request) -> Response:
        page = query_of(Paged, request)
        rows = club_selectors.club_rows(viewer(request))
        return paginate_list(
            rows,
            name="clubs",
            query=page,
            serialize=lambda club_rows: [_serialize_row(row.club, row.people) for row in club_rows],
        )

    @extend_schema(operation_id="club_open", request=ClubBody, responses={201: ClubSerializer}, tags=TAGS)
    def post(self, request: Request) -> Response:
        club = clubs.club_create(by=current_user(request), **body_of(ClubBody, request))
        return Response(serialize_club(request, club), status=201)


class ClubDetail(ApiView):
    """A club."""

    access = {"GET": public(), "PATCH": member("club")}

    @extend_schema(operation_id="club", responses=ClubSerializer, tags=TAGS)
    def get(self, request: Request, slug: str) -> Response:
        query_of(Query, request)
        return Response(_serialize_access(club_access(request, slug)))

    @extend_schema(operation_id="club_change", request=ClubUpdateBody, responses=ClubSerializer, tags=TAGS)
    def patch(self, request: Request, slug: str) -> Response:
        facts = body_of(ClubUpdateBody, request)
        clubs.club_update(club=club_access(request, slug).club, by=current_user(request), **facts)
        return Response(_serialize_access(club_access(request, slug)))


# Members


class RosterQuery(Paged):
    q = serializers.CharField(required=False, max_length=24, help_text="A part of the name.")
    role = serializers.ChoiceField(choices=ROLES, required=False)


class PlaceSerializer(serializers.Serializer[Any]):
    """A member of a club; `until` is the last day of the membership."""

    person = PersonSerializer()
    role = serializers.ChoiceField(choices=ROLES)
    until = serializers.DateField(allow_null=True)
    expired = serializers.BooleanField()


def _serialize_member(row: club_selectors.RosterRow) -> dict[str, Any]:
    return {
        "person": serialize_person(row.user),
        "role": row.role,
        "until": row.until,
        "expired": row.expired,
    }


class Members(ApiView):
    """The members of a club: owners and directors first, then by name."""

    access = {"GET": public(kind=api_rates.SEARCH)}

    @extend_schema(
        operation_id="club_members", parameters=[RosterQuery], responses=page_serializer(PlaceSerializer), tags=TAGS
    )
    def get(self, request: Request, slug: str) -> Response:
        page = query_of(RosterQuery, request)
        club = club_access(request, slug).club
        rows = club_selectors.roster(club, page.get("q", ""), page.get("role", ""))
        places = club_selectors.roster_rows
        return paginate_queryset(
            rows,
            by=("rank", "name_key"),
            query=page,
            serialize=lambda found: [_serialize_member(row) for row in places(club, found)],
        )


class MemberBody(Body):
    """The changes; the rest stays. An `until` of null removes the end."""

    role = serializers.ChoiceField(choices=ROLES, required=False)
    until = serializers.DateField(required=False, allow_null=True)


class MemberDetail(ApiView):
    """A member's role and last day, for the owners of the club; and removing the member."""

    access = {"PATCH": member("club"), "DELETE": member("club")}

    @extend_schema(operation_id="club_member_change", request=MemberBody, responses=PlaceSerializer, tags=TAGS)
    def patch(self, request: Request, slug: str, name: str) -> Response:
        body = body_of(MemberBody, request)
        club, by = managed_club(request, slug).club, current_user(request)
        user = user_by_name(name)
        with transaction.atomic():
            if "role" in body:
                clubs.member_set_role(club=club, by=by, user=user, role=body["role"])
            if "until" in body:
                clubs.member_set_until(club=club, by=by, user=user, until=body["until"])
        found = club_selectors.roster_rows(club, list(club_selectors.roster(club).filter(pk=user.pk)))
        if not found:
            raise Refused("club_not_member")
        return Response(_serialize_member(found[0]))

    @extend_schema(operation_id="club_member_remove", responses={204: None}, tags=TAGS)
    def delete(self, request: Request, slug: str, name: str) -> Response:
        clubs.member_remove(club=managed_club(request, slug).club, by=current_user(request), user=user_by_name(name))
        return Response(status=204)


class Joining(ApiView):
    """Join a club that is open to all, or leave it."""

    access = {"PUT": member("club"), "DELETE": member("club")}

    @extend_schema(operation_id="club_join", request=None, responses=ClubSerializer, tags=TAGS)
    def put(self, request: Request, slug: str) -> Response:
        clubs.club_join(club=club_access(request, slug).club, user=current_user(request))
        return Response(_serialize_access(club_access(request, slug)))

    @extend_schema(operation_id="club_leave", responses={204: None}, tags=TAGS)
    def delete(self, request: Request, slug: str) -> Response:
        clubs.club_leave(club=club_access(request, slug).club, user=current_user(request))
        return Response(status=204)
