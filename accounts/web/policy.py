"""Access policies of views. Every view of ours has one as a decorator; a test walks all URLs for it.

    @public   anybody
    @player   members and guests; others are sent to sign-in
    @member   members only; guests are sent to sign-up, which keeps their games
    @staff    staff with two-factor authentication; everybody else is refused

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
from accounts.web.staff import acts_as_staff, must_set_up_mfa

View = Callable[..., HttpResponseBase]


def current_user(request: HttpRequest) -> User:
    """The user of a request that `@player`, `@member` or `@staff` let in."""
    return cast(User, request.user)


def declare_policy(view: View, policy: str) -> View:
    """Set the `policy` of a view, which the test of all URLs and the middleware read."""
    vars(view)["policy"] = policy
    return view


def public(view: View) -> View:
    """Let anybody in."""
    return declare_policy(view, "public")


def player(view: View) -> View:
    """Let members and guests in; others sign in first and come back."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(_return_url(request))
        return view(request, *args, **kwargs)

    return declare_policy(guarded, "player")


def member(view: View) -> View:
    """Let members in; guests sign up first, others sign in."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(_return_url(request))
        if request.user.is_guest:
            return redirect_to_signup(request)
        return view(request, *args, **kwargs)

    return declare_policy(guarded, "member")


def staff(view: View) -> View:
    """Let staff with two-factor authentication in; anonymous visitors sign in first."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(_return_url(request))
        if must_set_up_mfa(request.user):
            messages.info(request, _("Staff accounts need two-factor authentication. Set it up first."))
            return redirect("mfa_index")
        if not acts_as_staff(request.user):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return declare_policy(guarded, "staff")


def redirect_to_signup(request: HttpRequest) -> HttpResponseBase:
    """Send a guest to sign-up, and from there back to the page that needs an account."""
    messages.info(request, _("You need an account to do that. Signing up takes a minute and keeps your games."))
    return redirect_to_login(_return_url(request), login_url=reverse("account_signup"))


def _return_url(request: HttpRequest) -> str:
    """Where to return after sign-in: the requested page, or the lobby when a form was submitted."""
    return request.get_full_path() if request.method == "GET" else reverse("lobby")
