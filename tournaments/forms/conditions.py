"""Who may enter by himself: the part of a tournament's form that says so."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms import fields, labels

HIGHEST = 9999
NAMES = ("entry", "club_only", "rating_from", "rating_to", "closes_minutes")


def _rating(label: Any) -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"inputmode": "numeric"})
    return forms.IntegerField(
        label=label, help_text=_("0: no bound."), required=False, min_value=0, max_value=HIGHEST, widget=widget
    )


class ConditionsForm(forms.Form):
    """Conditions of registration, all of them optional: they are part of the terms."""

    entry = forms.ChoiceField(
        label=_("Who may enter?"), choices=list(labels.ENTRIES.items()), required=False, widget=forms.RadioSelect
    )
    club_only = forms.BooleanField(label=_("Only members of the club"), required=False)
    rating_from = _rating(_("Rating from"))
    rating_to = _rating(_("Rating up to"))
    closes_minutes = fields.SpanField(
        (5, 10, 15, 30, 60, 120, 720, 1440, 2880), none=_("with the draw"), label=_("Entries close before the start")
    )

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        low, high = data.get("rating_from") or 0, data.get("rating_to") or 0
        if 0 < high < low:
            self.add_error("rating_to", _("The highest rating is below the lowest."))
        return data

    def conditions(self) -> dict[str, Any]:
        """The terms that they are."""
        data = self.cleaned_data
        return {
            "entry": data["entry"] or "all",
            "club_only": data["club_only"],
            "rating_from": data["rating_from"] or 0,
            "rating_to": data["rating_to"] or 0,
            "closes_minutes": data["closes_minutes"] or 0,
        }

    def restricted(self) -> bool:
        """Whether not everybody may enter, so that this part is shown open."""
        return any(self[name].value() not in (None, "", 0, "0", False, "all") for name in NAMES)
