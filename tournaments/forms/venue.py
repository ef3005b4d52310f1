"""The forms of venue mode: a file that was chosen, or the one that the preview showed."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.venue_file import MOST_BYTES


class VenueFileForm(forms.Form):
    """A file of a tournament: uploaded, or its text again after the preview."""

    file = forms.FileField(
        label=_("File"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
    )
    text = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if not data.get("file") and not data.get("text") and not self.errors:
            self.add_error("file", _("Choose a file."))
        return data

    def content(self) -> bytes:
        """The content of the file, and no more than can be read."""
        file = self.cleaned_data.get("file")
        return bytes(file.read(MOST_BYTES + 1)) if file else str(self.cleaned_data["text"]).encode()


class BringHereForm(VenueFileForm):
    """A file that brings a tournament to the venue's site; `replace`: an earlier copy goes."""

    replace = forms.BooleanField(label=_("Replace the earlier copy"), required=False)
