"""Join requests and invitations of clubs, for owners and for those who join."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import member
from accounts.api.bodies import Body, Paged, body_of, query_of, valid_pk
from accounts.api.clubs import ClubSerializer, club_access, managed_club, serialize_club
from accounts.api.pagination import paginate_list, paginate_queryset
from accounts.api.schema import page_serializer
from accounts.api.users import PersonSerializer, serialize_person
from accounts.api.views import ApiView, current_user
from accounts.clubs import selectors as club_selectors
from accounts.clubs import services as clubs
from accounts.errors import Refused
from accounts.models import Club, Invitation, JoinRequest
from accounts.web import limits

TAGS = ["clubs"]


class AskBody(Body):
    text = serializers.CharField(max_length=200, allow_blank=True, required=False, default="")


class RequestSerializer(serializers.Serializer[Any]):
    """A join request."""

    id = serializers.IntegerField()
    person = PersonSerializer()
    text = serializers.CharField(allow_blank=True)
    asked_at = serializers.DateTimeField()


def _serialize_request(row: JoinRequest) -> dict[str, Any]:
    return {"id": row.pk, "person": serialize_person(row.user), "text": row.text, "asked_at": row.asked_at}


class JoinRequests(ApiView):
    """The join requests of a club, for its owners; and sending one."""

    access = {"GET": member("club", "read"), "POST": member("club")}

    @extend_schema(
        operation_id="club_requests", parameters=[Paged], responses=page_serializer(RequestSerializer), tags=TAGS
    )
    def get(self, request: Request, slug: str) -> Response:
        page = query_of(Paged, request)
        rows = managed_club(request, slug).club.requests.filter(accepted=None).select_related("user")
        return paginate_queryset(
            rows, by=("asked_at", "pk"), query=page, serialize=lambda found: [_serialize_request(row) for row in found]
        )

    @extend_schema(operation_id="club_ask", request=AskBody, responses={201: RequestSerializer}, tags=TAGS)
    def post(self, request: Request, slug: str) -> Response:
        text = body_of(AskBody, request)["text"]
        row = clubs.join_request_create(club=club_access(request, slug).club, user=current_user(request), text=text)
        return Response(_serialize_request(row), status=201)


class RequestAnswerBody(Body):
    accepted = serializers.BooleanField()


class JoinRequestDetail(ApiView):
    """Accept or decline a join request."""

    access = {"POST": member("club")}

    @extend_schema(operation_id="club_answer", request=RequestAnswerBody, responses={204: None}, tags=TAGS)
    def post(self, request: Request, slug: str, request_id: int) -> Response:
        body = body_of(RequestAnswerBody, request)
        club = club_access(request, slug).club
        if not club.requests.filter(pk=valid_pk(request_id)).exists():
            raise Refused("club_no_request")
        clubs.join_request_answer(request_id=request_id, by=current_user(request), accepted=body["accepted"])
        return Response(status=204)


# Invitations


class ClubInvitationBody(Body):
    """An invitation, valid for some `days` and so many people (`uses`; null: any number). `email`: send it there."""

    days = serializers.IntegerField(min_value=1, max_value=clubs.MAX_DAYS, default=7)
    uses = serializers.IntegerField(min_value=1, max_value=clubs.MAX_USES, default=1, allow_null=True)
    email = serializers.EmailField(max_length=254, required=False, allow_blank=True, default="")


class ClubInvitationSerializer(serializers.Serializer[Any]):
    """A valid invitation. `path` is that of its link: whoever has it can join."""

    id = serializers.IntegerField()
    path = serializers.CharField()
    made_by = serializers.CharField()
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    most_uses = serializers.IntegerField(allow_null=True)
    uses = serializers.IntegerField()
    sent = serializers.BooleanField(
        required=False, help_text="Whether it was sent; only in the answer to its creation."
    )


def _serialize_invitation(invitation: Invitation) -> dict[str, Any]:
    return {
        "id": invitation.pk,
        "path": reverse("club-invitation", args=[invitation.token]),
        "made_by": invitation.made_by.username,
        "made_at": invitation.made_at,
        "expires_at": invitation.expires_at,
        "most_uses": invitation.most_uses,
        "uses": invitation.uses,
    }


class Invitations(ApiView):
    """The valid invitations of a club, for its owners; and creating one."""

    access = {"GET": member("club", "read"), "POST": member("club")}

    @extend_schema(
        operation_id="club_invitations",
        parameters=[Paged],
        responses=page_serializer(ClubInvitationSerializer),
        tags=TAGS,
    )
    def get(self, request: Request, slug: str) -> Response:
        page = query_of(Paged, request)
        rows = club_selectors.club_management(managed_club(request, slug).club).invitations
        return paginate_list(
            rows,
            name="invitations",
            query=page,
            serialize=lambda found: [_serialize_invitation(invitation) for invitation in found],
        )

    @extend_schema(
        operation_id="club_invite", request=ClubInvitationBody, responses={201: ClubInvitationSerializer}, tags=TAGS
    )
    def post(self, request: Request, slug: str) -> Response:
        body = body_of(ClubInvitationBody, request)
        club = managed_club(request, slug).club
        if body["email"]:
            limits.count_action(request._request, "invitation")
        invitation = clubs.invitation_create(
            club=club, by=current_user(request), days=body["days"], most_uses=body["uses"], email=body["email"]
        )
        link = request.build_absolute_uri(reverse("club-invitation", args=[invitation.token]))
        sent = clubs.invitation_send(invitation=invitation, link=link)
        return Response({**_serialize_invitation(invitation), "sent": sent}, status=201)


class InvitationDetail(ApiView):
    """Revoke an invitation; whoever joined with it stays."""

    access = {"DELETE": member("club")}

    @extend_schema(operation_id="club_revoke", responses={204: None}, tags=TAGS)
    def delete(self, request: Request, slug: str, invitation_id: int) -> Response:
        club = club_access(request, slug).club
        if not club.invitations.filter(pk=valid_pk(invitation_id)).exists():
            raise Refused("invitation_gone")
        clubs.invitation_revoke(invitation_id=invitation_id, by=current_user(request))
        return Response(status=204)


class TakeBody(Body):
    invitation = serializers.CharField(max_length=32, help_text="The last part of its link.")


class AcceptInvitation(ApiView):
    """Join a club by an invitation."""

    access = {"POST": member("club")}

    @extend_schema(operation_id="invitation_take", request=TakeBody, responses=ClubSerializer, tags=TAGS)
    def post(self, request: Request) -> Response:
        token = body_of(TakeBody, request)["invitation"]
        row = clubs.invitation_accept(token=token, user=current_user(request))
        return Response(serialize_club(request, Club.objects.get(pk=row.club_id)))
