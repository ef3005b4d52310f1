"""Which language a page speaks, whose rights wait for a second step, which log-in is in use, what is no address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts import log_ins
from accounts.policy import to_sign_up
from accounts.second import waits_for_second_step

YEAR = 60 * 60 * 24 * 365
MEMBERS_DOORS = frozenset(
    {
        "account_change_password",
        "account_set_password",
        "idp:oidc:device_authorization",
        "mfa_index",
        "mfa_activate_totp",
        "mfa_deactivate_totp",
        "mfa_view_recovery_codes",
        "mfa_generate_recovery_codes",
        "mfa_download_recovery_codes",
        "mfa_list_webauthn",
        "mfa_add_webauthn",
        "mfa_edit_webauthn",
        "mfa_remove_webauthn",
    }
)
"""Pages of allauth that give an account a lock or let a program into it. The doors themselves are open to guests: they
may be on their way to log in as a member."""

DOORS_OF_PROGRAMS, THEIR_API = "/identity/", "/identity/o/api/"
ADDRESSES = ("redirect_uri", "resource", "post_logout_redirect_uri")


class LanguageMiddleware(LocaleMiddleware):
    """Django's own: cookie, then Accept-Language. A member's stored choice is put into the cookie at log-in.

    Whoever sets `request.new_language` (the log-in, the switch, the settings) has it written into the cookie; an empty
    one takes the cookie away.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        language = getattr(request, "new_language", None)
        if language == "":
            response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")
        elif language in dict(settings.LANGUAGES):
            response.set_cookie(
                settings.LANGUAGE_COOKIE_NAME,
                language,
                max_age=YEAR,
                secure=settings.HTTPS,
                httponly=True,
                samesite="Lax",
            )
        return super().process_response(request, response)


class SecondStepMiddleware:
    """Pages of the staff wait for a second step (all else asks `second.acts_as_staff`); guests, who have no account yet
    to lock, are sent from those pages to the sign-up; a log-in in use is noted.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        user = getattr(request, "_cached_user", None)  # nobody is fetched for this
        if user is not None and user.is_authenticated and request.session.session_key:
            log_ins.session_renew(request.session)
            if not user.is_guest:
                log_ins.log_in_seen(session_key=request.session.session_key)
        return response

    def process_view(self, request: HttpRequest, view: Callable[..., Any], *_args: Any) -> HttpResponseBase | None:
        match = request.resolver_match
        if match is not None and match.view_name in MEMBERS_DOORS and getattr(request.user, "is_guest", False):
            return to_sign_up(request)
        of_staff = getattr(view, "policy", None) == "staff" or (match is not None and "admin" in match.app_names)
        if not of_staff or (match is not None and match.url_name in ("logout", "jsi18n")):
            return None
        if not request.user.is_authenticated or not waits_for_second_step(request.user):
            return None
        messages.info(request, _("The rights of the staff wait until you have a second step. Set one up here."))
        return redirect("mfa_index")


class AddressesMiddleware:
    """What another program gives as an address can be read as one, or it is refused before anything is done with it.

    allauth takes them apart without asking, and what is none (`http://[::1`) would be an error of the site; what it
    does ask, it says by an exception.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_args: Any) -> HttpResponseBase | None:
        if not request.path.startswith(DOORS_OF_PROGRAMS):
            return None
        said = [text for form in (request.GET, request.POST) for name in ADDRESSES for text in form.getlist(name)]
        return None if all(_readable(text) for text in said) else _no_address(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponseBase | None:
        ours = request.path.startswith(DOORS_OF_PROGRAMS) and isinstance(exception, ValidationError)
        return _no_address(request) if ours else None


def _no_address(request: HttpRequest) -> HttpResponseBase:
    if request.path.startswith(THEIR_API):
        return JsonResponse({"error": "invalid_request"}, status=400)
    error = {"description": _("This program sent something in the place of an address that is none.")}
    return render(request, "idp/oidc/error.html", {"error": error}, status=400)


def _readable(address: str) -> bool:
    try:
        urlsplit(address)
    except ValueError:
        return False
    return True
