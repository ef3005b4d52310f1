"""What one was told, over the API. Thin: parse, call, answer."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.bodies import row_number
from accounts.api.errors import Problem
from accounts.api.pages import page_of
from accounts.api.schema import page_answer
from accounts.api.views import ApiView, who
from games.api.common import shown
from notices import services
from notices.kinds import KINDS
from notices.models import Notice
from notices.selectors import notices as selectors


class NoticeSerializer(serializers.Serializer[Any]):
    """A notice, in the language that was asked for."""

    id = serializers.IntegerField(source="notice.pk")
    kind = serializers.CharField(source="notice.kind")
    heading = serializers.CharField()
    text = serializers.CharField()
    detail = serializers.CharField(allow_blank=True)
    url = serializers.CharField(source="notice.url", help_text="The path that it leads to.")
    at = serializers.DateTimeField(source="notice.at")
    read_at = serializers.DateTimeField(source="notice.read_at", allow_null=True)


class NoticesQuery(bodies.Paged):
    """All, or those that were not read."""

    unread = serializers.BooleanField(required=False, default=False, help_text="Those only that were not read.")


class CountSerializer(serializers.Serializer[Any]):
    """How many notices are now read that were not."""

    read = serializers.IntegerField()


class Notices(ApiView):
    """What I was told, the latest first."""

    access: ClassVar = {"GET": access.player("read")}

    @extend_schema(
        parameters=[NoticesQuery], responses=page_answer(NoticeSerializer), operation_id="notices", tags=["notices"]
    )
    def get(self, request: Request) -> Response:
        said = bodies.query_of(NoticesQuery, request)
        mine = Notice.objects.filter(user=who(request), shown=True, kind__in=list(KINDS))
        if said["unread"]:
            mine = mine.filter(read_at=None)
        return page_of(
            mine,
            by=("-at", "-pk"),
            asked=said,
            told=lambda found: shown(NoticeSerializer, selectors.rows(found)),
        )


class NoticesRead(ApiView):
    """I have seen them all."""

    access: ClassVar = {"POST": access.player("settings")}

    @extend_schema(request=None, responses=CountSerializer, operation_id="notices_read", tags=["notices"])
    def post(self, request: Request) -> Response:
        return Response({"read": services.notices_read(user_id=who(request).pk)})


class NoticeRead(ApiView):
    """I have seen one of mine."""

    access: ClassVar = {"POST": access.player("settings")}

    @extend_schema(request=None, responses=NoticeSerializer, operation_id="notice_read", tags=["notices"])
    def post(self, request: Request, notice_id: int) -> Response:
        notice = services.notice_read(user_id=who(request).pk, notice_id=row_number(notice_id))
        rows = selectors.rows([notice]) if notice is not None else []
        if notice is None or not rows:
            raise Problem("nothing_here", status=404)
        notice.refresh_from_db()
        return Response(NoticeSerializer(rows[0]).data)
