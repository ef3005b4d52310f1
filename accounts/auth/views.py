"""The pages to sign in and up, of e-mail addresses and of password resets: allauth's, usable by guests."""

from __future__ import annotations

from typing import Any

from allauth.account import views as allauth_views
from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect

from accounts.auth.enumeration import constant_time
from accounts.clubs import services as clubs
from accounts.models import User
from accounts.web.limits import too_many_requests
from accounts.web.policy import member, public
from accounts.web.redirects import return_url

LOCKOUT_SECONDS = 600  # wrong attempts are counted for so long (settings.ACCOUNT_RATE_LIMITS)


class GuestsAllowedMixin:
    """Lets guests sign in and up; allauth redirects everybody who is signed in, here only members."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and not request.user.is_guest:
            return HttpResponseRedirect(return_url(request))
        return super().dispatch(request, *args, **kwargs)  # type: ignore[misc]


class LoginView(GuestsAllowedMixin, allauth_views.LoginView):
    """Sign in by username or e-mail."""

    def form_valid(self, form: Any) -> HttpResponse:
        self.request.signed_in = True  # success is not delayed (accounts.auth.enumeration)
        return super().form_valid(form)

    def form_invalid(self, form: Any) -> HttpResponse:
        """Answer wrong credentials; too many wrong attempts have a status of their own."""
        if form.has_error("__all__", "too_many_login_attempts"):
            return too_many_requests(self.request, LOCKOUT_SECONDS)
        return super().form_invalid(form)


class SignupView(GuestsAllowedMixin, allauth_views.SignupView):
    """Sign up: a new member, or a guest who becomes one with all their games."""

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            with transaction.atomic():
                response: HttpResponse = super().form_valid(form)
                if self.user is not None:
                    clubs.member_set_up(user=self.user)
        except IntegrityError:  # the name was taken between the check and the write
            form.add_error("username", User._meta.get_field("username").error_messages["unique"])
            return self.form_invalid(form)
        return response


class EmailView(allauth_views.EmailView):
    """The user's e-mail addresses. Only a confirmed one can be primary; no answer tells that another account has it."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            with transaction.atomic():
                response: HttpResponse = super().post(request, *args, **kwargs)
        except IntegrityError:  # another account has the address
            return self._refuse_unconfirmed(request)
        return response

    def _action_primary(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse | None:
        address = self._get_email_address(request)
        if address is None or not address.verified:
            return self._refuse_unconfirmed(request)
        response: HttpResponse | None = super()._action_primary(request, *args, **kwargs)
        return response

    def _refuse_unconfirmed(self, request: HttpRequest) -> HttpResponse:
        get_adapter().add_message(request, messages.ERROR, "account/messages/unverified_primary_email.txt")
        return redirect("account_email")


email = member(constant_time(EmailView.as_view()))
login = public(constant_time(LoginView.as_view()))
signup = public(constant_time(SignupView.as_view()))
password_reset = public(constant_time(allauth_views.password_reset))
