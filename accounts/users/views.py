"""The settings page, and the switches of language and theme."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.users import services as users
from accounts.users.forms import AppearanceForm, SettingsForm
from accounts.web.appearance import cookie_text, visitor
from accounts.web.middleware import switch_language
from accounts.web.policy import current_user, player, public
from accounts.web.redirects import return_url
from backgammon.languages import LANGUAGES, first_supported

YEAR = 60 * 60 * 24 * 365


@public
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Switch the language; a user's choice is stored."""
    code = request.POST.get("language", "")
    if code in LANGUAGES:
        switch_language(request, code)
        if request.user.is_authenticated:
            users.preferences_save(user=request.user, language=code)
    return redirect(return_url(request))


@public
@require_safe
def translations(request: HttpRequest) -> HttpResponse:
    """The languages of the site, which of them a person has reviewed, and how to help with the others."""
    return render(request, "accounts/translations.html", {"languages": LANGUAGES.values()})


@public
@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Switch the theme; a user's choice is stored."""
    chosen = request.POST.get("theme", "")
    scripted = request.headers.get("X-Requested-With") == "fetch"
    response: HttpResponse = HttpResponse(status=204) if scripted else redirect(return_url(request))
    if chosen in User.Theme.values:
        if request.user.is_authenticated:
            users.preferences_save(user=request.user, theme=chosen)
        name = settings.THEME_COOKIE_NAME
        response.set_cookie(name, chosen, max_age=YEAR, secure=settings.HTTPS, httponly=True, samesite="Lax")
    return response


@player
@require_http_methods(["GET", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """The settings page."""
    form = SettingsForm(request.POST or None, instance=User.objects.get(pk=current_user(request).pk))
    if request.method == "POST" and form.is_valid():
        user = users.preferences_save(user=current_user(request), **form.cleaned_data)
        switch_language(request, user.language)
        with override(first_supported(user.language, get_language())):
            messages.success(request, _("Settings saved."))
        return redirect("settings")
    return render(request, "accounts/settings.html", {"form": form})


@public
@require_http_methods(["GET", "POST"])
def appearance(request: HttpRequest) -> HttpResponse:
    """Board, checkers, dice, animation and sound, with a preview; a visitor's choice is stored in a cookie."""
    known = request.user.is_authenticated
    user = User.objects.get(pk=current_user(request).pk) if known else visitor(request)
    form = AppearanceForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        messages.success(request, _("Settings saved."))
        response = redirect("board-settings")
        if known:
            users.preferences_save(user=current_user(request), **form.cleaned_data)
        else:
            name, text = settings.BOARD_COOKIE_NAME, cookie_text(form.cleaned_data)
            response.set_cookie(name, text, max_age=YEAR, secure=settings.HTTPS, httponly=True, samesite="Lax")
        return response
    return render(request, "accounts/board_settings.html", {"form": form})
