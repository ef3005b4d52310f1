"""The page of apps: personal tokens, and apps that the user authorised."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.auth import one_time_secret
from accounts.auth.mfa import reauthentication_required
from accounts.errors import Refused
from accounts.programs import selectors, services
from accounts.programs.forms import TokenForm
from accounts.programs.scopes import SCOPES
from accounts.web.policy import current_user, member

FIELD_BY_CODE = {"token_name": "name", "token_scopes": "scopes", "token_days": "days"}


def _page(request: HttpRequest, form: TokenForm, status: int = 200, new: int = 0, text: str = "") -> HttpResponse:
    user = current_user(request)
    tokens = [(token, _scope_texts(token.scopes.split())) for token in selectors.tokens_of(user)]
    context = {
        "form": form,
        "tokens": tokens,
        "apps": [(app, _scope_texts(app.scopes)) for app in selectors.authorised_apps(user)],
        "may_create": len(tokens) < services.MAX_TOKENS,
        "shown": next((token for token, _scopes in tokens if token.pk == new), None),
        "text": text,
    }
    return render(request, "accounts/programs.html", context, status=status)


def _scope_texts(scopes: Iterable[str]) -> list[Promise]:
    return [SCOPES[scope] for scope in scopes if scope in SCOPES]


@never_cache
@member
@require_safe
def programs(request: HttpRequest) -> HttpResponse:
    """List tokens and authorised apps. A token that was just created is shown with its text, this once."""
    number, text = one_time_secret.pop(request.session, kind="token") or (0, "")
    return _page(request, TokenForm(), new=number, text=text)


@never_cache
@member
@require_POST
@reauthentication_required
def token_create(request: HttpRequest) -> HttpResponse:
    """Create a token after reauthentication; its text is shown on the page of the redirect."""
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    data = form.cleaned_data
    try:
        token, text = services.token_create(
            user=current_user(request), name=data["name"], scopes=data["scopes"], days=data["days"] or None
        )
    except Refused as refused:
        form.add_error(FIELD_BY_CODE.get(refused.code), refused.text)
        return _page(request, form, status=422)
    one_time_secret.stash(request.session, kind="token", pk=token.pk, secret=text)
    return redirect("programs")


@member
@require_POST
def token_revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    """Revoke a token."""
    return _revoke_and_redirect(request, lambda: services.token_revoke(user=current_user(request), token_id=token_id))


@member
@require_POST
def program_forget(request: HttpRequest, client_id: str) -> HttpResponse:
    """Revoke an app's access."""
    return _revoke_and_redirect(
        request, lambda: services.client_revoke(user=current_user(request), client_id=client_id)
    )


def _revoke_and_redirect(request: HttpRequest, end: Callable[[], None]) -> HttpResponse:
    try:
        end()
    except Refused as refused:
        messages.error(request, refused.text)
    else:
        messages.success(request, _("Access revoked."))
    return redirect("programs")
