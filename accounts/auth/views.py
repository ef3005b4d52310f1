"""The pages to sign in and up, of e-mail addresses and of password resets: allauth's, usable by guests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.account import views as allauth_views
from allauth.account.adapter import get_adapter
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal import auth as webauthn
from allauth.mfa.webauthn.internal import flows as passkeys
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.auth import sso
from accounts.auth.enumeration import constant_time
from accounts.auth.forms import MemberSignupForm, PasskeySignupForm
from accounts.auth.mfa import passkeys_work
from accounts.clubs import services as clubs
from accounts.models import User
from accounts.names.validation import normalise
from accounts.users.name_availability import validate_available
from accounts.users.services import guest_sign_in
from accounts.web.limits import limited, too_many_requests
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

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return {**context, "sso_name": sso.provider_name()}

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

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return {**context, "passkeys": passkeys_work(self.request), "sso_name": sso.provider_name()}

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


class PasskeySignupView(SignupView):
    """Sign up with a passkey: the visitor becomes a guest, for whose row the browser makes it, and then a member."""

    def get_form_class(self) -> type[PasskeySignupForm]:
        return PasskeySignupForm

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the form with password and passkey again, with what was typed and what is wrong."""
        for errors in form.errors.values():
            messages.error(self.request, errors[0])
        typed = {name: form.data.get(name, "")[:254] for name in ("username", "email")}
        return self.render_to_response(self.get_context_data(form=MemberSignupForm(initial=typed)))

    def form_valid(self, form: Any) -> HttpResponse:
        with transaction.atomic():
            response = super().form_valid(form)
            if self.user is not None and not form.errors:
                name = get_mfa_adapter().generate_authenticator_name(self.user, Authenticator.Type.WEBAUTHN)
                passkeys.signup_authenticator(self.request, self.user, name, form.cleaned_data["credential"])
        return response


@limited("check")
@public
@require_POST
def signup_check(request: HttpRequest) -> JsonResponse:
    """What is wrong with a name and a password that are being typed at sign-up; nothing is said of addresses."""
    name, password = request.POST.get("username", ""), request.POST.get("password1", "")
    errors = {}
    if name:
        errors["username"] = _error_of(lambda: validate_available(normalise(name)))
    if password:
        errors["password1"] = _error_of(lambda: get_adapter().clean_password(password, User(username=name)))
    return JsonResponse(errors)


@limited("guest", when=lambda request: not request.user.is_authenticated)
@public
@require_POST
def passkey_begin(request: HttpRequest) -> JsonResponse:
    """What the browser needs to make a passkey for a sign-up, or what is wrong with the name (422)."""
    if request.user.is_authenticated and not request.user.is_guest:
        return JsonResponse({}, status=403)
    name = request.POST.get("username", "")
    if error := _error_of(lambda: validate_available(normalise(name))):
        return JsonResponse({"username": error}, status=422)
    guest = guest_sign_in(request=request)
    guest.username = name  # as the device shows it; nothing is saved
    options = webauthn.begin_registration(guest, passwordless=True)
    return JsonResponse({"creation_options": options, "token": get_token(request)})  # signing in has changed the token


def _error_of(check: Callable[[], object]) -> str:
    """The first reason why a check fails; empty if it does not."""
    try:
        check()
    except ValidationError as error:
        return str(error.messages[0])
    return ""


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
signup_passkey = public(require_POST(constant_time(PasskeySignupView.as_view())))
password_reset = public(constant_time(allauth_views.password_reset))
