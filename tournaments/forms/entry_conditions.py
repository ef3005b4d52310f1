"""Who can register without a director: a part of the form of a tournament."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms import choice_labels, fields

HIGHEST = 9999
FIELDS = ("entry", "club_only", "rating_from", "rating_to", "closes_minutes")


def _rating(label: Any) -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"inputmode": "numeric"})
    return forms.IntegerField(
        label=label, help_text=_("0: no limit."), required=False, min_value=0, max_value=HIGHEST, widget=widget
    )


class ConditionsForm(forms.Form):
    """Conditions of registration, all of them optional: they are part of the terms."""

    entry = forms.ChoiceField(
        label=_("Who can register?"),
        choices=list(choice_labels.ENTRIES.items()),
        required=False,
        widget=forms.RadioSelect,
    )
    club_only = forms.BooleanField(label=_("Club members only"), required=False)
    rating_from = _rating(_("Minimum rating"))
    rating_to = _rating(_("Maximum rating"))
    closes_minutes = fields.DurationField(
        (5, 10, 15, 30, 60, 120, 720, 1440, 2880), none=_("at the draw"), label=_("Entries close (before the start)")
    )

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        low, high = data.get("rating_from") or 0, data.get("rating_to") or 0
        if 0 < high < low:
            self.add_error("rating_to", _("The maximum rating can't be below the minimum."))
        return data

    def conditions(self) -> dict[str, Any]:
        """The conditions as keyword arguments of `Terms`."""
        data = self.cleaned_data
        return {
            "entry": data["entry"] or "all",
            "club_only": data["club_only"],
            "rating_from": data["rating_from"] or 0,
            "rating_to": data["rating_to"] or 0,
            "closes_minutes": data["closes_minutes"] or 0,
        }

    def restricted(self) -> bool:
        """Whether registration is restricted, so that this part is shown open."""
        return any(self[name].value() not in (None, "", 0, "0", False, "all") for name in FIELDS)
