"""The page of a user's relationships and notes, and the buttons on players' pages."""

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

from accounts.errors import Refused
from accounts.models import User
from accounts.names.validation import fold
from accounts.relationships import selectors as relationship_selectors
from accounts.relationships import services as relationships
from accounts.web.policy import current_user, member, player

PAGE_SIZE = 30
LISTS: dict[str, Promise] = {
    "friends": gettext_lazy("Friends"),
    "follow": gettext_lazy("Following"),
    "mute": gettext_lazy("Muted"),
    "block": gettext_lazy("Blocked"),
    "notes": gettext_lazy("Notes"),
}
GUEST_LISTS = ("mute", "block")
"""The lists of guests, who can only mute and block."""
SUCCESS_MESSAGES: dict[tuple[str, bool], Promise] = {
    (relationship_selectors.FOLLOW, True): gettext_lazy("You are now following %(name)s."),
    (relationship_selectors.FOLLOW, False): gettext_lazy("You no longer follow %(name)s."),
    (relationship_selectors.MUTE, True): gettext_lazy("%(name)s is muted: you won't see what they write."),
    (relationship_selectors.MUTE, False): gettext_lazy("%(name)s is no longer muted."),
    (relationship_selectors.BLOCK, True): gettext_lazy("%(name)s is blocked."),
    (relationship_selectors.BLOCK, False): gettext_lazy("%(name)s is no longer blocked."),
}


@never_cache
@player
@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """One list of the user's relationships or notes, chosen by `?kind=`."""
    user = current_user(request)
    names = {key: name for key, name in LISTS.items() if not user.is_guest or key in GUEST_LISTS}
    kind = request.GET.get("kind", "")
    kind = kind if kind in names else next(iter(names))
    rows: Any
    if kind == "notes":
        rows = relationship_selectors.notes_of(user)
    elif kind == "friends":
        rows = relationship_selectors.relationships_of(user, relationship_selectors.FOLLOW, mutual=True)
    else:
        rows = relationship_selectors.relationships_of(user, kind)
    counts = relationship_selectors.relationship_counts(user)
    context = {
        "page": Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page")),
        "kind": kind,
        "lists": [(key, name, counts[key]) for key, name in names.items()],
    }
    return render(request, "accounts/relationships.html", context)


def _change_relationship(request: HttpRequest, name: str, kind: str) -> HttpResponse:
    about, active = _user_or_404(name), not request.POST.get("undo")
    change = relationships.relationship_create if active else relationships.relationship_delete
    done = SUCCESS_MESSAGES[kind, active] % {"name": about.username}
    return _run_and_respond(request, about, lambda: change(by=current_user(request), about=about, kind=kind), done)


@player
@require_POST
def block(request: HttpRequest, name: str) -> HttpResponse:
    """Block a player; `undo` ends the block."""
    return _change_relationship(request, name, relationship_selectors.BLOCK)


@player
@require_POST
def mute(request: HttpRequest, name: str) -> HttpResponse:
    """Mute a player; `undo` ends it."""
    return _change_relationship(request, name, relationship_selectors.MUTE)


@member
@require_POST
def follow(request: HttpRequest, name: str) -> HttpResponse:
    """Follow a player; `undo` ends it."""
    return _change_relationship(request, name, relationship_selectors.FOLLOW)


@member
@require_POST
def note(request: HttpRequest, name: str) -> HttpResponse:
    """Save a note about a player; an empty one is deleted."""
    about, text = _user_or_404(name), request.POST.get("text", "")
    done = _("Note saved.") if text.strip() else _("Note deleted.")
    return _run_and_respond(
        request,
        about,
        lambda: relationships.note_save(by=current_user(request), about=about, text=text),
        done,
        text=text,
    )


def _user_or_404(name: str) -> User:
    """The player of that name, even with a closed account, so that blocks and mutes can be ended."""
    return get_object_or_404(User, name_key=fold(name))


def _run_and_respond(
    request: HttpRequest, about: User, act: Callable[[], object], done: str, text: str | None = None
) -> HttpResponse:
    """Run a service, and render the buttons again (htmx) or redirect back. A refusal keeps the `text`."""
    refusal = ""
    try:
        act()
    except Refused as refused:
        refusal = refused.text
    if request.headers.get("HX-Request"):
        found = relationship_selectors.relationship_status(current_user(request), about)
        context = {"player": about, "relationship": found, "refusal": refusal, "text": text if refusal else None}
        return render(request, "accounts/_relationships.html", context)
    if refusal:
        messages.error(request, refusal)
    else:
        messages.success(request, done)
    path = request.POST.get("next", "")
    is_local = path.startswith("/") and url_has_allowed_host_and_scheme(path, None)
    return redirect(path if is_local else reverse("player", args=[about.username]))
