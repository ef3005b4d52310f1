"""Who may see a page. Every view of ours says it in one word above its name; a test walks all addresses for it.

    @public   anybody
    @player   anybody with a seat here: members and guests; others are sent to the log-in
    @member   members only; guests are sent to the sign-up, which keeps their games
    @staff    those who look after the site; everybody else is refused

A view that only writes also says `@require_POST`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.second import acts_as_staff, waits_for_second_step

View = Callable[..., HttpResponseBase]


def who(request: HttpRequest) -> User:
    """The player behind a request that `@player` or `@member` let in."""
    return cast(User, request.user)


def public(view: View) -> View:
    """Anybody may come in."""
    view.policy = "public"  # type: ignore[attr-defined]
    return view


def player(view: View) -> View:
    """Members and guests; others log in first and come back."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(_way_back(request))
        return view(request, *args, **kwargs)

    guarded.policy = "player"  # type: ignore[attr-defined]
    return guarded


def member(view: View) -> View:
    """Members only; guests sign up first, others log in."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(_way_back(request))
        if request.user.is_guest:
            return to_sign_up(request)
        return view(request, *args, **kwargs)

    guarded.policy = "member"  # type: ignore[attr-defined]
    return guarded


def staff(view: View) -> View:
    """Those who look after the site, with a second step at their log-in; a passer-by logs in first."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(_way_back(request))
        if waits_for_second_step(request.user):
            messages.info(request, _("Who looks after the site has a second step at the log-in. Set one up first."))
            return redirect("mfa_index")
        if not acts_as_staff(request.user):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    guarded.policy = "staff"  # type: ignore[attr-defined]
    return guarded


def to_sign_up(request: HttpRequest) -> HttpResponseBase:
    """A guest who asked for what members have, on his way to become one, and back."""
    messages.info(request, _("That is for members. Signing up takes a minute and keeps your games."))
    return redirect_to_login(_way_back(request), login_url=reverse("account_signup"))


def _way_back(request: HttpRequest) -> str:
    """Where to return after the log-in: the page asked for, or the lobby when a form was sent."""
    return request.get_full_path() if request.method == "GET" else reverse("lobby")
