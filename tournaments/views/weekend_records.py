"""The records of a weekend: side pools, auctions, consolation shares."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.web.policy import member
from tournaments.forms.weekend_records import FORMS, RecordChoices, RecordForm
from tournaments.models import Weekend
from tournaments.selectors.weekends import people, records
from tournaments.services.weekend_records import weekend_record_remove, weekend_record_set
from tournaments.views.responses import form_is_valid, posted_number
from tournaments.views.weekend_responses import back_to_weekend, run_on_weekend, weekend_or_forbidden
from tournaments.weekend_roles import WeekendAct

PAGE = "weekend-records"


@member
@require_http_methods(["GET", "HEAD", "POST"])
def weekend_records(request: HttpRequest, weekend_id: str) -> HttpResponse:
    """Show the records; add one, correct the one that `ref` names, or (`action` is remove) take it out."""
    seen = weekend_or_forbidden(request, weekend_id, WeekendAct.KEEP_RECORDS)
    if isinstance(seen, HttpResponse):
        return seen
    if request.method == "POST":
        return _save(request, seen.weekend)
    found = records.records(seen.weekend)
    choices = _choices(seen.weekend)
    kinds = (("pool", found.pools), ("lot", found.lots), ("consolation", found.consolations))
    parts = [(kind, _form(kind, choices), [(row, _form(kind, choices, row)) for row in rows]) for kind, rows in kinds]
    context = {"weekend": seen.weekend, "may": seen.may, "records": found, "parts": parts}
    return render(request, "weekends/records.html", context)


def _save(request: HttpRequest, weekend: Weekend) -> HttpResponse:
    ref = posted_number(request, "ref") or None
    if request.POST.get("action") == "remove":
        return run_on_weekend(
            request,
            weekend.pk,
            weekend_record_remove,
            _("Record removed. The history keeps it."),
            to=PAGE,
            ref=ref or 0,
        )
    form_class = FORMS.get(request.POST.get("kind", ""))
    if form_class is None:
        return back_to_weekend(request, weekend.pk, PAGE)
    form = form_class(request.POST, choices=_choices(weekend))
    if not form_is_valid(request, form):
        return back_to_weekend(request, weekend.pk, PAGE)
    content = form.content()
    return run_on_weekend(
        request, weekend.pk, weekend_record_set, _("Record saved."), to=PAGE, content=content, ref=ref
    )


def _choices(weekend: Weekend) -> RecordChoices:
    register = people.register(weekend)
    return RecordChoices(
        [(person.entrant.pk, person.name) for person in register.people],
        [(tournament.pk, tournament.name) for tournament in register.tournaments],
    )


def _form(kind: str, choices: RecordChoices, row: records.RecordRow | None = None) -> RecordForm:
    """The empty form of a kind, or that of a record to correct."""
    if row is None:
        return FORMS[kind](choices=choices)
    return FORMS[kind](choices=choices, row=row.content, prefix_id=row.ref)
