"""What leaves the page of a tournament: paper, the screens of the club, files, the sheet of prizes. Thin."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, get_args

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.limits import limited
from accounts.policy import member, public, who
from games.views.common import tried
from tournaments.answers import fits, not_director
from tournaments.errors import NotFound, Refused
from tournaments.forms.prizes import PurseForm
from tournaments.prizes import Purse
from tournaments.selectors import boards, exports, paper, prizes, television
from tournaments.selectors.entries import directed
from tournaments.services.prizes import purse_set

Found = TypeVar("Found")


def _found(read: Callable[[], Found]) -> Found:
    """What was asked for. Raises Http404."""
    try:
        return read()
    except NotFound as refused:
        raise Http404(refused.text) from refused


@public
@require_safe
def tournament_print(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Sheets to print: `?sheet=` draw (the brackets and tables), slips (for results) or entrants (to tick off)."""
    asked = request.GET.get("sheet", "")
    kind: paper.Kind = next((one for one in get_args(paper.Kind) if one == asked), "draw")
    sheets = _found(lambda: paper.paper(tournament_id=tournament_id, kind=kind))
    context = {"paper": sheets, "view": sheets.view, "tournament": sheets.view.tournament}
    return render(request, "tournaments/print.html", context)


@public
@require_safe
def tournament_tv(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The screen for the television of the club. It is opened once and follows the tournament by itself."""
    return _tv(request, tournament_id, "tournaments/tv.html")


@public
@require_safe
def tournament_tv_live(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The part of it that changes."""
    return _tv(request, tournament_id, "tournaments/_tv.html")


def _tv(request: HttpRequest, tournament_id: str, template: str) -> HttpResponse:
    screen = _found(lambda: television.screen(tournament_id))
    address = request.build_absolute_uri(reverse("tournament", args=[tournament_id]))
    context = {"screen": screen, "view": screen.view, "tournament": screen.view.tournament, "address": address}
    return render(request, template, {**context, "qr": television.qr_path(address)})


@public
@require_safe
def tournament_boards(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The boards that are played now, on one large screen that follows the rounds by itself."""
    return _boards(request, tournament_id, "tournaments/boards.html")


@public
@require_safe
def tournament_boards_live(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Which tables there are: the part of it that does not come over its sockets."""
    return _boards(request, tournament_id, "tournaments/_boards.html")


def _boards(request: HttpRequest, tournament_id: str, template: str) -> HttpResponse:
    found = _found(lambda: boards.boards(tournament_id))
    return render(request, template, {"boards": found, "view": found.view, "tournament": found.view.tournament})


@limited("export")
@public
@require_safe
def tournament_csv(request: HttpRequest, tournament_id: str) -> HttpResponseBase:
    """One sheet (`?what=` entrants, results or standings), or all three in a zip."""
    view = _found(lambda: exports.read(tournament_id))
    name, what = exports.filename(view), request.GET.get("what", "")
    if what in exports.SHEETS:
        lines = exports.csv_lines(exports.sheet_rows(view, what))
        return _file(StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8"), f"{name}-{what}.csv")
    return _file(HttpResponse(exports.csv_zip(view), content_type="application/zip"), f"{name}.zip")


@limited("export")
@public
@require_safe
def tournament_json(request: HttpRequest, tournament_id: str) -> HttpResponseBase:
    """The whole tournament as one document."""
    view = _found(lambda: exports.read(tournament_id))
    answer = JsonResponse(exports.document(view), json_dumps_params={"indent": 1, "ensure_ascii": False})
    return _file(answer, f"{exports.filename(view)}.json")


def _file(answer: HttpResponseBase, name: str) -> HttpResponseBase:
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@member
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_prizes(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The sheet of prizes, for its directors: what came in, who gets what, and the form that says so."""
    try:
        directed(tournament_id=tournament_id, user=who(request))
    except NotFound as refused:
        raise Http404(refused.text) from refused
    except Refused as refused:
        return not_director(request, tournament_id, refused)
    view, found = prizes.prizes(tournament_id)
    names = {one.number: one.name for one in view.entrants}
    purse = found.purse if view.state.purse else prizes.usual(view.tournament.club)
    form = PurseForm(request.POST or None, purse=purse, names=names)
    if request.method == "POST" and fits(request, form) and _save(request, tournament_id, form.purse()):
        return redirect("tournament-prizes", tournament_id)
    context = {"view": view, "tournament": view.tournament, "prizes": found, "form": form}
    return render(request, "tournaments/prizes.html", context)


def _save(request: HttpRequest, tournament_id: str, purse: Purse) -> bool:
    save = lambda: purse_set(tournament_id=tournament_id, user=who(request), purse=purse)  # noqa: E731
    return tried(request, save, _("The prizes are written down."))
