"""The pages of the lobby and of single matches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import condition, require_POST, require_safe

from accounts.models import User
from accounts.users.services import guest_sign_in
from accounts.web.limits import limited
from accounts.web.page_sections import sections
from accounts.web.policy import current_user, player, public
from accounts.web.redirects import return_url
from games import events, labels, services
from games.errors import NotFound, Refused, ViewerBlocked
from games.forms import BOT, MatchForm, QuickForm, Terms, remember, remembered
from games.forms.play import DEFAULT_STRENGTH, DEFAULT_VARIANT
from games.models import Match
from games.ratings import Standing
from games.replay_frames import FRAMES_VERSION
from games.selectors import followed_online, history, match_files, match_state, replay_frames
from games.selectors import lobby as lobby_selectors
from games.selectors.match_rows import match_rows
from games.selectors.matches import visible_match
from games.selectors.ratings import computer_ratings
from games.services.offers import house_bot
from games.views import ratings
from games.views.request import match_or_404, not_found_as_404, run_action, viewer

KEPT_FOR = 365 * 24 * 3600
"""Seconds that a browser may cache a game of a finished match."""


def _lobby(request: HttpRequest, form: MatchForm | None = None, status: int = 200) -> HttpResponse:
    user = viewer(request)
    last = remembered(request.session)
    custom = form is not None or "opponent" in request.GET or "custom" in request.GET
    form = form or MatchForm(creator=user, name=request.GET.get("opponent", "")[:24], initial=_initial(last))
    quick = QuickForm(last=last, guest=user is None or user.is_guest)
    context = {**_lists(user), "form": form, "quick": quick, "custom": custom, "aside": sections("lobby-aside")}
    context["computers"] = _computers()
    return render(request, "games/lobby.html", context, status=status)


def _computers() -> list[tuple[str, Promise, Standing | None]]:
    """The strengths of the computer, each with its rating in the usual game."""
    known = computer_ratings(DEFAULT_VARIANT)
    return [(level, name, known.get(int(level))) for level, name in labels.STRENGTHS.items()]


def _initial(last: Terms | None) -> dict[str, Any] | None:
    """The initial values of the long form: the terms that were chosen last."""
    if last is None:
        return None
    terms = {"variant": last.variant, "length": str(last.length), "clock": last.clock, "rated": last.rated}
    return {**terms, **last.options}


def _lists(user: User | None) -> dict[str, Any]:
    found = lobby_selectors.lobby(user)
    return {
        "lobby": found,
        "sections": sections("lobby", user=user),
        "tonight": sections("tonight", user=user),
        "friends": followed_online.followed_online(user, found.blocked),
        "featured": lobby_selectors.featured_match(found) if user is None else None,
    }


@public
@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """The home page: a welcome for visitors; matches, challenges and open games for players."""
    return _lobby(request)


@public
@require_safe
def lobby_lists(request: HttpRequest) -> HttpResponse:
    """The lists of the lobby alone, for their refresh."""
    return render(request, "games/_lobby_lists.html", _lists(viewer(request)))


@public
@require_safe
def match_terms(request: HttpRequest) -> HttpResponse:
    """The part of the match form that depends on the chosen game: lengths, clocks and options."""
    values = {key: value[:24] for key, value in request.GET.items()}
    if request.headers.get("HX-Trigger-Name") == "variant":  # another game starts with its own defaults
        values = {"variant": values.get("variant", "")}
    form = MatchForm(creator=viewer(request), initial=values)
    return render(request, "games/_match_terms.html", {"form": form})


@player
@require_POST
def match_create(request: HttpRequest) -> HttpResponse:
    """Post a game, challenge a player, or start a match against the computer."""
    form = MatchForm(request.POST, creator=current_user(request))
    if not form.is_valid():
        return _lobby(request, form, status=422)
    try:
        offer = form.offer()
        match = services.match_create(creator=current_user(request), **offer)
    except Refused as refused:
        form.add_error(None, refused.text)
        return _lobby(request, form, status=422)
    if match.status == Match.Status.LIVE:  # the computer has accepted
        return redirect("match", match.pk)
    remember(request.session, Terms(**{key: offer[key] for key in ("variant", "length", "clock", "rated", "options")}))
    if match.invited:
        messages.success(request, _("Challenge sent to %(name)s.") % {"name": match.invited})
    return redirect("lobby")


@limited("guest", when=lambda request: viewer(request) is None)
@public
@require_POST
def match_quick(request: HttpRequest) -> HttpResponse:
    """Join a game that waits on the chosen terms, or post one; a visitor becomes a guest."""
    user = viewer(request)
    last = remembered(request.session)
    form = QuickForm(request.POST, last=last, guest=user is None or user.is_guest)
    if not form.is_valid():
        messages.error(request, _("Choose one of the matches."))
        return redirect("lobby")
    user = guest_sign_in(request=request)
    terms = form.terms()
    match = _match_from(request, lambda: services.match_quick(user=user, **asdict(terms)))
    if match is None:
        return redirect("lobby")
    remember(request.session, terms)
    return redirect("match", match.pk) if match.status == Match.Status.LIVE else redirect("lobby")


@player
@require_POST
def match_invite(request: HttpRequest) -> HttpResponse:
    """Open a game for whoever gets its link, on the terms that were chosen last."""
    user = current_user(request)
    terms = remembered(request.session) or Terms(DEFAULT_VARIANT, 3, "club", rated=False)
    offer = {**asdict(terms), "rated": terms.rated and not user.is_guest}
    _match_from(request, lambda: services.match_create(creator=user, listed=False, **offer))
    return redirect("lobby")


@player
@require_POST
def match_wait(request: HttpRequest, match_id: str) -> HttpResponse:
    """Play the computer while an open game waits: its page goes to the game as soon as somebody joins it."""
    user, bot = current_user(request), house_bot(int(DEFAULT_STRENGTH))
    if bot is None:
        messages.error(request, Refused("engine_missing").text)
        return redirect("lobby")
    match = _match_from(request, lambda: services.match_while_waiting(match_id=match_id, user=user, bot=bot))
    return redirect(f"{reverse('match', args=[match.pk])}?waiting={match_id}") if match else redirect("lobby")


def _match_from(request: HttpRequest, act: Callable[[], Match | None]) -> Match | None:
    """The match that an action returns; None with a message if it is refused. Raises Http404."""
    try:
        with not_found_as_404():
            return act()
    except Refused as refused:
        messages.error(request, refused.text)
        return None


@player
@require_POST
def match_join(request: HttpRequest, match_id: str) -> HttpResponse:
    """Accept an open game or a challenge: the match starts."""
    match = _match_from(request, lambda: services.match_join(match_id=match_id, user=current_user(request)))
    return redirect("match", match.pk) if match else redirect("lobby")


@player
@require_POST
def match_arrive(request: HttpRequest, match_id: str) -> HttpResponse:
    """Join an arranged match: it starts when both players have joined."""
    run_action(request, lambda: services.match_arrive(match_id=match_id, user=current_user(request)))
    return redirect("match", match_id)


@player
@require_POST
def match_go_on(request: HttpRequest, match_id: str) -> HttpResponse:
    """Ask to resume an adjourned match: it continues when both players have asked."""
    run_action(request, lambda: services.match_go_on(match_id=match_id, user_id=current_user(request).pk))
    return redirect("match", match_id)


@player
@require_POST
def match_cancel(request: HttpRequest, match_id: str) -> HttpResponse:
    """Cancel the user's own open game or challenge."""
    run_action(request, lambda: services.match_cancel(match_id=match_id, user=current_user(request)))
    return redirect("lobby")


@player
@require_POST
def match_decline(request: HttpRequest, match_id: str) -> HttpResponse:
    """Decline a challenge."""
    run_action(request, lambda: services.match_decline(match_id=match_id, user=current_user(request)))
    return redirect("lobby")


@player
@require_POST
def match_rematch(request: HttpRequest, match_id: str) -> HttpResponse:
    """Offer a rematch, or accept the opponent's: then the new match starts."""
    match = _match_from(request, lambda: services.match_rematch(match_id=match_id, user=current_user(request)))
    return redirect("match", match.pk if match else match_id)


@limited("guest", when=lambda request: viewer(request) is None)
@public
@require_POST
def guest_create(request: HttpRequest) -> HttpResponse:
    """Play as a guest with one click: create the guest, and open a match against the computer, a game, or the lobby."""
    if joined := request.POST.get("join"):  # no guest is created for a match that does not exist
        run_action(request, lambda: visible_match(match_id=joined, user=viewer(request)))
    user = guest_sign_in(request=request)
    if joined:
        match = _match_from(request, lambda: services.match_join(match_id=joined, user=user))
    elif request.POST.get("go") == BOT:
        match = _match_from(request, lambda: _bot_match(user, request.POST.get("strength", DEFAULT_STRENGTH)))
    else:
        return redirect(return_url(request))
    return redirect("match", match.pk) if match else redirect("lobby")


def _bot_match(user: User, strength: str) -> Match:
    data = {
        "opponent": BOT,
        "variant": "backgammon",
        "length": "3",
        "clock": "none",
        "cube": "on",
        "strength": strength,
    }
    form = MatchForm(data, creator=user)
    if not form.is_valid():
        raise Refused("engine_missing")
    return services.match_create(creator=user, **form.offer())


@public
@require_safe
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """The page of a match: the offer while it is open, the live board, and the replay afterwards.

    With `?waiting=ID` it is played until somebody joins that open game of the user; then the page is that game's.
    """
    user = viewer(request)
    waiting = request.GET.get("waiting", "")
    if user and lobby_selectors.has_begun(waiting, creator=user):
        return redirect("match", waiting)
    try:
        found = visible_match(match_id=match_id, user=user)
        if found.over_the_board:
            context = {
                "match": found,
                "row": match_rows([found], user)[0],
                **ratings.match_ratings_context(found, user),
            }
            return render(request, "games/match_board.html", context)
        if not found.snapshot:
            if found.arranged:
                return render(request, "games/match_ready.html", {"match": found, "row": match_rows([found], user)[0]})
            return render(
                request, "games/match_open.html", {"match": found, "row": lobby_selectors.open_rows([found], user)[0]}
            )
        event, side = match_state.event_of(found, user_id=user.pk if user else None)
    except ViewerBlocked as refused:
        return render(request, "games/viewer_blocked.html", {"refused": refused}, status=403)
    except NotFound as refused:
        raise Http404(refused.text) from refused
    over = event["match"]["status"] == Match.Status.OVER
    context = {
        **(ratings.match_ratings_context(found, user) if over else {}),
        "ratings": ratings.displayed_ratings(found, side),
        "match": found,
        "row": match_rows([found], user)[0],
        "config": _config(found, user, side),
        "state": events.for_viewer(event, side, "state"),
        "seat": side,
        "over": over,
        "sections": [] if over else sections("match", match=found, user=user),
        "kinds": match_files.available_formats(found) if over else [],
        "replay": replay_frames.replay_contents_of(found) if over else None,
        "mark": history.marks_of(user, [found.pk])[found.pk] if user and history.may_mark(found, user) else None,
    }
    return render(request, "games/match.html", context)


def _etag(request: HttpRequest, match_id: str, game: int) -> str | None:
    """The ETag of a game of a finished match, which only changes with the format of its frames."""
    version = Match.objects.filter(pk=match_id, status=Match.Status.OVER).values_list("version", flat=True).first()
    return None if version is None else f'"{FRAMES_VERSION}-{version}"'


@public
@require_safe
@condition(etag_func=_etag)
def match_game(request: HttpRequest, match_id: str, game: int) -> HttpResponse:
    """The positions of one game of a finished match, for its page; browsers may cache them."""
    with not_found_as_404():
        found = visible_match(match_id=match_id, user=None)
        if found.status != Match.Status.OVER:
            raise NotFound
        frames = replay_frames.game_frames_of(found, game)
    return JsonResponse(frames, headers={"Cache-Control": f"public, max-age={KEPT_FOR}, immutable"})


@public
@require_safe
def match_ready(request: HttpRequest, match_id: str) -> HttpResponse:
    """The part that changes while a match waits for its players, empty for an open game.

    Once the match has started or is cancelled, the answer reloads the page.
    """
    user = viewer(request)
    found = match_or_404(request, match_id)
    if found.status != Match.Status.OPEN:
        return HttpResponse(headers={"HX-Refresh": "true"})
    if not found.arranged:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return render(request, "games/_match_ready.html", {"match": found, "row": match_rows([found], user)[0]})


def _config(found: Match, user: User | None, side: str | None) -> dict[str, Any]:
    """The settings that the page's script needs before it connects to the server."""
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
