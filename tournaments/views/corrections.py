"""Corrections at the desk: correct, undo, redo, and the log. A change that resets other pairings asks first."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.web.policy import current_user, member
from games.errors import Refused
from games.views.request import not_found_as_404
from tournaments import roles, services
from tournaments.errors import AffectsPairings
from tournaments.forms.results import CorrectionForm, agreed_keys
from tournaments.roles import DeskAct
from tournaments.selectors import corrections, lookups
from tournaments.selectors.director_desk import DirectorDesk, director_desk
from tournaments.views.responses import LONGEST_KEY, form_is_valid, not_director_page, posted_number

LINES_PER_PAGE = 100


@member
@require_http_methods(["GET", "HEAD", "POST"])
def desk_correct(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Show the result of a finished pairing, and correct it."""
    if request.method != "POST":
        return _desk_page(request, tournament_id, DeskAct.CORRECT_RESULTS, lambda view: _correction_page(request, view))
    form = CorrectionForm(request.POST)
    key = request.POST.get("key", "")[:LONGEST_KEY]
    if not form_is_valid(request, form):
        return redirect(reverse("desk-correct", args=[tournament_id]) + f"?key={key}")

    def correct() -> None:
        result = form.result(lookups.first_entrant_number(tournament_id=tournament_id, key=key))
        services.result_correct(
            tournament_id=tournament_id, user=current_user(request), key=key, agreed=agreed_keys(request.POST), **result
        )

    return _change_or_confirm(request, tournament_id, correct, _("Result corrected."), anchor="results")


@member
@require_POST
def desk_undo(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Undo an act of the log."""
    return _rewrite_act(request, tournament_id, services.act_undo, _("Undone."))


@member
@require_POST
def desk_redo(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Redo an act of the log."""
    return _rewrite_act(request, tournament_id, services.act_redo, _("Redone."))


@member
@require_safe
def desk_log(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The whole log, filtered by kind and by person."""
    return _desk_page(request, tournament_id, DeskAct.VIEW_DESK, lambda view: _log_page(request, view))


def _rewrite_act(
    request: HttpRequest, tournament_id: str, service: Callable[..., object], success: str
) -> HttpResponse:
    act = posted_number(request, "act", digits=8)

    def rewrite() -> None:
        service(tournament_id=tournament_id, user=current_user(request), act=act, agreed=agreed_keys(request.POST))

    return _change_or_confirm(request, tournament_id, rewrite, success, anchor="log")


def _change_or_confirm(
    request: HttpRequest, tournament_id: str, change: Callable[[], object], success: str, *, anchor: str
) -> HttpResponse:
    """Make a change and go back to the desk; where it would reset other pairings, show them and ask first."""
    try:
        with not_found_as_404():
            change()
    except AffectsPairings as error:
        affected = error.affected
        return _desk_page(
            request,
            tournament_id,
            DeskAct.VIEW_DESK,
            lambda view: _confirm_page(request, view, corrections.reset_pairings(view, affected)),
        )
    except Refused as refused:
        if refused.code in roles.FORBIDDEN:
            return not_director_page(request, tournament_id, refused)
        messages.error(request, refused.text)
    else:
        messages.success(request, success)
    return redirect(reverse("tournament-desk", args=[tournament_id]) + f"#{anchor}")


def _desk_page(
    request: HttpRequest, tournament_id: str, act: DeskAct, page: Callable[[DirectorDesk], HttpResponse]
) -> HttpResponse:
    """A page of the desk, for those who may do an act there."""
    try:
        with not_found_as_404():
            return page(director_desk(tournament_id=tournament_id, user=current_user(request), act=act))
    except Refused as refused:
        if refused.code in roles.FORBIDDEN:
            return not_director_page(request, tournament_id, refused)
        messages.error(request, refused.text)
        return redirect("tournament-desk", tournament_id)


def _correction_page(request: HttpRequest, view: DirectorDesk) -> HttpResponse:
    result = corrections.correctable_result(view, request.GET.get("key", ""))
    context = {"tournament": view.tournament, "result": result, "score": corrections.current_score(result)}
    return render(request, "tournaments/desk_correct.html", context)


def _confirm_page(request: HttpRequest, view: DirectorDesk, resets: list[corrections.ResetPairing]) -> HttpResponse:
    """The requested change and what it would reset; the posted form is repeated in hidden fields to confirm it."""
    posted = [(name, value) for name, value in request.POST.items() if name not in ("csrfmiddlewaretoken", "agreed")]
    context = {
        "tournament": view.tournament,
        "change": corrections.requested_change(view, request.POST),
        "resets": resets,
        "posted": posted,
        "stops_matches": any(reset.playing for reset in resets),
        "asked_again": "agreed" in request.POST,
    }
    return render(request, "tournaments/desk_confirm.html", context)


def _log_page(request: HttpRequest, view: DirectorDesk) -> HttpResponse:
    kind, author = request.GET.get("what", "")[:20], request.GET.get("who", "")[:40]
    events = corrections.filter_events(view.events, kind, author)
    page = Paginator(events, LINES_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "tournament": view.tournament,
        "may": view.may,
        "page": page,
        "entries": view.log_entries(page.object_list),
        "kinds": corrections.LOG_FILTERS,
        "people": corrections.event_authors(view.events),
        "kind": kind,
        "author": author,
    }
    return render(request, "tournaments/desk_log.html", context)
