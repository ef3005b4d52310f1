"""The webhooks of a member, over the API."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import member
from accounts.api.bodies import Body, Paged, Query, body_of, query_of, valid_pk
from accounts.api.pagination import paginate_queryset
from accounts.api.schema import page_serializer
from accounts.api.views import ApiView, current_user
from accounts.programs.scopes import HOOKS
from accounts.web import api_rates
from eventlog import services
from eventlog.kinds import KINDS, MOST_SUBJECTS, PING, SUBJECT
from eventlog.models import Delivery, Webhook
from eventlog.selectors.webhooks import deliveries_of, webhook_of, webhooks_of
from eventlog.services.webhooks import LONGEST_NAME

READ = member(HOOKS, kind=api_rates.READ)
WRITE = member(HOOKS)


class WebhookSerializer(serializers.Serializer[Any]):
    """A webhook. `secret` is there once: when it was made or renewed."""

    id = serializers.IntegerField()
    url = serializers.CharField()
    name = serializers.CharField(allow_blank=True)
    kinds = serializers.ListField(child=serializers.ChoiceField(choices=KINDS), help_text="All when empty.")
    subjects = serializers.ListField(child=serializers.CharField())
    active = serializers.BooleanField()
    made_at = serializers.DateTimeField()
    failing_since = serializers.DateTimeField(allow_null=True)
    gave_up_at = serializers.DateTimeField(allow_null=True)
    waiting = serializers.IntegerField(help_text="How many deliveries wait to be sent.")
    secret = serializers.CharField(required=False)


class DeliverySerializer(serializers.Serializer[Any]):
    """One event on its way to a webhook. `status` is the last answer, 0 and `why` where none came."""

    id = serializers.IntegerField()
    event = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=(*KINDS, PING))
    made_at = serializers.DateTimeField()
    tries = serializers.IntegerField()
    tried_at = serializers.DateTimeField(allow_null=True)
    next_at = serializers.DateTimeField(allow_null=True)
    status = serializers.IntegerField()
    why = serializers.CharField(allow_blank=True)
    taken = serializers.BooleanField()


def _kinds(**more: Any) -> serializers.ListField:
    return serializers.ListField(
        child=serializers.ChoiceField(choices=KINDS), required=False, max_length=len(KINDS), **more
    )


def _subjects(**more: Any) -> serializers.ListField:
    subject = serializers.RegexField(rf"^{SUBJECT.pattern}$", max_length=40)
    return serializers.ListField(child=subject, required=False, max_length=MOST_SUBJECTS, **more)


class WebhookBody(Body):
    """A webhook to be made."""

    url = serializers.CharField(min_length=1, max_length=2000, help_text="An https address with a public name.")
    name = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_NAME)
    kinds = _kinds(help_text="The kinds of events that it receives; all if empty.")
    subjects = _subjects(help_text="What it receives besides what concerns its owner.")


class WebhookChange(Body):
    """What is to be changed of a webhook."""

    url = serializers.CharField(required=False, min_length=1, max_length=2000)
    name = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_NAME)
    kinds = _kinds()
    subjects = _subjects()
    active = serializers.BooleanField(required=False)


class Nothing(Body):
    """An empty object."""


class Webhooks(ApiView):
    """My webhooks: addresses to which events are sent as they happen (docs/streams.md)."""

    access: ClassVar = {"GET": READ, "POST": WRITE}

    @extend_schema(
        operation_id="hooks", parameters=[Paged], responses=page_serializer(WebhookSerializer), tags=["hooks"]
    )
    def get(self, request: Request) -> Response:
        query = query_of(Paged, request)
        return paginate_queryset(
            webhooks_of(current_user(request)),
            by=("pk",),
            query=query,
            serialize=lambda rows: [serialize_webhook(hook) for hook in rows],
        )

    @extend_schema(operation_id="hook_make", request=WebhookBody, responses={201: WebhookSerializer}, tags=["hooks"])
    def post(self, request: Request) -> Response:
        """Make a webhook. Its secret is in this answer, and nowhere later."""
        posted = body_of(WebhookBody, request)
        hook = services.webhook_add(user=current_user(request), **posted)
        return Response(serialize_webhook(hook, secret=True), status=201)


class WebhookDetail(ApiView):
    """One of my webhooks."""

    access: ClassVar = {"GET": READ, "PATCH": WRITE, "DELETE": WRITE}

    @extend_schema(operation_id="hook", responses=WebhookSerializer, tags=["hooks"])
    def get(self, request: Request, hook_id: int) -> Response:
        query_of(Query, request)
        return Response(serialize_webhook(webhook_of(current_user(request), valid_pk(hook_id))))

    @extend_schema(operation_id="hook_change", request=WebhookChange, responses=WebhookSerializer, tags=["hooks"])
    def patch(self, request: Request, hook_id: int) -> Response:
        """Change the given fields. A webhook that is switched on starts anew: events of the meantime are not sent."""
        posted = body_of(WebhookChange, request)
        services.webhook_change(user=current_user(request), hook_id=valid_pk(hook_id), **posted)
        return Response(serialize_webhook(webhook_of(current_user(request), hook_id)))

    @extend_schema(operation_id="hook_remove", request=None, responses={204: None}, tags=["hooks"])
    def delete(self, request: Request, hook_id: int) -> Response:
        """Forget it, and what was sent to it."""
        services.webhook_remove(user=current_user(request), hook_id=valid_pk(hook_id))
        return Response(status=204)


class WebhookSecret(ApiView):
    """Another secret for one of my webhooks: what is sent from now on is signed with it alone."""

    access: ClassVar = {"POST": WRITE}

    @extend_schema(operation_id="hook_secret_renew", request=Nothing, responses=WebhookSerializer, tags=["hooks"])
    def post(self, request: Request, hook_id: int) -> Response:
        body_of(Nothing, request)
        hook = services.webhook_secret_renew(user=current_user(request), hook_id=valid_pk(hook_id))
        return Response(serialize_webhook(hook, secret=True))


class WebhookPing(ApiView):
    """A `ping` to one of my webhooks, to see that it arrives."""

    access: ClassVar = {"POST": WRITE}

    @extend_schema(operation_id="hook_try", request=Nothing, responses={202: DeliverySerializer}, tags=["hooks"])
    def post(self, request: Request, hook_id: int) -> Response:
        body_of(Nothing, request)
        delivery = services.webhook_ping(user=current_user(request), hook_id=valid_pk(hook_id))
        return Response(serialize_delivery(delivery), status=202)


class Deliveries(ApiView):
    """What was sent to one of my webhooks in the last week, the last first."""

    access: ClassVar = {"GET": READ}

    @extend_schema(
        operation_id="hook_deliveries",
        parameters=[Paged],
        responses=page_serializer(DeliverySerializer),
        tags=["hooks"],
    )
    def get(self, request: Request, hook_id: int) -> Response:
        query = query_of(Paged, request)
        rows = deliveries_of(webhook_of(current_user(request), valid_pk(hook_id)))
        return paginate_queryset(
            rows, by=("-pk",), query=query, serialize=lambda found: [serialize_delivery(delivery) for delivery in found]
        )


class DeliveryRepeat(ApiView):
    """Send something once more, whatever became of it."""

    access: ClassVar = {"POST": WRITE}

    @extend_schema(operation_id="hook_redeliver", request=Nothing, responses={202: DeliverySerializer}, tags=["hooks"])
    def post(self, request: Request, hook_id: int, delivery_id: int) -> Response:
        body_of(Nothing, request)
        hook = webhook_of(current_user(request), valid_pk(hook_id))
        delivery = services.delivery_repeat(
            user=current_user(request), hook_id=hook.pk, delivery_id=valid_pk(delivery_id)
        )
        return Response(serialize_delivery(delivery), status=202)


def serialize_webhook(hook: Webhook, *, secret: bool = False) -> dict[str, Any]:
    """Return a webhook as JSON; with its secret when it has just been created."""
    answer = {
        "id": hook.pk,
        "url": hook.url,
        "name": hook.name,
        "kinds": hook.kinds,
        "subjects": hook.subjects,
        "active": hook.active,
        "made_at": _at(hook.made_at),
        "failing_since": _at(hook.failing_since),
        "gave_up_at": _at(hook.gave_up_at),
        "waiting": getattr(hook, "waiting", 0),
    }
    return {**answer, "secret": hook.secret} if secret else answer


def serialize_delivery(delivery: Delivery) -> dict[str, Any]:
    """Return a delivery as JSON."""
    return {
        "id": delivery.pk,
        "event": delivery.event_id,
        "kind": delivery.event.kind,
        "made_at": _at(delivery.made_at),
        "tries": delivery.tries,
        "tried_at": _at(delivery.tried_at),
        "next_at": _at(delivery.due_at),
        "status": delivery.status,
        "why": delivery.why,
        "taken": delivery.taken,
    }


def _at(moment: Any) -> str | None:
    return moment.isoformat() if moment is not None else None
