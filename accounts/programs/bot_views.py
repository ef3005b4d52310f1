"""The page of a member's bots: create one, renew its token, retire it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.auth import one_time_secret
from accounts.errors import Refused
from accounts.models import User
from accounts.programs import selectors as program_selectors
from accounts.programs import services as programs
from accounts.web.policy import current_user, member


def _page(request: HttpRequest, status: int = 200, **extra: object) -> HttpResponse:
    context = {"bots": program_selectors.bots_of(current_user(request)), "most": programs.MAX_BOTS, **extra}
    return render(request, "accounts/bots.html", context, status=status)


@never_cache
@member
@require_http_methods(["GET", "POST"])
def bots(request: HttpRequest) -> HttpResponse:
    """List and create bots; a new token is shown once."""
    if request.method != "POST":
        if (new := one_time_secret.pop(request.session, kind="bot")) is None:
            return _page(request)
        return _page(
            request, shown=program_selectors.bots_of(current_user(request)).filter(pk=new[0]).first(), token=new[1]
        )
    name = request.POST.get("name", "")[:100]
    try:
        bot, token = programs.bot_create(owner=current_user(request), name=name)
    except Refused as refused:
        return _page(request, status=422, refused=refused.text, name=name)
    return _stash_and_redirect(request, bot, token)


@never_cache
@member
@require_POST
def bot_token(request: HttpRequest, bot_id: int) -> HttpResponse:
    """Renew a bot's token; it is shown on the page of the redirect."""
    bot = _own_bot_or_404(request, bot_id)
    return _stash_and_redirect(request, bot, programs.bot_token_renew(bot=bot))


@member
@require_POST
def bot_retire(request: HttpRequest, bot_id: int) -> HttpResponse:
    """Retire a bot."""
    bot = _own_bot_or_404(request, bot_id)
    programs.bot_retire(bot=bot)
    messages.success(request, _("%(name)s has been retired.") % {"name": bot.username})
    return redirect("bots")


def _stash_and_redirect(request: HttpRequest, bot: User, token: str) -> HttpResponse:
    one_time_secret.stash(request.session, kind="bot", pk=bot.pk, secret=token)
    return redirect("bots")


def _own_bot_or_404(request: HttpRequest, bot_id: int) -> User:
    return get_object_or_404(program_selectors.bots_of(current_user(request)), pk=bot_id)
