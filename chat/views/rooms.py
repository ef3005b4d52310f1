"""The chat of a match over HTTP, and the chat settings. Thin: parse, call one function, answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse, RawPostDataException
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.errors import Refused
from accounts.models import User
from accounts.relationships import selectors as relationship_selectors
from accounts.relationships import services as relationships
from accounts.web.policy import current_user, player, public
from chat import services
from chat.errors import NotFound
from chat.forms import ChatPreferencesForm
from chat.selectors.messages import chat_history
from chat.visibility import chat_viewer, preferences_of, visible_messages
from games.engine import Json
from games.errors import NotFound as NoMatch
from games.errors import Refused as BadFrame
from games.views.request import viewer

LONGEST_BODY = 4096  # bytes, as a frame of the socket


@public
@never_cache
@require_safe
def chat_messages(request: HttpRequest, match_id: str) -> HttpResponse:
    """Return the messages of a match that this reader may see: all, those `after` a message, or those `before` one."""
    user = viewer(request)
    after, before = _number(request, "after"), _number(request, "before")
    try:
        found = chat_history(match_id=match_id, user_id=user.pk if user else None, after=after or 0, before=before)
    except Refused as refused:
        return _refusal(refused)
    return JsonResponse({**found.frame(), "anew": not after and before is None})


@player
@require_POST
def message_post(request: HttpRequest, match_id: str) -> HttpResponse:
    """Post a message: the same body, service and answer as over the socket."""
    try:
        posted = _body(request)
        message = services.message_say(
            match_id=match_id,
            user_id=current_user(request).pk,
            client_id=posted.get("id", ""),
            text=posted.get("text", ""),
            phrase=posted.get("phrase", ""),
        )
    except Refused as refused:
        return _refusal(refused)
    return JsonResponse({"message": message.pk})


@player
@require_POST
def author_mute(request: HttpRequest, match_id: str) -> HttpResponse:
    """Mute the author of a visible message, or (`on` false) unmute them."""
    try:
        posted = _body(request)
        author = _author(match_id, current_user(request), posted.get("message"))
        if posted.get("on", True):
            relationships.relationship_create(by=current_user(request), about=author, kind=relationship_selectors.MUTE)
        else:
            relationships.relationship_delete(by=current_user(request), about=author, kind=relationship_selectors.MUTE)
    except Refused as refused:
        return _refusal(refused)
    return JsonResponse({"by": author.username, "on": bool(posted.get("on", True))})


@player
@require_POST
def preference_switch(request: HttpRequest) -> HttpResponse:
    """Change one switch of the panel: `hide_watchers` or `announce`."""
    try:
        posted = _body(request)
    except Refused as refused:
        return _refusal(refused)
    preferences = {name: posted[name] for name in ("hide_watchers", "announce") if isinstance(posted.get(name), bool)}
    services.preferences_set(user=current_user(request), **preferences)
    return JsonResponse(preferences)


@player
@require_http_methods(["GET", "HEAD", "POST"])
def chat_settings(request: HttpRequest) -> HttpResponse:
    """How a person wants to be talked to."""
    form = ChatPreferencesForm(
        request.POST if request.method == "POST" else None, instance=preferences_of(current_user(request))
    )
    if request.method == "POST" and form.is_valid():
        services.preferences_set(user=current_user(request), **form.cleaned_data)
        messages.success(request, _("Settings saved."))
        return redirect("talk-settings")
    return render(request, "chat/settings.html", {"form": form}, status=422 if request.method == "POST" else 200)


def _author(match_id: str, user: User, message_id: Any) -> User:
    """Return a message's author. A muted author is found too, or nobody could be unmuted. Raises NotFound."""
    if not isinstance(message_id, int):
        raise NotFound("no_message")
    viewer = chat_viewer(match_id=match_id, user_id=user.pk)
    message = (
        visible_messages(replace(viewer, muted_ids=relationship_selectors.separated_by_block(user.pk)))
        .filter(pk=message_id)
        .first()
    )
    if message is None or message.by is None:
        raise NotFound("no_message")
    return message.by


def _body(request: HttpRequest) -> Json:
    """The JSON object of a request. Raises Refused: bad_frame, too_large."""
    try:
        if len(request.body) > LONGEST_BODY:
            raise BadFrame("too_large")
        posted = orjson.loads(request.body or b"{}")
    except (orjson.JSONDecodeError, RawPostDataException) as error:  # the latter: it came as a form
        raise BadFrame("bad_frame") from error
    if not isinstance(posted, dict):
        raise BadFrame("bad_frame")
    return posted


def _number(request: HttpRequest, name: str) -> int | None:
    value = request.GET.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) <= 14 else None


def _refusal(refused: Refused) -> JsonResponse:
    """404 for what is not there, 400 for what could not be read, 409 for the rest."""
    code = 404 if isinstance(refused, NotFound | NoMatch) else 400 if refused.code in ("bad_frame", "bad_id") else 409
    return JsonResponse(refused.as_json(), status=code)
