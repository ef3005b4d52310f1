"""The form of the seeds: by rating, by hand or by lot, and what happens to everybody without a seed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms import choice_labels
from tournaments.models import Entrant
from tournaments.services.seeding import METHODS
from tournaments.terms import SEEDINGS

MOST_SEEDS = 512


class SeedingForm(forms.Form):
    """How the entrants are seeded. The button says the `method`; each entrant that the page showed has a field."""

    method = forms.ChoiceField(choices=[(key, key) for key in METHODS], required=False)
    most = forms.IntegerField(label=_("Number of seeds"), required=False, min_value=1, max_value=MOST_SEEDS)
    rest = forms.ChoiceField(
        label=_("Players without a seed"),
        choices=[(key, choice_labels.UNSEEDED[key]) for key in SEEDINGS],
        required=False,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, entrants: Iterable[Entrant], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.numbers = [entrant.number for entrant in entrants if seed_field_name(entrant.number) in self.data]
        for number in self.numbers:
            self.fields[seed_field_name(number)] = forms.IntegerField(required=False, min_value=1, max_value=MOST_SEEDS)

    def kwargs(self) -> dict[str, Any]:
        """Keyword arguments for `services.seeding_set`; without a method the seeds are those typed."""
        data = self.cleaned_data
        method = data["method"] or "hand"
        ranks = {number: data[seed_field_name(number)] for number in self.numbers} if method == "hand" else None
        most = data["most"] if method == "rating" else None
        return {"method": method, "ranks": ranks, "most": most, "rest": data["rest"] or None}


def seed_field_name(number: int) -> str:
    """The name of the field of an entrant's seed."""
    return f"seed_{number}"
