"""Web Push on this device: the service worker, a browser's subscription, and the list of a user's devices."""

from __future__ import annotations

import json
from typing import Any

from allauth.core.internal import ratelimit
from celery import current_app
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse, RawPostDataException
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.web.policy import current_user, member, public
from notifications.errors import Refused
from notifications.models import PushDevice
from notifications.selectors.push import devices_of
from notifications.services import devices

WORKER = settings.BASE_DIR / "static" / "js" / "notifications" / "worker.js"
OFTEN = {"push_device": "30/h/user", "push_try": "20/h/user"}
LONGEST = 8 * 1024  # bytes of the subscription that a browser sends


def card(request: HttpRequest, *, result: str = "") -> dict[str, Any]:
    """The context of the card "On this device"; `result` is that of the last action."""
    user = current_user(request)
    return {
        "devices": devices_of(user) if not user.is_guest else [],
        "club_key": devices.vapid_key().public,
        "here": request.session.get(devices.SESSION),
        "result": result,
        "user": user,
    }


@public
@require_GET
@cache_control(no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """Serve the service worker under an address whose scope is the whole site."""
    return HttpResponse(WORKER.read_bytes(), content_type="text/javascript; charset=utf-8")


@never_cache
@member
@require_GET
def key(request: HttpRequest) -> HttpResponse:
    """What the service worker needs to renew a subscription when no page is open: our key, and a token for its form."""
    return JsonResponse({"key": devices.vapid_key().public, "token": get_token(request)})


@member
@require_POST
def device_add(request: HttpRequest) -> HttpResponse:
    """Save a browser's subscription, new or renewed. Answers with the card, or with the refusal (422)."""
    try:
        subscription = _subscription(request)
        _not_too_often(request, "push_device")
        device = devices.device_add(user=current_user(request), language=get_language() or "", **subscription)
    except Refused as refused:
        return HttpResponse(refused.text, status=422, content_type="text/plain; charset=utf-8")
    request.session[devices.SESSION] = device.pk
    return render(request, "notifications/_push.html", card(request))


@member
@require_POST
def device_remove(request: HttpRequest, device_id: int) -> HttpResponse:
    """Forget one of my devices."""
    devices.device_remove(user=current_user(request), device_id=device_id)
    return _back(request)


@member
@require_POST
def device_try(request: HttpRequest, device_id: int) -> HttpResponse:
    """Send a test message to one of the user's devices."""
    device = get_object_or_404(PushDevice, pk=device_id, user=current_user(request))
    try:
        _not_too_often(request, "push_try")
    except Refused as refused:
        return _back(request, result=refused.text)
    current_app.send_task("notifications.tasks.device_try", args=[device.pk], expires=60, ignore_result=True)
    return _back(request, result="sent")


def _back(request: HttpRequest, *, result: str = "") -> HttpResponse:
    """Return the card for a page with scripts, the whole page without."""
    if request.headers.get("HX-Request"):
        return render(request, "notifications/_push.html", card(request, result=result))
    return redirect("notice-settings")


def _subscription(request: HttpRequest) -> dict[str, str]:
    """Read a browser's subscription (PushSubscription.toJSON) as texts. Raises Refused `push_address`."""
    try:
        if len(request.body) > LONGEST:
            raise ValueError("too long")
        posted = json.loads(request.body)
        keys = posted["keys"]
        subscription = {
            "endpoint": posted["endpoint"],
            "receiver": keys["p256dh"],
            "auth": keys["auth"],
            "name": posted.get("name") or "",
            "was": posted.get("was") or "",
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, RawPostDataException) as error:
        raise Refused("push_address") from error
    if not all(isinstance(each, str) for each in subscription.values()):
        raise Refused("push_address")
    return subscription


def _not_too_often(request: HttpRequest, action: str) -> None:
    if not ratelimit.consume(request, app="notices", action=action, config=OFTEN, user=current_user(request)):
        raise Refused("push_often")
