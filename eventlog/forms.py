"""The form of a webhook."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from eventlog.kinds import KINDS, MOST_SUBJECTS
from eventlog.labels import KINDS as LABELS
from eventlog.services.webhooks import LONGEST_NAME

LONGEST = MOST_SUBJECTS * 60


class WebhookForm(forms.Form):
    """A webhook. The services check it."""

    url = forms.CharField(
        label=_("Webhook URL"),
        max_length=2000,
        help_text=_("Must start with https:// and use a public host name."),
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false", "placeholder": "https://"}),
    )
    name = forms.CharField(label=_("Name (optional)"), max_length=LONGEST_NAME, required=False)
    kinds = forms.MultipleChoiceField(
        label=_("Events"),
        choices=[(kind, LABELS[kind]) for kind in KINDS],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    subjects = forms.CharField(
        label=_("Other matches, tournaments and ladders"),
        max_length=LONGEST,
        required=False,
        help_text=_(
            "One per line, with the code from its page address: match:k3x9…, tournament:12, desk:12 or ladder:3."
        ),
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "autocomplete": "off"}),
    )

    def service_values(self) -> dict[str, Any]:
        """As the services take it."""
        return {**self.cleaned_data, "subjects": self.cleaned_data["subjects"].split()}
