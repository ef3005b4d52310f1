"""The pages of finished matches: of the user with marks and archive, of any player, and of the site."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.web.limits import is_search, limited
from accounts.web.policy import current_user, player, public
from games import services
from games.errors import NotFound, Refused
from games.selectors import exports
from games.selectors import history as selectors
from games.selectors.match_filter import CURSORS, MatchFilter
from games.selectors.players import player_totals


@limited("search", when=is_search)
@player
@require_safe
def history(request: HttpRequest) -> HttpResponse:
    """The user's own finished matches, imported ones included, with their marks."""
    return render(request, "games/history.html", matches_of(request, current_user(request), private=True))


@limited("search", when=is_search)
@public
@require_safe
def matches(request: HttpRequest) -> HttpResponse:
    """All finished matches of the site, or those that the filter selects."""
    return render(request, "games/matches.html", _list_context(request, MatchFilter(request.GET)))


def matches_of(request: HttpRequest, owner: User, *, private: bool = False) -> dict[str, Any]:
    """The context of a list of a player's finished matches (`games/_history_body.html`)."""
    match_filter, totals = MatchFilter(request.GET, owner=owner, private=private), player_totals(owner)
    counted = None if private or match_filter.narrowed else totals.listed  # a private list has imported matches, too
    return _list_context(request, match_filter, counted) | {"player": owner, "private": private, "totals": totals}


def _list_context(request: HttpRequest, match_filter: MatchFilter, counted: int | None = None) -> dict[str, Any]:
    after, before = (request.GET.get(name, "") for name in CURSORS)
    listing = selectors.match_page(match_filter, after=after, before=before, counted=counted)
    return {"filter": match_filter, "listing": listing}


@player
@require_POST
def match_mark(request: HttpRequest, match_id: str) -> HttpResponse:
    """Star a match, or save a note and tags; returns the marks alone (htmx), or redirects to the previous page."""
    data = request.POST
    try:
        services.match_mark(
            match_id=match_id,
            user=current_user(request),
            favourite=data["favourite"] == "on" if "favourite" in data else None,
            note=data.get("note"),
            tags=data["tags"].split(",") if "tags" in data else None,
        )
        refusal = ""
    except NotFound as refused:
        raise Http404(refused.text) from refused
    except Refused as refused:
        refusal = refused.text
    if request.headers.get("HX-Request"):
        marks = selectors.marks_of(current_user(request), [match_id])[match_id]
        context = {
            "match": {"pk": match_id},
            "mark": marks,
            "refusal": refusal,
            "submitted": data,
            "next_url": _return_url(request),
        }
        return render(request, "games/_marks.html", context)
    if refusal:
        messages.error(request, refusal)
    return redirect(_return_url(request))


def _return_url(request: HttpRequest) -> str:
    """The page where the form was sent from."""
    path = request.POST.get("next", "")
    return path if path.startswith("/") and url_has_allowed_host_and_scheme(path, None) else "history"


@player
@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """The user's archive of all matches: request it, watch its progress, download it."""
    ready, last = exports.latest_exports(current_user(request))
    template = "games/_archive.html" if request.headers.get("HX-Request") else "games/archive.html"
    return render(request, template, {"ready": ready, "last": last})


@limited("export")
@player
@require_POST
def archive_ask(request: HttpRequest) -> HttpResponse:
    """Request the user's archive; a worker writes it."""
    try:
        services.archive_request(user=current_user(request))
    except Refused as refused:
        messages.error(request, refused.text)
    return redirect("archive")


@player
@require_safe
def archive_file(request: HttpRequest, export_id: int) -> HttpResponse:
    """Download the user's own archive, once it is ready."""
    found = exports.ready_export(current_user(request), export_id)
    if found is None:
        raise Http404
    name = f"tablero-{found.asked_at:%Y-%m-%d}.zip"
    return HttpResponse(
        bytes(found.body or b""),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
