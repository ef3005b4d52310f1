"""Pages to print and to display: draw sheets, the TV display, the live boards of a tournament."""

from __future__ import annotations

from typing import get_args

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.web.policy import public
from accounts.web.qr_code import qr_path
from games.views.request import not_found_as_404
from tournaments.selectors import live_boards, printing, tv_display


@public
@require_safe
def tournament_print(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Sheets to print: `?sheet=` draw (brackets and tables), slips, entrants (to tick off) or poster (a QR code)."""
    requested = request.GET.get("sheet", "")
    kind: printing.SheetKind = next((kind for kind in get_args(printing.SheetKind) if kind == requested), "draw")
    with not_found_as_404():
        sheets = printing.printed_sheets(tournament_id=tournament_id, kind=kind)
    url = request.build_absolute_uri(reverse("tournament", args=[tournament_id]))
    context = {"sheets": sheets, "view": sheets.view, "tournament": sheets.view.tournament, "url": url}
    if kind == "poster":
        context["qr"] = qr_path(url)
    return render(request, "tournaments/print.html", context)


@public
@require_safe
def tournament_tv(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The display for the TV of the club. It is opened once and follows the tournament by itself."""
    return _render_tv(request, tournament_id, "tournaments/tv.html")


@public
@require_safe
def tournament_tv_live(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The part of the TV display that changes."""
    return _render_tv(request, tournament_id, "tournaments/_tv_panels.html")


def _render_tv(request: HttpRequest, tournament_id: str, template: str) -> HttpResponse:
    with not_found_as_404():
        display = tv_display.tv_display(tournament_id)
    url = request.build_absolute_uri(reverse("tournament", args=[tournament_id]))
    context = {
        "display": display,
        "view": display.view,
        "tournament": display.view.tournament,
        "url": url,
        "qr": qr_path(url),
    }
    return render(request, template, context)


@public
@require_safe
def tournament_boards(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The live boards of a tournament on one large screen that follows the rounds by itself."""
    return _render_boards(request, tournament_id, "tournaments/boards.html")


@public
@require_safe
def tournament_boards_live(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The list of tables: the part of the live boards that does not come over their sockets."""
    return _render_boards(request, tournament_id, "tournaments/_board_tables.html")


def _render_boards(request: HttpRequest, tournament_id: str, template: str) -> HttpResponse:
    with not_found_as_404():
        boards = live_boards.live_boards(tournament_id)
    return render(request, template, {"boards": boards, "view": boards.view, "tournament": boards.view.tournament})
