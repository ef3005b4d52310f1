"""What the owners of a club look after: who asks to be let in, and invitations; and the other side of both."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import clubs, limits, rosters
from accounts.api.access import member
from accounts.api.bodies import Body, Paged, body_of, query_of, row_number
from accounts.api.clubs import ClubSerializer, kept, told_of, visited
from accounts.api.pages import page_of, slice_of
from accounts.api.people import PersonSerializer, person_told
from accounts.api.schema import page_answer
from accounts.api.views import ApiView, who
from accounts.errors import Refused
from accounts.models import Club, Invitation, JoinRequest

TAGS = ["clubs"]


class AskBody(Body):
    text = serializers.CharField(max_length=200, allow_blank=True, required=False, default="")


class RequestSerializer(serializers.Serializer[Any]):
    """Somebody asks to be let in."""

    id = serializers.IntegerField()
    person = PersonSerializer()
    text = serializers.CharField(allow_blank=True)
    asked_at = serializers.DateTimeField()


def _request(row: JoinRequest) -> dict[str, Any]:
    return {"id": row.pk, "person": person_told(row.user), "text": row.text, "asked_at": row.asked_at}


class Requests(ApiView):
    """Who asks to be let into a club, for its owners; and asking."""

    access = {"GET": member("club", "read"), "POST": member("club")}

    @extend_schema(
        operation_id="club_requests", parameters=[Paged], responses=page_answer(RequestSerializer), tags=TAGS
    )
    def get(self, request: Request, slug: str) -> Response:
        asked = query_of(Paged, request)
        rows = kept(request, slug).club.requests.filter(accepted=None).select_related("user")
        return page_of(rows, by=("asked_at", "pk"), asked=asked, told=lambda found: [_request(row) for row in found])

    @extend_schema(operation_id="club_ask", request=AskBody, responses={201: RequestSerializer}, tags=TAGS)
    def post(self, request: Request, slug: str) -> Response:
        text = body_of(AskBody, request)["text"]
        row = clubs.club_ask(club=visited(request, slug).club, user=who(request), text=text)
        return Response(_request(row), status=201)


class RequestAnswerBody(Body):
    accepted = serializers.BooleanField()


class OneRequest(ApiView):
    """Let somebody in, or not."""

    access = {"POST": member("club")}

    @extend_schema(operation_id="club_answer", request=RequestAnswerBody, responses={204: None}, tags=TAGS)
    def post(self, request: Request, slug: str, request_id: int) -> Response:
        said = body_of(RequestAnswerBody, request)
        club = visited(request, slug).club
        if not club.requests.filter(pk=row_number(request_id)).exists():
            raise Refused("club_no_request")
        clubs.request_answer(request_id=request_id, by=who(request), accepted=said["accepted"])
        return Response(status=204)


# Invitations


class ClubInvitationBody(Body):
    """An invitation, good for some `days` and so many people (`uses`; null: for any number). `email`: send it there."""

    days = serializers.IntegerField(min_value=1, max_value=clubs.LONGEST_DAYS, default=7)
    uses = serializers.IntegerField(min_value=1, max_value=clubs.MOST_USES, default=1, allow_null=True)
    email = serializers.EmailField(max_length=254, required=False, allow_blank=True, default="")


class ClubInvitationSerializer(serializers.Serializer[Any]):
    """An invitation that is good. `path` is that of its link: who has it may join."""

    id = serializers.IntegerField()
    path = serializers.CharField()
    made_by = serializers.CharField()
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    most_uses = serializers.IntegerField(allow_null=True)
    uses = serializers.IntegerField()
    sent = serializers.BooleanField(required=False, help_text="Whether it was sent; only in the answer of its making.")


def _invitation(one: Invitation) -> dict[str, Any]:
    return {
        "id": one.pk,
        "path": reverse("club-invitation", args=[one.token]),
        "made_by": one.made_by.username,
        "made_at": one.made_at,
        "expires_at": one.expires_at,
        "most_uses": one.most_uses,
        "uses": one.uses,
    }


class Invitations(ApiView):
    """The good invitations of a club, for its owners; and making one."""

    access = {"GET": member("club", "read"), "POST": member("club")}

    @extend_schema(
        operation_id="club_invitations", parameters=[Paged], responses=page_answer(ClubInvitationSerializer), tags=TAGS
    )
    def get(self, request: Request, slug: str) -> Response:
        asked = query_of(Paged, request)
        rows = rosters.office(kept(request, slug).club).invitations
        return slice_of(rows, name="invitations", asked=asked, told=lambda found: [_invitation(one) for one in found])

    @extend_schema(
        operation_id="club_invite", request=ClubInvitationBody, responses={201: ClubInvitationSerializer}, tags=TAGS
    )
    def post(self, request: Request, slug: str) -> Response:
        said = body_of(ClubInvitationBody, request)
        club = kept(request, slug).club
        if said["email"]:
            limits.spend(request._request, "invitation")
        made = clubs.invitation_make(
            club=club, by=who(request), days=said["days"], most_uses=said["uses"], email=said["email"]
        )
        link = request.build_absolute_uri(reverse("club-invitation", args=[made.token]))
        sent = clubs.invitation_send(invitation=made, link=link)
        return Response({**_invitation(made), "sent": sent}, status=201)


class OneInvitation(ApiView):
    """Take an invitation back; who joined by it stays."""

    access = {"DELETE": member("club")}

    @extend_schema(operation_id="club_revoke", responses={204: None}, tags=TAGS)
    def delete(self, request: Request, slug: str, invitation_id: int) -> Response:
        club = visited(request, slug).club
        if not club.invitations.filter(pk=row_number(invitation_id)).exists():
            raise Refused("invitation_gone")
        clubs.invitation_revoke(invitation_id=invitation_id, by=who(request))
        return Response(status=204)


class TakeBody(Body):
    invitation = serializers.CharField(max_length=32, help_text="The last part of its link.")


class TakeInvitation(ApiView):
    """Join a club by an invitation."""

    access = {"POST": member("club")}

    @extend_schema(operation_id="invitation_take", request=TakeBody, responses=ClubSerializer, tags=TAGS)
    def post(self, request: Request) -> Response:
        token = body_of(TakeBody, request)["invitation"]
        row = clubs.invitation_take(token=token, user=who(request))
        return Response(told_of(request, Club.objects.get(pk=row.club_id)))
