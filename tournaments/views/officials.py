"""The roles of a tournament: directors appoint and dismiss its officials."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.web.policy import current_user, member
from games.errors import Refused
from games.views.request import not_found_as_404, run_action
from tournaments import services
from tournaments.forms.officials import AppointForm
from tournaments.forms.roster import MemberForm
from tournaments.roles import DeskAct, Role
from tournaments.selectors import lookups
from tournaments.selectors.officials import officials_of
from tournaments.views.responses import form_is_valid, not_director_page


@member
@require_http_methods(["GET", "HEAD", "POST"])
def desk_roles(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Show who has which role; appoint somebody, or (`action` is dismiss) take their role away."""
    user = current_user(request)
    try:
        with not_found_as_404():
            if request.method == "POST":
                lookups.desk_tournament(tournament_id=tournament_id, user=user, act=DeskAct.APPOINT)
                return _change(request, tournament_id)
            found = officials_of(tournament_id=tournament_id, user=user)
    except Refused as refused:
        return not_director_page(request, tournament_id, refused)
    context = {"officials": found, "tournament": found.tournament, "roles": Role}
    return render(request, "tournaments/roles.html", context)


def _change(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Appoint or dismiss the named member, and go back to the page."""
    user = current_user(request)
    dismiss = request.POST.get("action") == "dismiss"
    form = MemberForm(request.POST) if dismiss else AppointForm(request.POST)
    if form_is_valid(request, form):
        official = form.cleaned_data["name"]
        if isinstance(form, AppointForm):
            kwargs, role = form.kwargs(), Role(form.cleaned_data["role"]).label
            success = _("%(name)s now has the role: %(role)s.") % {"name": official.username, "role": role}
            run_action(
                request,
                lambda: services.official_appoint(tournament_id=tournament_id, user=user, **kwargs),
                success,
            )
        else:
            success = _("%(name)s no longer has a role.") % {"name": official.username}
            run_action(
                request,
                lambda: services.official_dismiss(tournament_id=tournament_id, user=user, official=official),
                success,
            )
    if _has_resigned(request, tournament_id):
        return redirect("tournament", tournament_id)
    return redirect("desk-roles", tournament_id)


def _has_resigned(request: HttpRequest, tournament_id: str) -> bool:
    """Whether the user may not see the page any more: they changed their own role."""
    try:
        lookups.desk_tournament(tournament_id=tournament_id, user=current_user(request), act=DeskAct.APPOINT)
    except Refused:
        return True
    return False
