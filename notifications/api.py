"""Notifications and notification settings over the API. Thin: parse, call, answer."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.bodies import valid_pk
from accounts.api.errors import Problem, register_statuses
from accounts.api.forms import form_data, serializer_field, validated_form
from accounts.api.pagination import paginate_queryset
from accounts.api.schema import page_serializer
from accounts.api.views import ApiView, check_if_match, current_user, etag_for, not_modified, with_etag
from accounts.models import User
from games.api.fields import choice, integer, serialize_many
from notifications import services
from notifications.forms import PreferencesForm
from notifications.kinds import CHANNELS, KINDS, is_wanted
from notifications.models import Notification, NotificationPreferences
from notifications.selectors import notifications as selectors

register_statuses(403, "notice_member")


class NotificationSerializer(serializers.Serializer[Any]):
    """A notification in the requested language."""

    id = serializers.IntegerField(source="notification.pk")
    kind = serializers.CharField(source="notification.kind")
    heading = serializers.CharField()
    text = serializers.CharField()
    detail = serializers.CharField(allow_blank=True)
    url = serializers.CharField(source="notification.url", help_text="The path that it leads to.")
    at = serializers.DateTimeField(source="notification.at")
    read_at = serializers.DateTimeField(source="notification.read_at", allow_null=True)


class NotificationsQuery(bodies.Paged):
    """All, or those that were not read."""

    unread = serializers.BooleanField(required=False, default=False, help_text="Those only that were not read.")


class CountSerializer(serializers.Serializer[Any]):
    """How many unread notifications were marked as read."""

    read = serializers.IntegerField()


class Notifications(ApiView):
    """The user's notifications, latest first."""

    access: ClassVar = {"GET": access.player("read")}

    @extend_schema(
        parameters=[NotificationsQuery],
        responses=page_serializer(NotificationSerializer),
        operation_id="notices",
        tags=["notices"],
    )
    def get(self, request: Request) -> Response:
        query = bodies.query_of(NotificationsQuery, request)
        notifications = Notification.objects.filter(user=current_user(request), shown=True, kind__in=list(KINDS))
        if query["unread"]:
            notifications = notifications.filter(read_at=None)
        return paginate_queryset(
            notifications,
            by=("-at", "-pk"),
            query=query,
            serialize=lambda found: serialize_many(NotificationSerializer, selectors.notification_rows(found)),
        )


class NotificationsRead(ApiView):
    """I have seen them all."""

    access: ClassVar = {"POST": access.player("settings")}

    @extend_schema(request=None, responses=CountSerializer, operation_id="notices_read", tags=["notices"])
    def post(self, request: Request) -> Response:
        return Response({"read": services.notifications_read(user_id=current_user(request).pk)})


class NotificationRead(ApiView):
    """I have seen one of mine."""

    access: ClassVar = {"POST": access.player("settings")}

    @extend_schema(request=None, responses=NotificationSerializer, operation_id="notice_read", tags=["notices"])
    def post(self, request: Request, notice_id: int) -> Response:
        notification = services.notification_read(user_id=current_user(request).pk, notification_id=valid_pk(notice_id))
        rows = selectors.notification_rows([notification]) if notification is not None else []
        if notification is None or not rows:
            raise Problem("nothing_here", status=404)
        notification.refresh_from_db()
        return Response(NotificationSerializer(rows[0]).data)


# Notification settings


class SwitchesBody(bodies.Body):
    """The channels of one kind of notification."""

    page = serializers.BooleanField(required=False)
    mail = serializers.BooleanField(required=False)
    push = serializers.BooleanField(required=False)


class SwitchesSerializer(serializers.Serializer[Any]):
    """Which channels a kind of notification uses."""

    page = serializers.BooleanField()
    mail = serializers.BooleanField()
    push = serializers.BooleanField()


_bodies = {key: SwitchesBody(required=False) for key in KINDS}
ChannelsBody = type("ChannelsBody", (bodies.Body,), {"__doc__": "Switches, by the kind of notification.", **_bodies})
_channel_fields = {key: SwitchesSerializer() for key in KINDS}
ChannelsSerializer = type(
    "ChannelsSerializer",
    (serializers.Serializer,),
    {"__doc__": "The channels of each kind of notification.", **_channel_fields},
)


class QuietBody(bodies.Body):
    """From when to when nothing goes out by mail or to devices, in one's time zone."""

    start = serializers.TimeField()
    end = serializers.TimeField()


class QuietSerializer(serializers.Serializer[Any]):
    start = serializers.CharField(help_text="`22:00:00`")
    end = serializers.CharField()


class NotificationPreferencesBody(bodies.Body):
    """What is to be another way; the rest stays."""

    digest = serializer_field(PreferencesForm, "digest")
    hour = integer("The hour at which the daily mail leaves.", most=23)
    quiet = QuietBody(required=False, allow_null=True, help_text="Null: none.")
    timezone = serializers.CharField(
        required=False, allow_blank=True, max_length=64, help_text="`Europe/Madrid`; nothing: that of the site."
    )
    channels = ChannelsBody(required=False)


class NotificationPreferencesSerializer(serializers.Serializer[Any]):
    """Notification settings."""

    digest = choice(NotificationPreferences.Digest)
    hour = serializers.IntegerField()
    quiet = QuietSerializer(allow_null=True)
    timezone = serializers.CharField(allow_blank=True)
    channels = ChannelsSerializer()


def _preferences(user: User) -> tuple[dict[str, Any], str]:
    preferences = services.preferences_of(user)
    start, end = preferences.quiet_from, preferences.quiet_to
    answer = {
        "digest": preferences.digest,
        "hour": preferences.hour,
        "quiet": {"start": start.isoformat(), "end": end.isoformat()} if start and end else None,
        "timezone": preferences.timezone,
        "channels": {
            key: {channel: is_wanted(preferences.channels, kind, channel) for channel in CHANNELS}
            for key, kind in KINDS.items()
        },
    }
    return answer, etag_for("notice-preferences", user.pk, answer)


class NotificationPreferencesView(ApiView):
    """The user's notification settings. With `If-Match` nothing changes that was changed meanwhile."""

    access: ClassVar = {"GET": access.member("read"), "PATCH": access.member("settings")}

    @extend_schema(responses=NotificationPreferencesSerializer, operation_id="notice_wishes", tags=["notices"])
    def get(self, request: Request) -> Response:
        bodies.query_of(bodies.Query, request)
        answer, tag = _preferences(current_user(request))
        return not_modified(request, tag) or with_etag(answer, tag)

    @extend_schema(
        request=NotificationPreferencesBody,
        responses=NotificationPreferencesSerializer,
        operation_id="notice_wishes_change",
        tags=["notices"],
    )
    def patch(self, request: Request) -> Response:
        posted = bodies.body_of(NotificationPreferencesBody, request)
        user = current_user(request)
        check_if_match(request, _preferences(user)[1])
        written: dict[str, Any] = {name: posted[name] for name in ("digest", "hour", "timezone") if name in posted}
        if "quiet" in posted:
            quiet = posted["quiet"] or {"start": None, "end": None}
            written |= {"quiet": posted["quiet"] is not None, "quiet_from": quiet["start"], "quiet_to": quiet["end"]}
        for key, channels in posted.get("channels", {}).items():
            written |= {f"{key}-{channel}": on for channel, on in channels.items()}
        preferences = services.preferences_of(user)
        form = validated_form(
            PreferencesForm(form_data(PreferencesForm(preferences=preferences), written), preferences=preferences)
        )
        services.preferences_save(user=user, **form.chosen())
        answer, tag = _preferences(User.objects.get(pk=user.pk))
        return with_etag(answer, tag)
