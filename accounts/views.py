"""Doors and preferences: sign-up and log-in that guests may use, the language and theme switches, the settings."""

from __future__ import annotations

from typing import Any

from allauth.account import views as allauth_views
from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts import services
from accounts.doors import evenly
from accounts.forms import SettingsForm
from accounts.limits import too_many
from accounts.models import User
from accounts.policy import member, player, public, who

YEAR = 60 * 60 * 24 * 365
LOCKED = 600  # seconds that wrong tries are remembered (settings.ACCOUNT_RATE_LIMITS)


class GuestsToo:
    """allauth sends everybody who is logged in away from its doors; guests are let through, members are not."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and not request.user.is_guest:
            return HttpResponseRedirect(way_back(request))
        return super().dispatch(request, *args, **kwargs)  # type: ignore[misc]


class LoginView(GuestsToo, allauth_views.LoginView):
    """Log in by name or e-mail."""

    def form_valid(self, form: Any) -> HttpResponse:
        self.request.came_in = True  # type: ignore[attr-defined]  # right words need not wait (accounts.doors)
        return super().form_valid(form)

    def form_invalid(self, form: Any) -> HttpResponse:
        """Wrong; or wrong too often, which is a status of its own."""
        if form.has_error("__all__", "too_many_login_attempts"):
            return too_many(self.request, LOCKED)
        return super().form_invalid(form)


class SignupView(GuestsToo, allauth_views.SignupView):
    """Sign up: a new member, or a guest who becomes one with all his games."""

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            with transaction.atomic():
                response: HttpResponse = super().form_valid(form)
                if self.user is not None:
                    services.member_welcome(user=self.user)
        except IntegrityError:  # somebody took the name between our look and our write
            form.add_error("username", User._meta.get_field("username").error_messages["unique"])
            return self.form_invalid(form)
        return response


class EmailView(allauth_views.EmailView):
    """One's own addresses. Only a confirmed one becomes the first, and none says that another account has it."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            with transaction.atomic():
                answer: HttpResponse = super().post(request, *args, **kwargs)
        except IntegrityError:  # another account has given the address
            return self._not_confirmed(request)
        return answer

    def _action_primary(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse | None:
        address = self._get_email_address(request)
        if address is None or not address.verified:
            return self._not_confirmed(request)
        answer: HttpResponse | None = super()._action_primary(request, *args, **kwargs)
        return answer

    def _not_confirmed(self, request: HttpRequest) -> HttpResponse:
        get_adapter().add_message(request, messages.ERROR, "account/messages/unverified_primary_email.txt")
        return redirect("account_email")


email = member(evenly(EmailView.as_view()))
login = public(evenly(LoginView.as_view()))
signup = public(evenly(SignupView.as_view()))
password_reset = public(evenly(allauth_views.password_reset))


def way_back(request: HttpRequest, default: str = "lobby") -> str:
    """The page to return to: `next` if it is one of ours, else the named default."""
    target = request.POST.get("next") or request.GET.get("next") or ""
    ours = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    if ours and target.startswith(("/", "http")):  # anything else would be taken for the name of a route
        return target
    return reverse(default)


@public
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Speak another language from now on; a player's choice is kept with him."""
    code = request.POST.get("language", "")
    if code in dict(settings.LANGUAGES):
        request.new_language = code  # type: ignore[attr-defined]
        if request.user.is_authenticated:
            services.preferences_save(user=request.user, language=code)
    return redirect(way_back(request))


@public
@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Light, dark, or as the device likes it; a player's choice is kept with him."""
    chosen = request.POST.get("theme", "")
    scripted = request.headers.get("X-Requested-With") == "fetch"
    response: HttpResponse = HttpResponse(status=204) if scripted else redirect(way_back(request))
    if chosen in User.Theme.values:
        if request.user.is_authenticated:
            services.preferences_save(user=request.user, theme=chosen)
        name = settings.THEME_COOKIE_NAME
        response.set_cookie(name, chosen, max_age=YEAR, secure=settings.HTTPS, httponly=True, samesite="Lax")
    return response


@player
@require_http_methods(["GET", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """The settings page."""
    form = SettingsForm(request.POST or None, instance=User.objects.get(pk=who(request).pk))
    if request.method == "POST" and form.is_valid():
        user = services.preferences_save(user=who(request), **form.cleaned_data)
        request.new_language = user.language  # type: ignore[attr-defined]
        with override(user.language or get_language()):
            messages.success(request, _("Your settings are saved."))
        return redirect("settings")
    return render(request, "accounts/settings.html", {"form": form})
