"""The director's desk, and what directors do about the tournament as a whole."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.web.policy import current_user, member
from games.errors import Refused
from games.views.request import not_found_as_404, run_action
from tournaments import services
from tournaments.forms.boards import BoardsForm
from tournaments.forms.director import AnnouncementForm, PasswordForm, RulingForm
from tournaments.forms.roster import DEFAULT_FILL_LEVEL, BotFillForm
from tournaments.selectors import director_desk
from tournaments.selectors.result_line import finished_places, open_places
from tournaments.selectors.weekends.conflicts import conflict_notes
from tournaments.views.responses import LONGEST_KEY, back_to_desk, not_director_page, run_on_desk, submit_on_desk


@member
@require_safe
def desk(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The desk of a tournament, for its officials: each sees what their role may do."""
    try:
        with not_found_as_404():
            view = director_desk.director_desk(
                tournament_id=tournament_id, user=current_user(request), whole_log="log" in request.GET
            )
    except Refused as refused:
        return not_director_page(request, tournament_id, refused)
    fill_form = BotFillForm(initial={"level": DEFAULT_FILL_LEVEL})
    context = {"view": view, "tournament": view.tournament, "fill_form": fill_form}
    context |= {"open_places": open_places(view), "finished_places": finished_places(view)}
    context["boards_form"] = BoardsForm(initial=BoardsForm.initial_of(view.state.boards))
    context["conflicts"] = conflict_notes(view.tournament)
    return render(request, "tournaments/desk.html", context)


@member
@require_POST
def desk_draw(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Make the draw."""
    return run_on_desk(request, tournament_id, services.tournament_draw, _("Draw completed."))


@member
@require_POST
def desk_start(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Start the tournament; make the draw first if there is none."""
    return run_on_desk(request, tournament_id, services.tournament_start, _("The tournament has started."))


@member
@require_POST
def desk_cancel(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Cancel the tournament, if the confirmation box is ticked."""
    if not request.POST.get("sure"):
        messages.error(request, _("The tournament was not cancelled. Tick the box to confirm."))
        return back_to_desk(request, tournament_id)
    return run_on_desk(request, tournament_id, services.tournament_cancel, _("Tournament cancelled."))


@member
@require_POST
def desk_alert(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Dismiss an alert."""
    kind, key = request.POST.get("what", "")[:20], request.POST.get("key", "")[:LONGEST_KEY]
    return run_on_desk(request, tournament_id, services.alert_dismiss, kind=kind, key=key)


@member
@require_POST
def desk_announce(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Post an announcement."""
    form = AnnouncementForm(request.POST)
    return submit_on_desk(
        request,
        tournament_id,
        form,
        services.announcement_post,
        lambda: {"text": form.cleaned_data["text"]},
        _("Announcement posted."),
    )


@member
@require_POST
def desk_ruling(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Write down a ruling with its reason."""
    form = RulingForm(request.POST)
    return submit_on_desk(
        request, tournament_id, form, services.ruling_record, lambda: form.cleaned_data, _("Ruling recorded.")
    )


@member
@require_POST
def desk_invitation(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Make a new invitation link, or (`action` is password) set the password."""
    if request.POST.get("action") != "password":
        return run_on_desk(request, tournament_id, services.invitation_renew, _("New invitation link created."))
    form = PasswordForm(request.POST)
    return submit_on_desk(
        request,
        tournament_id,
        form,
        services.password_set,
        lambda: {"password": form.cleaned_data["password"]},
        _("Password saved."),
    )


@member
@require_POST
def tournament_take_over(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Make an owner of the club a director of its tournament."""
    user = current_user(request)
    done = run_action(request, lambda: services.director_take_over(tournament_id=tournament_id, user=user))
    return redirect("tournament-desk" if done else "tournament", tournament_id)
