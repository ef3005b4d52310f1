"""The page of a member's programs: tokens that he makes for his own, and those of others that he let in."""

from __future__ import annotations

from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import once
from accounts import programs as services
from accounts.errors import Refused
from accounts.policy import member, who
from accounts.scopes import READ, SCOPES
from accounts.second import confirmed

DAYS = (
    ("7", gettext_lazy("a week")),
    ("30", gettext_lazy("a month")),
    ("90", gettext_lazy("three months")),
    ("365", gettext_lazy("a year")),
    ("0", gettext_lazy("until I revoke it")),
)
FIELD_OF = {"token_name": "name", "token_scopes": "scopes", "token_days": "days"}


class TokenForm(forms.Form):
    """A token to be made."""

    name = forms.CharField(label=gettext_lazy("What is it for?"), max_length=services.LONGEST_NAME)
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("What may the program do?"),
        choices=list(SCOPES.items()),
        widget=forms.CheckboxSelectMultiple,
        initial=[READ],
    )
    days = forms.TypedChoiceField(label=gettext_lazy("Good for"), choices=DAYS, coerce=int, initial="90")


def _page(request: HttpRequest, form: TokenForm, status: int = 200, new: int = 0, text: str = "") -> HttpResponse:
    user = who(request)
    tokens = [
        (one, [SCOPES[word] for word in one.scopes.split() if word in SCOPES]) for one in services.tokens_of(user)
    ]
    let_in = [(one, [SCOPES[word] for word in one.scopes]) for one in services.clients_of(user)]
    more = len(tokens) < services.MOST
    shown = next((one for one, _opens in tokens if one.pk == new), None)
    context = {"form": form, "tokens": tokens, "let_in": let_in, "more": more, "shown": shown, "text": text}
    return render(request, "accounts/programs.html", context, status=status)


@never_cache
@member
@require_safe
def programs(request: HttpRequest) -> HttpResponse:
    """My tokens, and the programs that I let in. One that was just made is shown with its text, this once."""
    number, text = once.taken(request.session, kind="token") or (0, "")
    return _page(request, TokenForm(), new=number, text=text)


@never_cache
@member
@require_POST
@confirmed
def token_make(request: HttpRequest) -> HttpResponse:
    """A new token, shown on the page that this leads to. Before it one says again who one is."""
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    said = form.cleaned_data
    try:
        made, text = services.token_make(
            user=who(request), name=said["name"], scopes=said["scopes"], days=said["days"] or None
        )
    except Refused as refused:
        form.add_error(FIELD_OF.get(refused.code), refused.text)
        return _page(request, form, status=422)
    once.put_by(request.session, kind="token", of=made.pk, secret=text)
    return redirect("programs")


@member
@require_POST
def token_revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    """End a token of mine."""
    return _ended(request, lambda: services.token_revoke(user=who(request), token_id=token_id))


@member
@require_POST
def program_forget(request: HttpRequest, client_id: str) -> HttpResponse:
    """Let a program in no longer."""
    return _ended(request, lambda: services.client_forget(user=who(request), client_id=client_id))


def _ended(request: HttpRequest, end: Callable[[], None]) -> HttpResponse:
    try:
        end()
    except Refused as refused:
        messages.error(request, refused.text)
    else:
        messages.success(request, _("It opens nothing any more."))
    return redirect("programs")
