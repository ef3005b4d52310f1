"""A player's own page of people: whom he follows, muted or blocked, what he noted; and the buttons on their pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import ties
from accounts.errors import Refused
from accounts.models import User
from accounts.names import fold
from accounts.policy import member, player, who

PAGE = 30
SHELVES: dict[str, Promise] = {
    "friends": gettext_lazy("Friends"),
    "follow": gettext_lazy("You follow"),
    "mute": gettext_lazy("Muted"),
    "block": gettext_lazy("Blocked"),
    "notes": gettext_lazy("Notes"),
}
OF_GUESTS = ("mute", "block")
"""What a guest may do: he has nobody to come back to, and yet he is to be left in peace."""
DONE: dict[tuple[str, bool], Promise] = {
    (ties.FOLLOW, True): gettext_lazy("You follow %(name)s."),
    (ties.FOLLOW, False): gettext_lazy("You no longer follow %(name)s."),
    (ties.MUTE, True): gettext_lazy("%(name)s is muted: what he writes does not reach you."),
    (ties.MUTE, False): gettext_lazy("%(name)s is no longer muted."),
    (ties.BLOCK, True): gettext_lazy("%(name)s is blocked."),
    (ties.BLOCK, False): gettext_lazy("%(name)s is no longer blocked."),
}


@never_cache
@player
@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """The people of one player, a shelf at a time: `?kind=` names it."""
    user = who(request)
    names = {key: name for key, name in SHELVES.items() if not user.is_guest or key in OF_GUESTS}
    kind = request.GET.get("kind", "")
    kind = kind if kind in names else next(iter(names))
    rows: Any
    if kind == "notes":
        rows = ties.notes_of(user)
    elif kind == "friends":
        rows = ties.ties_of(user, ties.FOLLOW, mutual=True)
    else:
        rows = ties.ties_of(user, kind)
    counts = ties.counts_of(user)
    context = {
        "page": Paginator(rows, PAGE).get_page(request.GET.get("page")),
        "kind": kind,
        "shelves": [(key, name, counts[key]) for key, name in names.items()],
    }
    return render(request, "accounts/people.html", context)


def _decide(request: HttpRequest, name: str, kind: str) -> HttpResponse:
    about, tied = _named(name), not request.POST.get("undo")
    decide = ties.tie_make if tied else ties.tie_cut
    done = DONE[kind, tied] % {"name": about.username}
    return _answer(request, about, lambda: decide(by=who(request), about=about, kind=kind), done)


@player
@require_POST
def block(request: HttpRequest, name: str) -> HttpResponse:
    """Have nothing to do with a player any more; `undo` takes it back."""
    return _decide(request, name, ties.BLOCK)


@player
@require_POST
def mute(request: HttpRequest, name: str) -> HttpResponse:
    """Hear nothing of what a player writes; `undo` takes it back."""
    return _decide(request, name, ties.MUTE)


@member
@require_POST
def follow(request: HttpRequest, name: str) -> HttpResponse:
    """Follow a player; `undo` takes it back."""
    return _decide(request, name, ties.FOLLOW)


@member
@require_POST
def note(request: HttpRequest, name: str) -> HttpResponse:
    """Keep a note about a player; an empty one is no note."""
    about, text = _named(name), request.POST.get("text", "")
    done = _("Your note is kept.") if text.strip() else _("Your note is gone.")
    return _answer(request, about, lambda: ties.note_write(by=who(request), about=about, text=text), done, text=text)


def _named(name: str) -> User:
    """The player of that name, also one whose account is closed: what was decided about him can be taken back."""
    return get_object_or_404(User, name_key=fold(name))


def _answer(
    request: HttpRequest, about: User, act: Callable[[], object], done: str, text: str | None = None
) -> HttpResponse:
    """Do it, and show the buttons anew (htmx) or go back to the page where it was asked. A refusal keeps the `text`."""
    refusal = ""
    try:
        act()
    except Refused as refused:
        refusal = refused.text
    if request.headers.get("HX-Request"):
        found = ties.decided_about(who(request), about)
        context = {"who": about, "ties": found, "refusal": refusal, "text": text if refusal else None}
        return render(request, "accounts/_ties.html", context)
    if refusal:
        messages.error(request, refusal)
    else:
        messages.success(request, done)
    path = request.POST.get("next", "")
    ours = path.startswith("/") and url_has_allowed_host_and_scheme(path, None)
    return redirect(path if ours else reverse("player", args=[about.username]))
