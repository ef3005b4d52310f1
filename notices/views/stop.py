"""The way out of all mail, for which nobody has to log in: the link at the foot of every digest (RFC 8058)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.policy import public
from notices import services, words
from notices.doors import ALL, stopped_by
from notices.services import letters


@csrf_exempt  # mail programs post here by themselves; the token is all that counts, and it can do nothing else
@never_cache
@public
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """A GET shows what will stop and changes nothing: programs look at links. A POST stops it, without a redirect."""
    found = stopped_by(token)
    if found is None:
        return render(request, "notices/stop.html", {"unknown": True}, status=404)
    wishes, key = found
    kind = None if key == ALL else key
    if request.method == "POST":
        services.mail_stop(wishes=wishes, kind=kind)
    with translation.override(letters.language_of(wishes.user)):
        label = words.LABELS[kind] if kind else ""
        about = {"stopped": request.method == "POST", "label": label, "token": token}
        return render(request, "notices/stop.html", about)
