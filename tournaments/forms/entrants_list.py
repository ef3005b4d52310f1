"""The form of a list of entrants: pasted or a file, and what is chosen for each line of the dry run."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournaments.entrants_list import MOST_CHARACTERS, MOST_LINES
from tournaments.results_csv import decode
from tournaments.services.entrants_import import Choice

CHOICES = ("member", "walk-in", "skip")


class EntrantsListForm(forms.Form):
    """A pasted list, or a file."""

    text = forms.CharField(
        label=_("Players, one on each line"),
        required=False,
        strip=False,
        max_length=MOST_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "autocapitalize": "words"}),
    )
    file = forms.FileField(
        label=_("Or a file (CSV)"), required=False, widget=forms.FileInput(attrs={"accept": ".csv,.txt,text/csv"})
    )

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if not data.get("file") and not data.get("text", "").strip() and not self.errors:
            self.add_error("text", _("Paste a list, or choose a file."))
        return data

    def content(self) -> str:
        """The text of the list."""
        file = self.cleaned_data.get("file")
        return decode(file.read(MOST_CHARACTERS + 1)) if file else str(self.cleaned_data["text"])


def line_choices(data: QueryDict) -> dict[int, Choice]:
    """What the director chose for each line by its number."""
    posted = ((number, data.get(f"line_{number}")) for number in range(1, 4 * MOST_LINES + 1))
    return {number: cast(Choice, choice) for number, choice in posted if choice in CHOICES}
