"""The forms with which a director mends: a correction, and his agreement to what it resets."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournaments.forms.desk import ResultForm

LONGEST_WHY = 200
MOST_AGREED = 10_000


class CorrectionForm(ResultForm):
    """A result as a director enters it, and why the one before was wrong."""

    why = forms.CharField(
        label=_("Why"), max_length=LONGEST_WHY, error_messages={"required": _("Say why: everybody can read it.")}
    )

    def result(self, first: int) -> dict[str, Any]:
        """Keyword arguments for `services.result_correct`."""
        return {**super().result(first), "why": self.cleaned_data["why"]}


def agreed(said: QueryDict) -> list[str] | None:
    """The keys of the pairings that the director was shown; None where he was shown none."""
    return [key[:40] for key in said.getlist("agreed")[:MOST_AGREED]] or None
