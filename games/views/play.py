"""The lobby and the tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import condition, require_POST, require_safe

from accounts.limits import limited
from accounts.models import User
from accounts.policy import player, public, who
from accounts.services import guest_enter
from accounts.views import way_back
from games import events, services
from games.chapters import SHAPE
from games.errors import KeptOut, NotFound, Refused
from games.forms import BOT, MatchForm
from games.models import Match
from games.selectors import archive, chapters, friends, history, ladders, lists, table
from games.views import ratings
from games.views.common import viewer

KEPT_FOR = 365 * 24 * 3600
"""Seconds that a browser may keep a game of a finished match."""


def _lobby(request: HttpRequest, form: MatchForm | None = None, status: int = 200) -> HttpResponse:
    user = viewer(request)
    form = form or MatchForm(creator=user, name=request.GET.get("opponent", "")[:24])
    return render(request, "games/lobby.html", {**_lists(user), "form": form}, status=status)


def _lists(user: User | None) -> dict[str, Any]:
    return {"lobby": lists.lobby(user), "calls": ladders.calls_on(user), "friends": friends.friends_here(user)}


@public
@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """The first page: a welcome for passers-by; one's matches, challenges and open seeks for players."""
    return _lobby(request)


@public
@require_safe
def lobby_lists(request: HttpRequest) -> HttpResponse:
    """The lists of the lobby alone, for their refresh."""
    return render(request, "games/_lobby_lists.html", _lists(viewer(request)))


@public
@require_safe
def match_terms(request: HttpRequest) -> HttpResponse:
    """The lengths, clocks and options of the chosen game: the part of the form that changes with it."""
    said = {key: value[:24] for key, value in request.GET.items()}
    if request.headers.get("HX-Trigger-Name") == "variant":  # another game begins with its own usual terms
        said = {"variant": said.get("variant", "")}
    form = MatchForm(creator=viewer(request), initial=said)
    return render(request, "games/_match_terms.html", {"form": form})


@player
@require_POST
def match_create(request: HttpRequest) -> HttpResponse:
    """Open a seek, challenge a player, or sit down with the computer."""
    form = MatchForm(request.POST, creator=who(request))
    if not form.is_valid():
        return _lobby(request, form, status=422)
    try:
        match = services.match_create(creator=who(request), **form.offer())
    except Refused as refused:
        form.add_error(None, refused.text)
        return _lobby(request, form, status=422)
    if match.status == Match.Status.LIVE:
        return redirect("match", match.pk)
    if match.invited:
        messages.success(request, _("Your challenge to %(name)s is sent.") % {"name": match.invited})
    else:
        messages.success(request, _("Your seek is open. The match starts as soon as somebody accepts it."))
    return redirect("lobby")


def _try(request: HttpRequest, act: Callable[[], Match | None]) -> Match | None:
    """Do it, or tell the player why not."""
    try:
        return act()
    except NotFound as refused:
        raise Http404(refused.text) from refused
    except Refused as refused:
        messages.error(request, refused.text)
        return None


@player
@require_POST
def match_join(request: HttpRequest, match_id: str) -> HttpResponse:
    """Accept a seek or a challenge: the match starts."""
    match = _try(request, lambda: services.match_join(match_id=match_id, user=who(request)))
    return redirect("match", match.pk) if match else redirect("lobby")


@player
@require_POST
def match_arrive(request: HttpRequest, match_id: str) -> HttpResponse:
    """Come to the table of an arranged match: it begins when both are there."""
    _try(request, lambda: services.match_arrive(match_id=match_id, user=who(request)))
    return redirect("match", match_id)


@player
@require_POST
def match_go_on(request: HttpRequest, match_id: str) -> HttpResponse:
    """Come back to an adjourned match: it goes on when both players have."""
    try:
        services.match_go_on(match_id=match_id, user_id=who(request).pk)
    except NotFound as refused:
        raise Http404(refused.text) from refused
    except Refused as refused:
        messages.error(request, refused.text)
    return redirect("match", match_id)


@player
@require_POST
def match_cancel(request: HttpRequest, match_id: str) -> HttpResponse:
    """Take back one's own seek or challenge."""
    _try(request, lambda: services.match_cancel(match_id=match_id, user=who(request)))
    return redirect("lobby")


@player
@require_POST
def match_decline(request: HttpRequest, match_id: str) -> HttpResponse:
    """Say no to a challenge."""
    _try(request, lambda: services.match_decline(match_id=match_id, user=who(request)))
    return redirect("lobby")


@player
@require_POST
def match_rematch(request: HttpRequest, match_id: str) -> HttpResponse:
    """Offer a rematch, or accept the rival's: then both sit at the new table."""
    match = _try(request, lambda: services.match_rematch(match_id=match_id, user=who(request)))
    return redirect("match", match.pk if match else match_id)


@limited("guest", when=lambda request: viewer(request) is None)
@public
@require_POST
def guest_create(request: HttpRequest) -> HttpResponse:
    """One click to play: make a guest, and go to the computer's table, to a seek, or to the lobby."""
    if joined := request.POST.get("join"):  # nobody becomes a guest for a table that is not there
        _try(request, lambda: lists.match_seen(match_id=joined, user=viewer(request)))
    user = guest_enter(request=request)
    if joined:
        match = _try(request, lambda: services.match_join(match_id=joined, user=user))
    elif request.POST.get("go") == BOT:
        match = _try(request, lambda: _bot_match(user))
    else:
        return redirect(way_back(request))
    return redirect("match", match.pk) if match else redirect("lobby")


def _bot_match(user: User) -> Match:
    first = {"rival": BOT, "variant": "backgammon", "length": "3", "clock": "none", "cube": "on"}
    form = MatchForm(first, creator=user)
    if not form.is_valid():
        raise Refused("engine_missing")
    return services.match_create(creator=user, **form.offer())


@public
@require_safe
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """A table: the offer while it is open, the live board, and the replay afterwards."""
    user = viewer(request)
    try:
        found = lists.match_seen(match_id=match_id, user=user)
        if found.on_board:
            context = {"match": found, "row": lists.rows([found], user)[0], **ratings.about(found, user)}
            return render(request, "games/match_board.html", context)
        if not found.snapshot:
            template = "games/match_ready.html" if found.arranged else "games/match_open.html"
            return render(request, template, {"match": found, "row": lists.rows([found], user)[0]})
        event, side = table.event_of(found, user_id=user.pk if user else None)
    except KeptOut as refused:
        return render(request, "games/kept_out.html", {"refused": refused}, status=403)
    except NotFound as refused:
        raise Http404(refused.text) from refused
    over = event["match"]["status"] == Match.Status.OVER
    context = {
        **(ratings.about(found, user) if over else {}),
        "ratings": ratings.beside(found, side),
        "match": found,
        "row": lists.rows([found], user)[0],
        "config": _config(found, user, side),
        "state": events.for_viewer(event, side, "state"),
        "seat": side,
        "over": over,
        "kinds": archive.kinds(found) if over else [],
        "replay": chapters.contents_of(found) if over else None,
        "mark": history.marks_of(user, [found.pk])[found.pk] if user and history.may_mark(found, user) else None,
    }
    return render(request, "games/match.html", context)


def _etag(request: HttpRequest, match_id: str, game: int) -> str | None:
    """Of a game of a finished match: nothing changes in it but the way it is told."""
    version = Match.objects.filter(pk=match_id, status=Match.Status.OVER).values_list("version", flat=True).first()
    return None if version is None else f'"{SHAPE}-{version}"'


@public
@require_safe
@condition(etag_func=_etag)
def match_game(request: HttpRequest, match_id: str, game: int) -> HttpResponse:
    """The positions of one game of a finished match, for its page; browsers may keep them."""
    try:
        found = lists.match_seen(match_id=match_id, user=None)
        if found.status != Match.Status.OVER:
            raise NotFound
        told = chapters.chapter_of(found, game)
    except NotFound as refused:
        raise Http404(refused.text) from refused
    return JsonResponse(told, headers={"Cache-Control": f"public, max-age={KEPT_FOR}, immutable"})


@public
@require_safe
def match_ready(request: HttpRequest, match_id: str) -> HttpResponse:
    """Who has come to an arranged match, alone, for its refresh; once it has begun or is called off, the whole page."""
    user = viewer(request)
    try:
        found = lists.match_seen(match_id=match_id, user=user)
    except NotFound as refused:
        raise Http404(refused.text) from refused
    if not found.arranged or found.status != Match.Status.OPEN:
        return HttpResponse(headers={"HX-Refresh": "true"})
    return render(request, "games/_match_ready.html", {"match": found, "row": lists.rows([found], user)[0]})


def _config(found: Match, user: User | None, side: str | None) -> dict[str, Any]:
    """What the page's script must know before it speaks to the server."""
    prefs = user or User()
    return {
        "matchId": found.pk,
        "socketUrl": f"/ws/match/{found.pk}/",
        "apiUrl": reverse("api-match", args=[found.pk]),
        "you": side,
        "prefs": {key: getattr(prefs, key) for key in ("auto_roll", "auto_forced", "sound", "direction", "confirm")},
        "names": {seat.side: seat.name for seat in found.seats.all()},
        "bots": [seat.side for seat in found.seats.all() if seat.user is not None and seat.user.is_bot],
        "rulesUrl": reverse("ruling", args=["B1"]).removesuffix("B1/"),
    }
