"""What somebody says of a webhook on its page."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from hooks.kinds import KINDS, MOST_SUBJECTS
from hooks.services.hooks import LONGEST_NAME
from hooks.words import KINDS as LABELS

LONGEST = MOST_SUBJECTS * 60


class HookForm(forms.Form):
    """A webhook. Whether it can be is said by the services."""

    url = forms.CharField(
        label=_("Its address"),
        max_length=2000,
        help_text=_("Begins with https:// and has a name that is known on the whole Internet."),
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false", "placeholder": "https://"}),
    )
    name = forms.CharField(label=_("What you call it"), max_length=LONGEST_NAME, required=False)
    kinds = forms.MultipleChoiceField(
        label=_("What it hears"),
        choices=[(kind, LABELS[kind]) for kind in KINDS],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    subjects = forms.CharField(
        label=_("Matches, tournaments and ladders of others"),
        max_length=LONGEST,
        required=False,
        help_text=_("One a line, as in their addresses: match:k3x9…, tournament:12, desk:12 or ladder:3."),
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "autocomplete": "off"}),
    )

    def said(self) -> dict[str, Any]:
        """As the services take it."""
        return {**self.cleaned_data, "subjects": self.cleaned_data["subjects"].split()}
