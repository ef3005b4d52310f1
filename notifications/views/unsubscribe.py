"""The way out of all mail, for which nobody has to log in: the link at the foot of every digest (RFC 8058)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.web.policy import public
from notifications import sentences, services
from notifications.services import digests
from notifications.unsubscribe import ALL, read_unsubscribe_token


@csrf_exempt  # mail programs post here by themselves; the token is all that counts, and it can do nothing else
@never_cache
@public
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Show on GET what will be turned off, changing nothing because link scanners open links; turn it off on POST."""
    found = read_unsubscribe_token(token)
    if found is None:
        return render(request, "notifications/stop.html", {"unknown": True}, status=404)
    preferences, key = found
    kind = None if key == ALL else key
    if request.method == "POST":
        services.mail_unsubscribe(preferences=preferences, kind=kind)
    with translation.override(digests.language_of(preferences.user)):
        label = sentences.LABELS[kind] if kind else ""
        about = {"stopped": request.method == "POST", "label": label, "token": token}
        return render(request, "notifications/stop.html", about)
