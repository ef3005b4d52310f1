"""The form that creates the first owner of a site."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.names.validation import normalise
from accounts.users.name_availability import validate_available


class OwnerForm(forms.Form):
    """The code from the link, a user name and a password."""

    code = forms.CharField(
        label=_("Code"),
        max_length=200,
        help_text=_("The part after # in the link shown in the terminal."),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false", "data-code": ""}
        ),
    )
    username = forms.CharField(
        label=_("Name"),
        max_length=24,
        help_text=_("2 to 24 letters, digits, dots, dashes or underscores."),
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}),
    )
    password = forms.CharField(
        label=_("Password"),
        max_length=128,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_username(self) -> str:
        name = normalise(self.cleaned_data["username"])
        validate_available(name)
        return name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if password := cleaned.get("password"):
            try:
                validate_password(password, User(username=cleaned.get("username", "")))
            except forms.ValidationError as error:
                self.add_error("password", error)
        return cleaned
