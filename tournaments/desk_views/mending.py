"""Correcting, undoing and redoing at the desk. What would reset other pairings is shown first, and asked again."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.policy import member, who
from games.errors import Refused
from tournaments import services
from tournaments.answers import fits, not_director
from tournaments.errors import Affects, NotFound
from tournaments.forms.mending import CorrectionForm, agreed
from tournaments.selectors import desk as desks
from tournaments.selectors import entries, mending

LINES = 100


@member
@require_http_methods(["GET", "HEAD", "POST"])
def desk_correct(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The result of a pairing that is done, and its correction."""
    if request.method != "POST":
        return _shown(request, tournament_id, lambda view: _correct_page(request, view))
    form = CorrectionForm(request.POST)
    key = request.POST.get("key", "")[:40]
    if not fits(request, form):
        return redirect(reverse("desk-correct", args=[tournament_id]) + f"?key={key}")

    def correct() -> None:
        result = form.result(entries.first_number(tournament_id=tournament_id, key=key))
        services.result_correct(
            tournament_id=tournament_id, user=who(request), key=key, agreed=agreed(request.POST), **result
        )

    return _mended(request, tournament_id, correct, _("The result is corrected."), "results")


@member
@require_POST
def desk_undo(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Take a line of the log back."""
    return _rewritten(request, tournament_id, services.act_undo, _("It is undone."))


@member
@require_POST
def desk_redo(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Bring a line of the log back."""
    return _rewritten(request, tournament_id, services.act_redo, _("It is redone."))


@member
@require_safe
def desk_log(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Everything that happened, by kind and by person."""
    return _shown(request, tournament_id, lambda view: _log_page(request, view))


def _rewritten(request: HttpRequest, tournament_id: str, service: Callable[..., object], done: str) -> HttpResponse:
    told = request.POST.get("act", "")
    act = int(told) if told.isascii() and told.isdecimal() and len(told) < 9 else 0

    def rewrite() -> None:
        service(tournament_id=tournament_id, user=who(request), act=act, agreed=agreed(request.POST))

    return _mended(request, tournament_id, rewrite, done, "log")


def _mended(request: HttpRequest, tournament_id: str, mend: Callable[[], object], done: str, at: str) -> HttpResponse:
    """Do it and go back to the desk; where other pairings would be reset, show them and ask."""
    try:
        mend()
    except Affects as shown:
        affected = shown.affected
        return _shown(request, tournament_id, lambda view: _confirm_page(request, view, mending.resets(view, affected)))
    except NotFound as refused:
        raise Http404(refused.text) from refused
    except Refused as refused:
        if refused.code == "not_director":
            return not_director(request, tournament_id, refused)
        messages.error(request, refused.text)
    else:
        messages.success(request, done)
    return redirect(reverse("tournament-desk", args=[tournament_id]) + f"#{at}")


def _shown(request: HttpRequest, tournament_id: str, page: Callable[[desks.View], HttpResponse]) -> HttpResponse:
    """A page of the desk, for its directors."""
    try:
        return page(desks.desk(tournament_id=tournament_id, user=who(request)))
    except NotFound as refused:
        raise Http404(refused.text) from refused
    except Refused as refused:
        if refused.code == "not_director":
            return not_director(request, tournament_id, refused)
        messages.error(request, refused.text)
        return redirect("tournament-desk", tournament_id)


def _correct_page(request: HttpRequest, view: desks.View) -> HttpResponse:
    one = mending.corrected(view, request.GET.get("key", ""))
    context = {"tournament": view.tournament, "one": one, "score": mending.score_of(one)}
    return render(request, "tournaments/desk_correct.html", context)


def _confirm_page(request: HttpRequest, view: desks.View, resets: list[mending.Reset]) -> HttpResponse:
    """What is asked and what it would reset, with all that the form said, so that to confirm is to ask again."""
    asked = [(name, value) for name, value in request.POST.items() if name not in ("csrfmiddlewaretoken", "agreed")]
    context = {
        "tournament": view.tournament,
        "what": mending.asked(view, request.POST),
        "resets": resets,
        "asked": asked,
        "stops": any(one.playing for one in resets),
        "again": "agreed" in request.POST,
    }
    return render(request, "tournaments/desk_confirm.html", context)


def _log_page(request: HttpRequest, view: desks.View) -> HttpResponse:
    what, by = request.GET.get("what", "")[:20], request.GET.get("who", "")[:40]
    page = Paginator(mending.chosen(view.events, what, by), LINES).get_page(request.GET.get("page"))
    context = {
        "tournament": view.tournament,
        "page": page,
        "lines": view.in_words(page.object_list),
        "kinds": mending.KINDS,
        "people": mending.people(view.events),
        "what": what,
        "who": by,
    }
    return render(request, "tournaments/desk_log.html", context)
