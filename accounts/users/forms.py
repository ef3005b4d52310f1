"""The form of the settings page."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.users.services import PREFERENCES

LANGUAGE_NAMES = {"es": "Español", "en": "English"}


class SettingsForm(forms.ModelForm):
    """The preferences of a user."""

    language = forms.ChoiceField(label=_("Language"), required=False)
    theme = forms.ChoiceField(label=_("Theme"), choices=User.Theme.choices, widget=forms.RadioSelect)
    direction = forms.ChoiceField(label=_("Board direction"), choices=User.Direction.choices, widget=forms.RadioSelect)

    class Meta:
        model = User
        fields = PREFERENCES

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = [(code, LANGUAGE_NAMES.get(code, code)) for code, _name in settings.LANGUAGES]
        cast(forms.ChoiceField, self.fields["language"]).choices = [("", _("Same as my browser")), *names]

    @property
    def switches(self) -> list[forms.BoundField]:
        """The yes-or-no settings, in the order of the page."""
        return [self[name] for name in ("auto_roll", "auto_forced", "confirm", "sound")]
