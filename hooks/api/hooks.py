"""The webhooks of a member, over the API."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import rates
from accounts.api.access import member
from accounts.api.bodies import Body, Paged, Query, body_of, query_of, row_number
from accounts.api.pages import page_of
from accounts.api.schema import page_answer
from accounts.api.views import ApiView, who
from accounts.scopes import HOOKS
from hooks import services
from hooks.kinds import KINDS, MOST_SUBJECTS, PING, SUBJECT
from hooks.models import Delivery, Hook
from hooks.selectors.hooks import deliveries_of, hook_of, hooks_of
from hooks.services.hooks import LONGEST_NAME

READ = member(HOOKS, kind=rates.READ)
WRITE = member(HOOKS)


class HookSerializer(serializers.Serializer[Any]):
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
    one = serializers.RegexField(rf"^{SUBJECT.pattern}$", max_length=40)
    return serializers.ListField(child=one, required=False, max_length=MOST_SUBJECTS, **more)


class HookBody(Body):
    """A webhook to be made."""

    url = serializers.CharField(min_length=1, max_length=2000, help_text="An https address with a public name.")
    name = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_NAME)
    kinds = _kinds(help_text="The kinds of events that it hears; all without.")
    subjects = _subjects(help_text="What it hears beside what concerns its owner.")


class HookChange(Body):
    """What is to be changed of a webhook."""

    url = serializers.CharField(required=False, min_length=1, max_length=2000)
    name = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_NAME)
    kinds = _kinds()
    subjects = _subjects()
    active = serializers.BooleanField(required=False)


class Nothing(Body):
    """An empty object."""


class Hooks(ApiView):
    """My webhooks: addresses to which events are sent as they happen (docs/streams.md)."""

    access: ClassVar = {"GET": READ, "POST": WRITE}

    @extend_schema(operation_id="hooks", parameters=[Paged], responses=page_answer(HookSerializer), tags=["hooks"])
    def get(self, request: Request) -> Response:
        asked = query_of(Paged, request)
        return page_of(
            hooks_of(who(request)), by=("pk",), asked=asked, told=lambda rows: [hook_told(one) for one in rows]
        )

    @extend_schema(operation_id="hook_make", request=HookBody, responses={201: HookSerializer}, tags=["hooks"])
    def post(self, request: Request) -> Response:
        """Make a webhook. Its secret is in this answer, and nowhere later."""
        said = body_of(HookBody, request)
        hook = services.hook_add(user=who(request), **said)
        return Response(hook_told(hook, secret=True), status=201)


class OneHook(ApiView):
    """One of my webhooks."""

    access: ClassVar = {"GET": READ, "PATCH": WRITE, "DELETE": WRITE}

    @extend_schema(operation_id="hook", responses=HookSerializer, tags=["hooks"])
    def get(self, request: Request, hook_id: int) -> Response:
        query_of(Query, request)
        return Response(hook_told(hook_of(who(request), row_number(hook_id))))

    @extend_schema(operation_id="hook_change", request=HookChange, responses=HookSerializer, tags=["hooks"])
    def patch(self, request: Request, hook_id: int) -> Response:
        """Change what is named. One that is switched on begins anew: what happened meanwhile is not sent."""
        said = body_of(HookChange, request)
        services.hook_change(user=who(request), hook_id=row_number(hook_id), **said)
        return Response(hook_told(hook_of(who(request), hook_id)))

    @extend_schema(operation_id="hook_remove", request=None, responses={204: None}, tags=["hooks"])
    def delete(self, request: Request, hook_id: int) -> Response:
        """Forget it, and what was sent to it."""
        services.hook_remove(user=who(request), hook_id=row_number(hook_id))
        return Response(status=204)


class HookSecret(ApiView):
    """Another secret for one of my webhooks: what is sent from now on is signed with it alone."""

    access: ClassVar = {"POST": WRITE}

    @extend_schema(operation_id="hook_secret_renew", request=Nothing, responses=HookSerializer, tags=["hooks"])
    def post(self, request: Request, hook_id: int) -> Response:
        body_of(Nothing, request)
        hook = services.hook_secret_renew(user=who(request), hook_id=row_number(hook_id))
        return Response(hook_told(hook, secret=True))


class HookPing(ApiView):
    """A `ping` to one of my webhooks, to see that it arrives."""

    access: ClassVar = {"POST": WRITE}

    @extend_schema(operation_id="hook_try", request=Nothing, responses={202: DeliverySerializer}, tags=["hooks"])
    def post(self, request: Request, hook_id: int) -> Response:
        body_of(Nothing, request)
        delivery = services.hook_try(user=who(request), hook_id=row_number(hook_id))
        return Response(delivery_told(delivery), status=202)


class Deliveries(ApiView):
    """What was sent to one of my webhooks in the last week, the last first."""

    access: ClassVar = {"GET": READ}

    @extend_schema(
        operation_id="hook_deliveries", parameters=[Paged], responses=page_answer(DeliverySerializer), tags=["hooks"]
    )
    def get(self, request: Request, hook_id: int) -> Response:
        asked = query_of(Paged, request)
        rows = deliveries_of(hook_of(who(request), row_number(hook_id)))
        return page_of(rows, by=("-pk",), asked=asked, told=lambda found: [delivery_told(one) for one in found])


class DeliveryAgain(ApiView):
    """Send something once more, whatever became of it."""

    access: ClassVar = {"POST": WRITE}

    @extend_schema(operation_id="hook_redeliver", request=Nothing, responses={202: DeliverySerializer}, tags=["hooks"])
    def post(self, request: Request, hook_id: int, delivery_id: int) -> Response:
        body_of(Nothing, request)
        hook = hook_of(who(request), row_number(hook_id))
        delivery = services.delivery_again(user=who(request), hook_id=hook.pk, delivery_id=row_number(delivery_id))
        return Response(delivery_told(delivery), status=202)


def hook_told(hook: Hook, *, secret: bool = False) -> dict[str, Any]:
    """A webhook as it is told; with its secret for who has just made it."""
    told = {
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
    return {**told, "secret": hook.secret} if secret else told


def delivery_told(one: Delivery) -> dict[str, Any]:
    """A delivery as it is told."""
    return {
        "id": one.pk,
        "event": one.event_id,
        "kind": one.event.kind,
        "made_at": _at(one.made_at),
        "tries": one.tries,
        "tried_at": _at(one.tried_at),
        "next_at": _at(one.due_at),
        "status": one.status,
        "why": one.why,
        "taken": one.taken,
    }


def _at(moment: Any) -> str | None:
    return moment.isoformat() if moment is not None else None
