"""Steps that the views of weekends share: look up a weekend for an act, run one service, go back."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.web.policy import current_user
from games.errors import Refused
from games.views.request import not_found_as_404, run_action
from tournaments.selectors.weekends import lookups
from tournaments.views.responses import not_director_page
from tournaments.weekend_roles import WeekendAct


def weekend_or_forbidden(request: HttpRequest, weekend_id: str, act: WeekendAct) -> lookups.SeenWeekend | HttpResponse:
    """A weekend at which the user may do an act, or the page that says why not. Raises Http404."""
    try:
        with not_found_as_404():
            return lookups.weekend_desk(weekend_id=weekend_id, user=current_user(request), act=act)
    except Refused as refused:
        return not_director_page(request, "", refused)


def run_on_weekend(
    request: HttpRequest,
    weekend_id: str,
    service: Callable[..., object],
    success: str = "",
    *,
    to: str = "weekend-desk",
    **kwargs: object,
) -> HttpResponse:
    """Run one service as the user, and go back to a page of the weekend's desk."""
    user = current_user(request)
    with not_found_as_404():
        lookups.weekend_seen(weekend_id=weekend_id, user=user)
    run_action(request, lambda: service(weekend_id=weekend_id, user=user, **kwargs), success)
    return back_to_weekend(request, weekend_id, to)


def back_to_weekend(request: HttpRequest, weekend_id: str, to: str = "weekend-desk") -> HttpResponse:
    """Redirect to a page of the weekend's desk, or for those who have no role there to the page for players."""
    with not_found_as_404():
        seen = lookups.weekend_seen(weekend_id=weekend_id, user=current_user(request))
    return redirect(to if WeekendAct.VIEW_DESK in seen.may else "weekend", weekend_id)
