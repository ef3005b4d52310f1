"""The list of notifications, and the notification settings."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.web.policy import current_user, member, player
from notifications import services
from notifications.errors import Refused
from notifications.forms import PreferencesForm
from notifications.selectors import notifications as selectors
from notifications.unsubscribe import mail_address_of


@never_cache
@player
@require_safe
def listed(request: HttpRequest) -> HttpResponse:
    """Show the user's notifications: unread first."""
    page = selectors.notifications_page(user=current_user(request), page=request.GET.get("page"))
    return render(
        request, "notifications/list.html", {"page": page, "rows": selectors.notification_rows(page.object_list)}
    )


@player
@require_POST
def notification_open(request: HttpRequest, notice_id: int) -> HttpResponse:
    """Mark a notification as read and go where it leads."""
    notification = services.notification_read(user_id=current_user(request).pk, notification_id=notice_id)
    return redirect(notification.url if notification else "notices")


@player
@require_POST
def all_read(request: HttpRequest) -> HttpResponse:
    """I have seen them all."""
    services.notifications_read(user_id=current_user(request).pk)
    return redirect("notices")


@player
@require_POST
def read_here(request: HttpRequest) -> HttpResponse:
    """I am looking at this page: what leads to it is read."""
    services.notifications_read(user_id=current_user(request).pk, url=request.POST.get("path", "")[:200])
    return HttpResponse(status=204)


@never_cache
@member
@require_http_methods(["GET", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Show and save the notification settings."""
    user = current_user(request)
    stored = services.preferences_of(user)
    form = PreferencesForm(request.POST or None, preferences=stored)
    if request.method == "POST" and form.is_valid():
        try:
            services.preferences_save(user=user, **form.chosen())
        except Refused as refused:
            form.add_error(None, refused.text)
        else:
            messages.success(request, _("Settings saved."))
            return redirect("notice-settings")
    about: dict[str, Any] = {"form": form, "preferences": stored, "address": mail_address_of(user)}
    return render(request, "notifications/settings.html", about, status=422 if form.errors else 200)
