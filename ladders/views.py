"""The pages of ladders. Thin: parse, call one service or selector, render.

A refusal becomes a message on the ladder's page, never an error page; who does not direct the ladder's club sees why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.clubs.roles import clubs_directed
from accounts.models import User
from accounts.web.policy import current_user, member, public
from games.errors import NotFound, Refused
from games.views.request import paginate, run_action, viewer
from ladders import errors, labels, services
from ladders import selectors as ladder_selectors
from ladders.forms import DecideForm, LadderForm, PlaceForm, ReasonForm, SeasonForm, answers_of
from ladders.models import Ladder
from ladders.rules import KINDS

MOST_DAYS = 400
Found = TypeVar("Found")


# Reading


def found_or_404(read: Callable[..., Found], **facts: Any) -> Found:
    """What a selector gives. Raises Http404 for what is not there."""
    try:
        return read(**facts)
    except NotFound as refused:
        raise Http404(refused.text) from refused


@public
@require_safe
def ladder_list(request: HttpRequest) -> HttpResponse:
    """Show all ladders, by club."""
    user = viewer(request)
    context = {"clubs": ladder_selectors.ladders_by_club(user), "directs": bool(user and clubs_directed(user))}
    return render(request, "ladders/list.html", context)


@public
@require_safe
def ladder(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Show a ladder: its places, whom the viewer may challenge, what happened, its rules."""
    return _page(request, ladder_id, "ladders/ladder.html")


@public
@require_safe
def ladder_live(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Show the part of that page that changes, for its refresh."""
    return _page(request, ladder_id, "ladders/_live.html")


def _page(request: HttpRequest, ladder_id: str, template: str) -> HttpResponse:
    view = found_or_404(ladder_selectors.page, ladder_id=ladder_id, user=viewer(request))
    return render(request, template, {"view": view, "ladder": view.ladder, "path": reverse("ladder", args=[ladder_id])})


@public
@require_safe
def ladder_history(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Show everything that happened on a ladder, a page at a time."""
    history = found_or_404(ladder_selectors.history, ladder_id=ladder_id)
    page = paginate(request, history.events)
    context = {"ladder": history.ladder, "page": page, "events": history.views(page.object_list)}
    return render(request, "ladders/history.html", context)


@public
@require_safe
def ladder_season(request: HttpRequest, ladder_id: str, number: int) -> HttpResponse:
    """Show the final table of a season that is over."""
    ladder, season, rows = found_or_404(ladder_selectors.season, ladder_id=ladder_id, number=number)
    return render(request, "ladders/season.html", {"ladder": ladder, "season": season, "rows": rows})


# Acting: every view below runs one service, and returns to the ladder


def _act(request: HttpRequest, ladder_id: str, act: Callable[[], object], done: str) -> HttpResponse:
    """Run `act`, say what came of it, and return to the section of the ladder that the form names."""
    run_action(request, act, done)
    return _back(request, ladder_id)


def _submit(
    request: HttpRequest, ladder_id: str, form: forms.Form, act: Callable[[Mapping[str, Any]], object], done: str
) -> HttpResponse:
    """Run `act` with the cleaned data of a small form, or say what is wrong with it, each field once."""
    if form.is_valid():
        return _act(request, ladder_id, lambda: act(form.cleaned_data), done)
    for name, faults in form.errors.items():
        label = form.fields[name].label if name in form.fields else ""
        messages.error(request, f"{label}: {faults[0]}" if label else str(faults[0]))
    return _back(request, ladder_id)


def _back(request: HttpRequest, ladder_id: str) -> HttpResponse:
    section = slugify(request.POST.get("at", "")[:40])
    return redirect(reverse("ladder", args=[ladder_id]) + (f"#{section}" if section else ""))


def _number(request: HttpRequest, name: str, most: int = 2**31 - 1) -> int:
    """A number of the form; 0, which nothing has, for anything else."""
    text = request.POST.get(name, "")
    return min(int(text), most) if text.isascii() and text.isdecimal() and len(text) < 11 else 0


@member
@require_POST
def ladder_join(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Join a ladder."""
    user = current_user(request)
    return _act(
        request, ladder_id, lambda: services.ladder_join(ladder_id=ladder_id, user=user), _("You joined the ladder.")
    )


@member
@require_POST
def ladder_leave(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Leave a ladder."""
    user = current_user(request)
    return _act(
        request, ladder_id, lambda: services.ladder_leave(ladder_id=ladder_id, user=user), _("You left the ladder.")
    )


@member
@require_POST
def ladder_away(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Go on vacation for some days."""
    user, days = current_user(request), _number(request, "days", MOST_DAYS)
    return _act(
        request,
        ladder_id,
        lambda: services.ladder_away(ladder_id=ladder_id, user=user, days=days),
        _("You are now on vacation."),
    )


@member
@require_POST
def ladder_back(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Come back before the end of a vacation."""
    user = current_user(request)
    return _act(request, ladder_id, lambda: services.ladder_back(ladder_id=ladder_id, user=user), _("Welcome back."))


@member
@require_POST
def challenge_make(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Challenge a player of the ladder."""
    user, opponent_id = current_user(request), _number(request, "opponent")

    def challenge() -> object:
        opponent = ladder_selectors.player_on(ladder_id=ladder_id, user_id=opponent_id)
        return services.challenge_make(ladder_id=ladder_id, user=user, opponent=opponent)

    return _act(request, ladder_id, challenge, _("Challenge sent."))


def _answer(
    request: HttpRequest, ladder_id: str, challenge_id: int, service: Callable[..., object], done: str
) -> HttpResponse:
    """Run a player's answer to a challenge of this ladder."""
    user = current_user(request)
    number = found_or_404(ladder_selectors.challenge_on, ladder_id=ladder_id, challenge_id=challenge_id)
    return _act(request, ladder_id, lambda: service(challenge_id=number, user=user), done)


@member
@require_POST
def challenge_accept(request: HttpRequest, ladder_id: str, challenge_id: int) -> HttpResponse:
    """Accept a challenge: opens its match."""
    done = _("Challenge accepted. The match is ready to play.")
    return _answer(request, ladder_id, challenge_id, services.challenge_accept, done)


@member
@require_POST
def challenge_decline(request: HttpRequest, ladder_id: str, challenge_id: int) -> HttpResponse:
    """Decline a challenge."""
    return _answer(request, ladder_id, challenge_id, services.challenge_decline, _("Challenge declined."))


@member
@require_POST
def challenge_withdraw(request: HttpRequest, ladder_id: str, challenge_id: int) -> HttpResponse:
    """Withdraw a challenge."""
    return _answer(request, ladder_id, challenge_id, services.challenge_withdraw, _("Challenge withdrawn."))


# Directing


@member
@require_http_methods(["GET", "HEAD", "POST"])
def ladder_new(request: HttpRequest) -> HttpResponse:
    """Create a ladder for a club that one directs; `?kind=` chooses its rules."""
    user = current_user(request)
    clubs = clubs_directed(user)
    if not clubs:
        return _not_director(request, errors.Refused("ladder_not_director"))
    if request.method != "POST":
        return _new(request, LadderForm(clubs=clubs, answers={"kind": request.GET.get("kind", "")}))
    form = LadderForm(request.POST, clubs=clubs)
    made = _save(form, lambda facts: services.ladder_create(by=user, **facts))
    if made is None:
        return _new(request, form, status=422)
    messages.success(request, _("Ladder created."))
    return redirect("ladder", made.pk)


def _save(form: LadderForm, act: Callable[[dict[str, Any]], Ladder]) -> Ladder | None:
    """The ladder that a service makes of the form; None when something does not fit, which the form then shows."""
    if not form.is_valid():
        return None
    try:
        return act(form.facts())
    except Refused as refused:
        form.refuse(refused)
    return None


def _new(request: HttpRequest, form: LadderForm, status: int = 200) -> HttpResponse:
    kinds = [(key, labels.kind(key), labels.KIND_DESCRIPTIONS[key]) for key in KINDS]
    return render(request, "ladders/new.html", {"form": form, "kinds": kinds}, status=status)


def _not_director(request: HttpRequest, refused: Refused, ladder_id: str = "") -> HttpResponse:
    context = {"ladder_id": ladder_id, "reason": refused.text}
    return render(request, "ladders/not_director.html", context, status=403)


@member
@require_safe
def ladder_terms(request: HttpRequest) -> HttpResponse:
    """Show the clocks and options of the chosen game: the part of the form that changes with it."""
    chosen = {key: request.GET.get(key, "")[:24] for key in ("variant", "kind")}
    return render(request, "ladders/_form_game.html", {"form": LadderForm(clubs=[], answers=chosen)})


@member
@require_http_methods(["GET", "HEAD", "POST"])
def ladder_settings(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Change the settings of a ladder; its kind stays."""
    user = current_user(request)
    try:
        ladder = found_or_404(ladder_selectors.directed, ladder_id=ladder_id, user=user)
    except Refused as refused:
        return _not_director(request, refused, ladder_id)
    if request.method != "POST":
        return _settings(request, ladder, LadderForm(clubs=[ladder.club], answers=answers_of(ladder)))
    data = request.POST.copy()
    data["kind"] = ladder.kind
    form = LadderForm(data, clubs=[ladder.club], answers=answers_of(ladder))
    if _save(form, lambda facts: _change(ladder, user, facts)) is None:
        return _settings(request, ladder, form, status=422)
    messages.success(request, _("Settings saved."))
    return redirect("ladder", ladder_id)


def _change(ladder: Ladder, user: User, facts: dict[str, Any]) -> Ladder:
    del facts["club"]
    return services.ladder_change(ladder_id=ladder.pk, by=user, **facts)


def _settings(request: HttpRequest, ladder: Ladder, form: LadderForm, status: int = 200) -> HttpResponse:
    return render(request, "ladders/settings.html", {"ladder": ladder, "form": form}, status=status)


@member
@require_POST
def ladder_close(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Close a ladder."""
    user = current_user(request)
    return _act(request, ladder_id, lambda: services.ladder_close(ladder_id=ladder_id, by=user), _("Ladder closed."))


@member
@require_POST
def ladder_open(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Reopen a ladder."""
    user = current_user(request)
    return _act(request, ladder_id, lambda: services.ladder_open(ladder_id=ladder_id, by=user), _("Ladder reopened."))


@member
@require_POST
def ladder_undo(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Undo an event that moved somebody."""
    user = current_user(request)

    def undo(data: Mapping[str, Any]) -> None:
        services.ladder_undo(ladder_id=ladder_id, by=user, **data)

    return _submit(request, ladder_id, ReasonForm(request.POST), undo, _("Event undone."))


@member
@require_POST
def ladder_redo(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Restore an event that was undone."""
    user = current_user(request)

    def redo(data: Mapping[str, Any]) -> None:
        services.ladder_redo(ladder_id=ladder_id, by=user, **data)

    return _submit(request, ladder_id, ReasonForm(request.POST), redo, _("Event restored."))


@member
@require_POST
def ladder_place(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Move a player to another place."""
    by = current_user(request)

    def place(data: Mapping[str, Any]) -> None:
        user = ladder_selectors.player_on(ladder_id=ladder_id, user_id=data["player"])
        services.ladder_place(ladder_id=ladder_id, by=by, user=user, to=data["to"], reason=data["reason"])

    return _submit(request, ladder_id, PlaceForm(request.POST), place, _("Place changed."))


@member
@require_POST
def challenge_decide(request: HttpRequest, ladder_id: str, challenge_id: int) -> HttpResponse:
    """Decide how a challenge ended that was not played here."""
    by = current_user(request)
    number = found_or_404(ladder_selectors.challenge_on, ladder_id=ladder_id, challenge_id=challenge_id)

    def decide(data: Mapping[str, Any]) -> None:
        winner = None
        if data["winner"]:
            code = "ladder_no_such_winner"
            winner = ladder_selectors.player_on(ladder_id=ladder_id, user_id=data["winner"], code=code)
        services.challenge_decide(challenge_id=number, by=by, winner=winner, reason=data["reason"])

    return _submit(request, ladder_id, DecideForm(request.POST), decide, _("Challenge decided."))


@member
@require_POST
def season_close(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """End the season, keep its table, and begin the next."""
    by, form = current_user(request), SeasonForm(request.POST)

    def close(data: Mapping[str, Any]) -> None:
        services.season_close(ladder_id=ladder_id, by=by, name=data["name"], ends_at=form.ends_at())

    return _submit(request, ladder_id, form, close, _("Season ended."))
