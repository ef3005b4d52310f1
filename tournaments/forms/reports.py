"""The forms of reports for federations: the member numbers of the players, and the days of a club's report."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from accounts.models import FEDERATION_NUMBER, LONGEST_FEDERATION_NUMBER
from tournaments.models import Entrant
from tournaments.selectors.federation_report import MOST_DAYS


class FederationNumbersForm(forms.Form):
    """The member numbers of the entrants that the page showed."""

    def __init__(self, *args: Any, entrants: Iterable[Entrant], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.numbers = [entrant.number for entrant in entrants if _field_name(entrant.number) in self.data]
        for number in self.numbers:
            self.fields[_field_name(number)] = forms.CharField(
                required=False, max_length=LONGEST_FEDERATION_NUMBER, validators=[FEDERATION_NUMBER]
            )

    def numbers_by_entrant(self) -> dict[int, str]:
        """The numbers for `services.federation_numbers_set`."""
        return {number: self.cleaned_data[_field_name(number)] for number in self.numbers}


def _field_name(number: int) -> str:
    return f"member_{number}"


def _day(label: Any) -> forms.DateField:
    return forms.DateField(label=label, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))


class PeriodForm(forms.Form):
    """The days of a report: `first` to `last`, both included."""

    first = _day(_("Start date"))
    last = _day(_("End date"))

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        first, last = data.get("first"), data.get("last")
        if isinstance(first, date) and isinstance(last, date) and not 0 <= (last - first).days < MOST_DAYS:
            text = _t("Choose a period of at most %(most)s days that doesn't end before it starts.")
            self.add_error("last", text % {"most": MOST_DAYS})
        return data
