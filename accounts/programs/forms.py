"""The form to create a personal token."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy

from accounts.programs import services
from accounts.programs.scopes import READ, SCOPES

DAYS = (
    ("7", gettext_lazy("a week")),
    ("30", gettext_lazy("a month")),
    ("90", gettext_lazy("three months")),
    ("365", gettext_lazy("a year")),
    ("0", gettext_lazy("until I revoke it")),
)


class TokenForm(forms.Form):
    """A personal token to be created."""

    name = forms.CharField(label=gettext_lazy("Token name"), max_length=services.MAX_NAME_LENGTH)
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("Permissions"),
        choices=list(SCOPES.items()),
        widget=forms.CheckboxSelectMultiple,
        initial=[READ],
    )
    days = forms.TypedChoiceField(label=gettext_lazy("Valid for"), choices=DAYS, coerce=int, initial="90")
