"""Venue mode: take a tournament out, bring it to the venue's site, and bring its results back (ruling E27)."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.web.limits import is_post, limited
from accounts.web.policy import current_user, member
from games.errors import Refused
from games.views.request import not_found_as_404, run_action
from tournaments import services
from tournaments.forms.venue import BringHereForm, VenueFileForm
from tournaments.selectors import venue
from tournaments.views.responses import not_director_page


@member
@require_http_methods(["GET", "HEAD", "POST"])
def desk_venue(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Show where the tournament is; take it out, or (`action` is give-up) go on without the venue's copy."""
    user = current_user(request)
    try:
        with not_found_as_404():
            page = venue.venue_page(tournament_id=tournament_id, user=user)
    except Refused as refused:
        return not_director_page(request, tournament_id, refused)
    if request.method != "POST":
        context = {"page": page, "tournament": page.tournament, "form": VenueFileForm()}
        return render(request, "tournaments/venue.html", context)
    if request.POST.get("action") != "give-up":
        run_action(
            request,
            lambda: services.venue_take_out(tournament_id=tournament_id, user=user),
            _("The tournament is ready for the venue. Download its file now."),
        )
    elif not request.POST.get("sure"):
        messages.error(request, _("The copy was not given up. Tick the box to confirm."))
    else:
        run_action(
            request,
            lambda: services.venue_give_up(tournament_id=tournament_id, user=user),
            _("The tournament goes on here."),
        )
    return redirect("desk-venue", tournament_id)


@limited("export")
@member
@require_safe
def desk_venue_file(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The file to take along: to the venue, or the results back from it."""
    try:
        with not_found_as_404():
            found = venue.venue_download(tournament_id=tournament_id, user=current_user(request))
    except Refused as refused:
        return not_director_page(request, tournament_id, refused)
    if found is None:
        raise Http404
    response = HttpResponse(found.content, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{found.name}"'
    response["Cache-Control"] = "no-store"
    return response


@limited("import")
@member
@require_POST
def desk_venue_results(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Show what a file of results would bring, then (`action` is bring) bring it."""
    user = current_user(request)
    try:
        with not_found_as_404():
            page = venue.venue_page(tournament_id=tournament_id, user=user)
    except Refused as refused:
        return not_director_page(request, tournament_id, refused)
    form = VenueFileForm(request.POST, request.FILES)
    context: dict[str, Any] = {"page": page, "tournament": page.tournament, "form": form}
    if not form.is_valid():
        return render(request, "tournaments/venue.html", context, status=422)
    data = form.content()
    brings = request.POST.get("action") == "bring"
    try:
        if brings:
            members = request.POST.getlist("member")
            found = services.venue_results_bring(tournament_id=tournament_id, user=user, data=data, members=members)
        else:
            found = services.venue_results_check(tournament_id=tournament_id, user=user, data=data)
    except Refused as refused:
        form.add_error("file", refused.text)
        return render(request, "tournaments/venue.html", context, status=422)
    if not found.is_new:
        messages.info(request, _("Everything in this file is already here. Nothing was changed."))
        return redirect("desk-venue", tournament_id)
    if brings:
        number = len(found.results)
        text = ngettext("%(number)s result brought back.", "%(number)s results brought back.", number)
        messages.success(request, text % {"number": number})
        return redirect("tournament-desk", tournament_id)
    context |= {"back": venue.return_page(found, user), "text": data.decode()}
    return render(request, "tournaments/venue_results.html", context)


@limited("import", when=is_post)
@member
@require_http_methods(["GET", "HEAD", "POST"])
def venue_bring_here(request: HttpRequest) -> HttpResponse:
    """Bring a tournament to this site, which is the venue's."""
    user = current_user(request)
    try:
        services.check_may_bring_here(user)
    except Refused as refused:
        return not_director_page(request, "", refused)
    form = BringHereForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"form": form, "replaces": False}
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return render(request, "tournaments/venue_bring_here.html", context, status=status)
    try:
        made = services.venue_bring_here(user=user, data=form.content(), replace=form.cleaned_data["replace"])
    except Refused as refused:
        form.add_error("file", refused.text)
        context["replaces"] = refused.code == "venue_replaces"
        return render(request, "tournaments/venue_bring_here.html", context, status=422)
    messages.success(request, _("%(name)s is here, and you direct it.") % {"name": made.name})
    return redirect("tournament-desk", made.pk)
