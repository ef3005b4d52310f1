"""The pages of ladders. Thin: parse, call one service or selector, show. A refusal is a message, never an error page;
who does not direct the club of a ladder is told so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.policy import member, public, who
from accounts.roles import clubs_directed
from games import ladder_words
from games.errors import NotFound, Refused
from games.forms import DecideForm, LadderForm, PlaceForm, ReasonForm, SeasonForm, answers_of
from games.ladders import KINDS
from games.models import Ladder
from games.selectors import ladders
from games.services import ladders as services
from games.views.common import page_of, tried, viewer

MOST_DAYS = 400


# To look


@public
@require_safe
def ladder_list(request: HttpRequest) -> HttpResponse:
    """All ladders, by club."""
    user = viewer(request)
    context = {"clubs": ladders.of_clubs(user), "directs": bool(user and clubs_directed(user))}
    return render(request, "games/ladders/list.html", context)


@public
@require_safe
def ladder(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """A ladder: its places, whom one may challenge, what happened, its rules."""
    return _page(request, ladder_id, "games/ladders/ladder.html")


@public
@require_safe
def ladder_live(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """The part of that page that changes, for its refresh."""
    return _page(request, ladder_id, "games/ladders/_live.html")


def _page(request: HttpRequest, ladder_id: str, template: str) -> HttpResponse:
    try:
        view = ladders.page(ladder_id=ladder_id, user=viewer(request))
    except NotFound as refused:
        raise Http404(refused.text) from refused
    return render(request, template, {"view": view, "ladder": view.ladder, "path": reverse("ladder", args=[ladder_id])})


@public
@require_safe
def ladder_story(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Everything that happened on a ladder, a page at a time."""
    try:
        story = ladders.story(ladder_id=ladder_id)
    except NotFound as refused:
        raise Http404(refused.text) from refused
    page = page_of(request, story.events)
    context = {"ladder": story.ladder, "page": page, "told": story.told(page.object_list)}
    return render(request, "games/ladders/story.html", context)


@public
@require_safe
def ladder_season(request: HttpRequest, ladder_id: str, number: int) -> HttpResponse:
    """The final table of a season that is over."""
    try:
        found, season, rows = ladders.season(ladder_id=ladder_id, number=number)
    except NotFound as refused:
        raise Http404(refused.text) from refused
    return render(request, "games/ladders/season.html", {"ladder": found, "season": season, "rows": rows})


# To take part


def _back(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """To the ladder again, at the place that the form names."""
    at = slugify(request.POST.get("at", "")[:40])
    return redirect(reverse("ladder", args=[ladder_id]) + (f"#{at}" if at else ""))


def _act(
    request: HttpRequest, ladder_id: str, service: Callable[..., object], done: str = "", **facts: Any
) -> HttpResponse:
    """One service, and back to the ladder."""
    tried(request, lambda: service(ladder_id=ladder_id, **facts), done)
    return _back(request, ladder_id)


def _number(request: HttpRequest, name: str, most: int = 2**31 - 1) -> int:
    """A number of the form; 0, which nothing has, for anything else."""
    text = request.POST.get(name, "")
    return min(int(text), most) if text.isascii() and text.isdecimal() and len(text) < 11 else 0


@member
@require_POST
def ladder_join(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Step onto a ladder."""
    return _act(request, ladder_id, services.ladder_join, _("You are on the ladder."), user=who(request))


@member
@require_POST
def ladder_leave(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Step off it."""
    return _act(request, ladder_id, services.ladder_leave, _("You have left the ladder."), user=who(request))


@member
@require_POST
def ladder_away(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Be away for some days."""
    days = _number(request, "days", MOST_DAYS)
    return _act(request, ladder_id, services.ladder_away, _("Have a good time away."), user=who(request), days=days)


@member
@require_POST
def ladder_back(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Be back before the time."""
    return _act(request, ladder_id, services.ladder_back, _("Welcome back."), user=who(request))


@member
@require_POST
def challenge_make(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Challenge a player of the ladder."""
    rival = ladders.player_on(ladder_id=ladder_id, user_id=_number(request, "rival"))
    if rival is None:
        messages.error(request, Refused("ladder_rival_not_on").text)
        return _back(request, ladder_id)
    return _act(
        request, ladder_id, services.challenge_make, _("The challenge is made."), user=who(request), rival=rival
    )


def _answer(
    request: HttpRequest, ladder_id: str, challenge_id: int, service: Callable[..., object], done: str, **facts: Any
) -> HttpResponse:
    """One service about a challenge of this ladder."""
    if not ladders.has_challenge(ladder_id=ladder_id, challenge_id=challenge_id):
        raise Http404
    tried(request, lambda: service(challenge_id=challenge_id, **facts), done)
    return _back(request, ladder_id)


@member
@require_POST
def challenge_accept(request: HttpRequest, ladder_id: str, challenge_id: int) -> HttpResponse:
    """Accept a challenge: the table is set."""
    return _answer(
        request,
        ladder_id,
        challenge_id,
        services.challenge_accept,
        _("The match is ready: go to the board when you like."),
        user=who(request),
    )


@member
@require_POST
def challenge_decline(request: HttpRequest, ladder_id: str, challenge_id: int) -> HttpResponse:
    """Say no to a challenge."""
    done = _("You have declined the challenge.")
    return _answer(request, ladder_id, challenge_id, services.challenge_decline, done, user=who(request))


@member
@require_POST
def challenge_withdraw(request: HttpRequest, ladder_id: str, challenge_id: int) -> HttpResponse:
    """Take one's challenge back."""
    done = _("The challenge is taken back.")
    return _answer(request, ladder_id, challenge_id, services.challenge_withdraw, done, user=who(request))


# To direct


@member
@require_http_methods(["GET", "HEAD", "POST"])
def ladder_new(request: HttpRequest) -> HttpResponse:
    """Set up a ladder for a club that one directs; `?kind=` chooses its rules."""
    user = who(request)
    clubs = clubs_directed(user)
    if not clubs:
        return _not_director(request, Refused("ladder_not_director"))
    if request.method != "POST":
        return _new(request, LadderForm(clubs=clubs, answers={"kind": request.GET.get("kind", "")}))
    form = LadderForm(request.POST, clubs=clubs)
    made = _make(form, lambda facts: services.ladder_create(by=user, **facts))
    if made is None:
        return _new(request, form, status=422)
    messages.success(request, _("The ladder is set up."))
    return redirect("ladder", made.pk)


def _make(form: LadderForm, act: Callable[[dict[str, Any]], Any]) -> Any:
    """What the service makes of a form; None when something does not fit, which the form then says."""
    if not form.is_valid():
        return None
    try:
        return act(form.facts())
    except Refused as refused:
        form.refuse(refused)
    return None


def _new(request: HttpRequest, form: LadderForm, status: int = 200) -> HttpResponse:
    kinds = [(key, ladder_words.kind(key), ladder_words.KIND_FACTS[key]) for key in KINDS]
    return render(request, "games/ladders/new.html", {"form": form, "kinds": kinds}, status=status)


def _not_director(request: HttpRequest, refused: Refused, ladder_id: str = "") -> HttpResponse:
    context = {"ladder_id": ladder_id, "reason": refused.text}
    return render(request, "games/ladders/not_director.html", context, status=403)


@member
@require_safe
def ladder_terms(request: HttpRequest) -> HttpResponse:
    """The clocks and options of the chosen game: the part of the form that changes with it."""
    said = {key: request.GET.get(key, "")[:24] for key in ("variant", "kind")}
    return render(request, "games/ladders/_form_game.html", {"form": LadderForm(clubs=[], answers=said)})


@member
@require_http_methods(["GET", "HEAD", "POST"])
def ladder_settings(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Change a ladder; its kind stays."""
    user = who(request)
    try:
        found = ladders.directed(ladder_id=ladder_id, user=user)
    except NotFound as refused:
        raise Http404(refused.text) from refused
    except Refused as refused:
        return _not_director(request, refused, ladder_id)
    if request.method != "POST":
        return _settings(request, found, LadderForm(clubs=[found.club], answers=answers_of(found)))
    typed = request.POST.copy()
    typed["kind"] = found.kind
    form = LadderForm(typed, clubs=[found.club], answers=answers_of(found))
    if _make(form, lambda facts: _change(found, user, facts)) is None:
        return _settings(request, found, form, status=422)
    messages.success(request, _("The settings are saved."))
    return redirect("ladder", ladder_id)


def _change(found: Ladder, user: User, facts: dict[str, Any]) -> Ladder:
    del facts["club"]
    return services.ladder_change(ladder_id=found.pk, by=user, **facts)


def _settings(request: HttpRequest, found: Ladder, form: LadderForm, status: int = 200) -> HttpResponse:
    return render(request, "games/ladders/settings.html", {"ladder": found, "form": form}, status=status)


def _complain(request: HttpRequest, form: forms.Form) -> None:
    """Say what is wrong with a small form, each thing once, with the name of its field."""
    for name, errors in form.errors.items():
        label = form.fields[name].label if name in form.fields else ""
        messages.error(request, f"{label}: {errors[0]}" if label else str(errors[0]))


@member
@require_POST
def ladder_close(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Close a ladder."""
    return _act(request, ladder_id, services.ladder_close, _("The ladder is closed."), by=who(request))


@member
@require_POST
def ladder_open(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Open it again."""
    return _act(request, ladder_id, services.ladder_open, _("The ladder is open again."), by=who(request))


@member
@require_POST
def ladder_undo(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Take back what moved somebody."""
    return _again(request, ladder_id, services.ladder_undo, _("It is taken back."))


@member
@require_POST
def ladder_redo(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Let it count again."""
    return _again(request, ladder_id, services.ladder_redo, _("It counts again."))


def _again(request: HttpRequest, ladder_id: str, service: Callable[..., object], done: str) -> HttpResponse:
    form = ReasonForm(request.POST)
    if not form.is_valid():
        _complain(request, form)
        return _back(request, ladder_id)
    return _act(request, ladder_id, service, done, by=who(request), **form.cleaned_data)


@member
@require_POST
def ladder_place(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Give a player another place."""
    form = PlaceForm(request.POST)
    user = None
    if form.is_valid():
        user = ladders.player_on(ladder_id=ladder_id, user_id=form.cleaned_data["player"])
        if user is None:
            messages.error(request, Refused("ladder_rival_not_on").text)
    else:
        _complain(request, form)
    if user is None:
        return _back(request, ladder_id)
    facts = {"to": form.cleaned_data["to"], "reason": form.cleaned_data["reason"]}
    return _act(
        request, ladder_id, services.ladder_place, _("The place is changed."), by=who(request), user=user, **facts
    )


@member
@require_POST
def challenge_decide(request: HttpRequest, ladder_id: str, challenge_id: int) -> HttpResponse:
    """Say how a challenge ended that was not played here."""
    form = DecideForm(request.POST)
    if not form.is_valid():
        _complain(request, form)
        return _back(request, ladder_id)
    chosen = form.cleaned_data["winner"]
    winner = ladders.player_on(ladder_id=ladder_id, user_id=chosen) if chosen else None
    if chosen and winner is None:
        messages.error(request, Refused("ladder_no_such_winner").text)
        return _back(request, ladder_id)
    facts = {"by": who(request), "winner": winner, "reason": form.cleaned_data["reason"]}
    return _answer(request, ladder_id, challenge_id, services.challenge_decide, _("The challenge is decided."), **facts)


@member
@require_POST
def season_close(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """End the season, keep its table, and begin the next."""
    form = SeasonForm(request.POST)
    if not form.is_valid():
        _complain(request, form)
        return _back(request, ladder_id)
    facts = {"name": form.cleaned_data["name"], "ends_at": form.ends_at()}
    return _act(request, ladder_id, services.season_close, _("The season is over."), by=who(request), **facts)
