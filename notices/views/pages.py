"""What I was told, and how I wish to be told."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.policy import member, player, who
from notices import services
from notices.doors import address_of
from notices.errors import Refused
from notices.forms import WishesForm
from notices.selectors import notices as selectors


@never_cache
@player
@require_safe
def listed(request: HttpRequest) -> HttpResponse:
    """What I was told: the unread first."""
    page = selectors.listed(user=who(request), page=request.GET.get("page"))
    return render(request, "notices/list.html", {"page": page, "rows": selectors.rows(page.object_list)})


@player
@require_POST
def press(request: HttpRequest, notice_id: int) -> HttpResponse:
    """Go where a notice of mine leads: it is read."""
    notice = services.notice_read(user_id=who(request).pk, notice_id=notice_id)
    return redirect(notice.url if notice else "notices")


@player
@require_POST
def all_read(request: HttpRequest) -> HttpResponse:
    """I have seen them all."""
    services.notices_read(user_id=who(request).pk)
    return redirect("notices")


@player
@require_POST
def here(request: HttpRequest) -> HttpResponse:
    """I am looking at this page: what leads to it is read."""
    services.notices_read(user_id=who(request).pk, url=request.POST.get("path", "")[:200])
    return HttpResponse(status=204)


@never_cache
@member
@require_http_methods(["GET", "POST"])
def wishes(request: HttpRequest) -> HttpResponse:
    """How I wish to be told."""
    user = who(request)
    kept = services.wishes_of(user)
    form = WishesForm(request.POST or None, wishes=kept)
    if request.method == "POST" and form.is_valid():
        try:
            services.wishes_save(user=user, **form.chosen())
        except Refused as refused:
            form.add_error(None, refused.text)
        else:
            messages.success(request, _("Your settings are saved."))
            return redirect("notice-settings")
    about: dict[str, Any] = {"form": form, "wishes": kept, "address": address_of(user)}
    return render(request, "notices/settings.html", about, status=422 if form.errors else 200)
