"""The people of a weekend at its desk: the register, shared boards, and fees."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.web.policy import member, public
from games.errors import Refused
from games.views.request import not_found_as_404, viewer
from tournaments.forms.boards import BoardsForm
from tournaments.forms.roster import EntrantForm
from tournaments.selectors.exports import csv_lines
from tournaments.selectors.weekends import fees, lookups, people, records
from tournaments.selectors.weekends.prizes import weekend_prizes as prizes_of
from tournaments.services import weekend_people as services
from tournaments.services.weekends import MOST_TOURNAMENTS
from tournaments.views.responses import form_is_valid, posted_number
from tournaments.views.weekend_responses import back_to_weekend, run_on_weekend, weekend_or_forbidden
from tournaments.weekend_roles import WeekendAct

LONGEST_NUMBER = 12  # digits of the id of an entry


@member
@require_safe
def weekend_people(request: HttpRequest, weekend_id: str) -> HttpResponse:
    """Show who is in which tournament, and the forms to enter a person and to set the boards."""
    seen = weekend_or_forbidden(request, weekend_id, WeekendAct.MANAGE_PEOPLE)
    return seen if isinstance(seen, HttpResponse) else _people_page(request, seen)


def _people_page(
    request: HttpRequest, seen: lookups.SeenWeekend, *, typed: str = "", status: int = 200
) -> HttpResponse:
    """`typed` is a name that a member has: the page asks whether they are meant."""
    register = people.register(seen.weekend)
    boards = lookups.boards_by_tournament([tournament.pk for tournament in register.tournaments])
    known = next(iter(boards.values()), None)
    context = {
        "weekend": seen.weekend,
        "may": seen.may,
        "register": register,
        "typed": typed,
        "chosen": request.POST.getlist("tournaments"),
        "boards_form": BoardsForm(initial=BoardsForm.initial_of(known) if known is not None else {"automatic": True}),
    }
    return render(request, "weekends/people.html", context, status=status)


@member
@require_POST
def weekend_person_add(request: HttpRequest, weekend_id: str) -> HttpResponse:
    """Enter a member, or a walk-in by name, in the chosen tournaments; ask first where a member has that name."""
    form = EntrantForm(request.POST)
    if not form_is_valid(request, form):
        return back_to_weekend(request, weekend_id, "weekend-people")
    seen = weekend_or_forbidden(request, weekend_id, WeekendAct.MANAGE_PEOPLE)
    if isinstance(seen, HttpResponse):
        return seen
    name = form.cleaned_data["name"]
    try:
        person = form.person()
    except Refused as refused:
        if refused.code == "is_member":
            return _people_page(request, seen, typed=name, status=422)
        messages.error(request, refused.text)
        return back_to_weekend(request, weekend_id, "weekend-people")
    return run_on_weekend(
        request,
        weekend_id,
        services.weekend_person_add,
        _("%(name)s added.") % {"name": name},
        to="weekend-people",
        tournament_ids=_chosen(request),
        **person,
    )


@member
@require_POST
def weekend_boards(request: HttpRequest, weekend_id: str) -> HttpResponse:
    """Set the same rooms and boards for the chosen tournaments."""
    form = BoardsForm(request.POST)
    if not form_is_valid(request, form):
        return back_to_weekend(request, weekend_id, "weekend-people")
    return run_on_weekend(
        request,
        weekend_id,
        services.weekend_boards_set,
        _("Boards saved."),
        to="weekend-people",
        tournament_ids=_chosen(request),
        boards=form.boards(),
    )


def _chosen(request: HttpRequest) -> list[str]:
    return request.POST.getlist("tournaments")[: 4 * MOST_TOURNAMENTS]


@member
@require_safe
def weekend_fees(request: HttpRequest, weekend_id: str) -> HttpResponseBase:
    """Show what each person has paid and has to pay; `?format=csv` as a file."""
    seen = weekend_or_forbidden(request, weekend_id, WeekendAct.MANAGE_PEOPLE)
    if isinstance(seen, HttpResponse):
        return seen
    found = fees.fee_register(seen.weekend)
    if request.GET.get("format") == "csv":
        response = StreamingHttpResponse(csv_lines(fees.fee_rows(found)), content_type="text/csv; charset=utf-8")
        name = slugify(seen.weekend.name) or seen.weekend.pk
        response["Content-Disposition"] = f'attachment; filename="{name}-fees.csv"'
        return response
    return render(request, "weekends/fees.html", {"weekend": seen.weekend, "may": seen.may, "fees": found})


@member
@require_POST
def weekend_paid(request: HttpRequest, weekend_id: str) -> HttpResponse:
    """Record that a person has paid (`action` is unpaid: has not), for one tournament or for all."""
    return run_on_weekend(
        request,
        weekend_id,
        services.weekend_fees_paid,
        to="weekend-fees",
        entrant_id=posted_number(request, "entrant", digits=LONGEST_NUMBER),
        tournament_id=request.POST.get("tournament") or None,
        paid=request.POST.get("action") != "unpaid",
    )


@public
@require_safe
def weekend_prizes(request: HttpRequest, weekend_id: str) -> HttpResponse:
    """Show the prizes of all tournaments: to directors all of them, to others those that are shown."""
    with not_found_as_404():
        seen = lookups.weekend_seen(weekend_id=weekend_id, user=viewer(request))
    directs = WeekendAct.KEEP_RECORDS in seen.may
    found = prizes_of(seen.weekend, everything=directs)
    kept = records.records(seen.weekend)
    context = {
        "weekend": seen.weekend,
        "may": seen.may,
        "prizes": found,
        "directs": directs,
        "records": kept,
        "consolations": records.consolation_amounts(kept, found),
    }
    return render(request, "weekends/prizes.html", context)
