"""Finished matches: one's own with marks and archive, any player's, and the site's. Thin: parse, call, show."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from accounts.limits import limited, searches
from accounts.models import User
from accounts.policy import player, public, who
from games import services
from games.errors import NotFound, Refused
from games.selectors import exports, lists
from games.selectors import history as selectors
from games.selectors.filters import PLACES, MatchFilter


@limited("search", when=searches)
@player
@require_safe
def history(request: HttpRequest) -> HttpResponse:
    """One's own finished matches, those brought in by file among them, with one's marks."""
    return render(request, "games/history.html", matches_of(request, who(request), private=True))


@limited("search", when=searches)
@public
@require_safe
def matches(request: HttpRequest) -> HttpResponse:
    """All finished matches of the site, or those that the filter of the address chooses."""
    return render(request, "games/matches.html", _listed(request, MatchFilter(request.GET)))


def matches_of(request: HttpRequest, owner: User, *, private: bool = False) -> dict[str, Any]:
    """What a list of a player's finished matches needs (`games/_history_body.html`): the filter and a page of rows."""
    return _listed(request, MatchFilter(request.GET, owner=owner, private=private)) | {
        "who": owner,
        "private": private,
        "totals": lists.totals(owner),
    }


def _listed(request: HttpRequest, wanted: MatchFilter) -> dict[str, Any]:
    after, before = (request.GET.get(name, "") for name in PLACES)
    return {"filter": wanted, "listing": selectors.listing(wanted, after=after, before=before)}


@player
@require_POST
def match_mark(request: HttpRequest, match_id: str) -> HttpResponse:
    """Star a match, or keep a note and tags on it; back come the marks alone, or the page that one was on."""
    said = request.POST
    try:
        services.match_mark(
            match_id=match_id,
            user=who(request),
            favourite=said["favourite"] == "on" if "favourite" in said else None,
            note=said.get("note"),
            tags=said["tags"].split(",") if "tags" in said else None,
        )
        refusal = ""
    except NotFound as refused:
        raise Http404(refused.text) from refused
    except Refused as refused:
        refusal = refused.text
    if request.headers.get("HX-Request"):
        marks = selectors.marks_of(who(request), [match_id])[match_id]
        context = {"match": {"pk": match_id}, "mark": marks, "refusal": refusal, "said": said, "here": _here(request)}
        return render(request, "games/_marks.html", context)
    if refusal:
        messages.error(request, refusal)
    return redirect(_here(request))


def _here(request: HttpRequest) -> str:
    """The page where a mark was made."""
    path = request.POST.get("next", "")
    return path if path.startswith("/") and url_has_allowed_host_and_scheme(path, None) else "history"


@player
@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """One's whole archive as a file: ask for it, see it grow, fetch it."""
    ready, last = exports.latest(who(request))
    template = "games/_archive.html" if request.headers.get("HX-Request") else "games/archive.html"
    return render(request, template, {"ready": ready, "last": last})


@limited("export")
@player
@require_POST
def archive_ask(request: HttpRequest) -> HttpResponse:
    """Ask for one's archive; a worker writes it."""
    try:
        services.archive_ask(user=who(request))
    except Refused as refused:
        messages.error(request, refused.text)
    return redirect("archive")


@player
@require_safe
def archive_file(request: HttpRequest, export_id: int) -> HttpResponse:
    """One's own archive, once it is ready."""
    found = exports.ready(who(request), export_id)
    if found is None:
        raise Http404
    name = f"tablero-{found.asked_at:%Y-%m-%d}.zip"
    return HttpResponse(
        bytes(found.body or b""),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
