"""What one was told, and how one wishes to be told, over the API. Thin: parse, call, answer."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.bodies import row_number
from accounts.api.errors import Problem, refused_with
from accounts.api.forms import field_of, filled, valid
from accounts.api.pages import page_of
from accounts.api.schema import page_answer
from accounts.api.views import ApiView, must_match, tag_of, tagged, unchanged, who
from accounts.models import User
from games.api.common import choice, shown, whole
from notices import services
from notices.forms import WishesForm
from notices.kinds import CHANNELS, KINDS, wanted
from notices.models import Notice, Wishes
from notices.selectors import notices as selectors

refused_with(403, "notice_member")


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


# How one wishes to be told


class SwitchesBody(bodies.Body):
    """The ways of one kind of notice."""

    page = serializers.BooleanField(required=False)
    mail = serializers.BooleanField(required=False)
    push = serializers.BooleanField(required=False)


class SwitchesSerializer(serializers.Serializer[Any]):
    """Which ways a kind of notice goes."""

    page = serializers.BooleanField()
    mail = serializers.BooleanField()
    push = serializers.BooleanField()


_bodies = {key: SwitchesBody(required=False) for key in KINDS}
ChannelsBody = type("ChannelsBody", (bodies.Body,), {"__doc__": "Switches, by the kind of notice.", **_bodies})
_told = {key: SwitchesSerializer() for key in KINDS}
ChannelsSerializer = type(
    "ChannelsSerializer", (serializers.Serializer,), {"__doc__": "Which ways each kind of notice goes.", **_told}
)


class QuietBody(bodies.Body):
    """From when to when nothing goes out by mail or to devices, in one's time zone."""

    start = serializers.TimeField()
    end = serializers.TimeField()


class QuietSerializer(serializers.Serializer[Any]):
    start = serializers.CharField(help_text="`22:00:00`")
    end = serializers.CharField()


class NoticeWishesBody(bodies.Body):
    """What is to be another way; the rest stays."""

    digest = field_of(WishesForm, "digest")
    hour = whole("The hour at which the daily mail leaves.", most=23)
    quiet = QuietBody(required=False, allow_null=True, help_text="Null: none.")
    timezone = serializers.CharField(
        required=False, allow_blank=True, max_length=64, help_text="`Europe/Madrid`; nothing: that of the site."
    )
    channels = ChannelsBody(required=False)


class NoticeWishesSerializer(serializers.Serializer[Any]):
    """How one wishes to be told."""

    digest = choice(Wishes.Digest)
    hour = serializers.IntegerField()
    quiet = QuietSerializer(allow_null=True)
    timezone = serializers.CharField(allow_blank=True)
    channels = ChannelsSerializer()


def _wishes(user: User) -> tuple[dict[str, Any], str]:
    kept = services.wishes_of(user)
    start, end = kept.quiet_from, kept.quiet_to
    told = {
        "digest": kept.digest,
        "hour": kept.hour,
        "quiet": {"start": start.isoformat(), "end": end.isoformat()} if start and end else None,
        "timezone": kept.timezone,
        "channels": {key: {way: wanted(kept.channels, kind, way) for way in CHANNELS} for key, kind in KINDS.items()},
    }
    return told, tag_of("notice-wishes", user.pk, told)


class NoticeWishes(ApiView):
    """How one wishes to be told. With `If-Match` nothing is changed that is no longer as it was seen."""

    access: ClassVar = {"GET": access.member("read"), "PATCH": access.member("settings")}

    @extend_schema(responses=NoticeWishesSerializer, operation_id="notice_wishes", tags=["notices"])
    def get(self, request: Request) -> Response:
        bodies.query_of(bodies.Query, request)
        told, tag = _wishes(who(request))
        return unchanged(request, tag) or tagged(told, tag)

    @extend_schema(
        request=NoticeWishesBody,
        responses=NoticeWishesSerializer,
        operation_id="notice_wishes_change",
        tags=["notices"],
    )
    def patch(self, request: Request) -> Response:
        said = bodies.body_of(NoticeWishesBody, request)
        user = who(request)
        must_match(request, _wishes(user)[1])
        written: dict[str, Any] = {name: said[name] for name in ("digest", "hour", "timezone") if name in said}
        if "quiet" in said:
            quiet = said["quiet"] or {"start": None, "end": None}
            written |= {"quiet": said["quiet"] is not None, "quiet_from": quiet["start"], "quiet_to": quiet["end"]}
        for key, ways in said.get("channels", {}).items():
            written |= {f"{key}-{way}": on for way, on in ways.items()}
        kept = services.wishes_of(user)
        form = valid(WishesForm(filled(WishesForm(wishes=kept), written), wishes=kept))
        services.wishes_save(user=user, **form.chosen())
        told, tag = _wishes(User.objects.get(pk=user.pk))
        return tagged(told, tag)
