"""The page of a member's bots: bring one, give it a new token, retire it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import bots as services
from accounts import once
from accounts.errors import Refused
from accounts.models import User
from accounts.policy import member, who


def _page(request: HttpRequest, status: int = 200, **about: object) -> HttpResponse:
    context = {"bots": services.bots_of(who(request)), "most": services.MOST_BOTS, **about}
    return render(request, "accounts/bots.html", context, status=status)


@never_cache
@member
@require_http_methods(["GET", "POST"])
def bots(request: HttpRequest) -> HttpResponse:
    """My bots; a new one is shown with its token, this once."""
    if request.method != "POST":
        if (new := once.taken(request.session, kind="bot")) is None:
            return _page(request)
        return _page(request, shown=services.bots_of(who(request)).filter(pk=new[0]).first(), token=new[1])
    name = request.POST.get("name", "")[:100]
    try:
        bot, token = services.bot_make(owner=who(request), name=name)
    except Refused as refused:
        return _page(request, status=422, refused=refused.text, name=name)
    return _shown(request, bot, token)


@never_cache
@member
@require_POST
def bot_token(request: HttpRequest, bot_id: int) -> HttpResponse:
    """A new token for a bot of mine, shown on the page that this leads to."""
    bot = _mine(request, bot_id)
    return _shown(request, bot, services.token_renew(bot=bot))


@member
@require_POST
def bot_retire(request: HttpRequest, bot_id: int) -> HttpResponse:
    """Put a bot of mine out of service."""
    bot = _mine(request, bot_id)
    services.bot_retire(bot=bot)
    messages.success(request, _("%(name)s is retired.") % {"name": bot.username})
    return redirect("bots")


def _shown(request: HttpRequest, bot: User, token: str) -> HttpResponse:
    once.put_by(request.session, kind="bot", of=bot.pk, secret=token)
    return redirect("bots")


def _mine(request: HttpRequest, bot_id: int) -> User:
    return get_object_or_404(services.bots_of(who(request)), pk=bot_id)
