"""The pages of single sign-on: to the provider and back, the choice of a name, and the link in the settings."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from allauth.account.utils import get_next_redirect_url
from allauth.socialaccount.helpers import complete_social_login
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base import AuthProcess
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.auth import linked_accounts, mfa, sso
from accounts.auth.email_ownership import is_confirmed
from accounts.auth.enumeration import constant_time
from accounts.auth.forms import SsoSignupForm
from accounts.auth.views import SignupView
from accounts.errors import Refused
from accounts.web.limits import limited
from accounts.web.policy import View, current_user, member, public
from accounts.web.redirects import return_url

STATUSES = {"sso_unavailable": HTTPStatus.BAD_GATEWAY, "sso_refused": HTTPStatus.BAD_GATEWAY}
"""Of refusals for which the provider is the reason; others are the browser's."""


def needs_provider(view: View) -> View:
    """Hide a page while no provider is set: single sign-on is off."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not sso.provider_name():
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


def refusals_shown(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Show a page that says why a sign-in failed, where a view raises Refused."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except Refused as refused:
            context = {"refused": refused, "sso_name": sso.provider_name()}
            status = STATUSES.get(refused.code, HTTPStatus.BAD_REQUEST)
            return render(request, "account/sso_error.html", context, status=status)

    return shown


@needs_provider
@limited("sso")
@public
@require_POST
@refusals_shown
def sign_in(request: HttpRequest) -> HttpResponse:
    """Go to the provider to sign in, or sign up."""
    if request.user.is_authenticated and not request.user.is_guest:
        return redirect(return_url(request))
    return _leave(request, AuthProcess.LOGIN)


@needs_provider
@limited("sso")
@member
@require_POST
@mfa.reauthentication_required
@refusals_shown
def link(request: HttpRequest) -> HttpResponse:
    """Go to the provider to link an account there to one's own."""
    return _leave(request, AuthProcess.CONNECT)


def _leave(request: HttpRequest, process: AuthProcess) -> HttpResponse:
    """A page that goes on to the provider. The policy of the pages lets no form lead to another site, redirects
    included, and the provider may send the browser on to sites that nobody here knows."""
    target = sso.authorization_url(request, process=process, next_url=get_next_redirect_url(request))
    return render(request, "account/sso_leaving.html", {"target": target, "sso_name": sso.provider_name()})


@needs_provider
@never_cache
@public
@require_safe
@refusals_shown
def callback(request: HttpRequest) -> HttpResponseBase:
    """Come back from the provider: sign in, choose a name as a new member, or link the account."""
    login = sso.login_from_callback(request)
    if login.state["process"] == AuthProcess.CONNECT:
        return _link(request, login)
    response: HttpResponseBase = complete_social_login(request, login)
    return response


def _link(request: HttpRequest, login: SocialLogin) -> HttpResponse:
    identity = sso.identity_of(login)
    linked_accounts.account_link(user=current_user(request), subject=identity.subject, label=identity.label)
    messages.success(request, _("You can now sign in with %(name)s.") % {"name": sso.provider_name()})
    return redirect("security")


@needs_provider
@member
@require_POST
@mfa.reauthentication_required
def unlink(request: HttpRequest) -> HttpResponse:
    """Unlink the account at the provider."""
    try:
        linked_accounts.account_unlink(user=current_user(request), session_key=request.session.session_key)
    except Refused as refused:
        messages.error(request, refused.text)
    else:
        messages.success(request, _("You no longer sign in with %(name)s.") % {"name": sso.provider_name()})
    return redirect("security")


class SsoSignupView(SignupView):
    """Choose a name after the first sign-in at the provider: the sign-up of every member, without a password."""

    template_name = "account/sso_signup.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        pending = sso.pending_sign_up(request)
        if pending is None:
            return redirect("account_login")
        self.pending = pending
        return super().dispatch(request, *args, **kwargs)

    def get_form_class(self) -> type[SsoSignupForm]:
        return SsoSignupForm

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "identity": sso.identity_of(self.pending)}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        identity = sso.identity_of(self.pending)
        taken = identity.email if is_confirmed(identity.email) else ""
        return {**super().get_context_data(**kwargs), "taken_email": taken}

    def get_success_url(self) -> str | None:
        target: str | None = self.pending.get_redirect_url(self.request)
        return target

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            response = super().form_valid(form)
        except Refused as refused:
            form.add_error(None, refused.text)
            return self.form_invalid(form)
        if self.user is not None and not form.errors:
            self.request.session.pop(sso.PENDING_KEY, None)
        return response


sign_up = needs_provider(public(constant_time(SsoSignupView.as_view())))
