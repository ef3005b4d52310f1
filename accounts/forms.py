"""The settings that a player chooses."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.services import PREFERENCES

LANGUAGE_NAMES = {"es": "Español", "en": "English"}


class SettingsForm(forms.ModelForm):
    """How the player likes to play and to be spoken to."""

    language = forms.ChoiceField(label=_("Language"), required=False)
    theme = forms.ChoiceField(label=_("Colours"), choices=User.Theme.choices, widget=forms.RadioSelect)
    direction = forms.ChoiceField(label=_("Board direction"), choices=User.Direction.choices, widget=forms.RadioSelect)

    class Meta:
        model = User
        fields = PREFERENCES

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = [(code, LANGUAGE_NAMES.get(code, code)) for code, _name in settings.LANGUAGES]
        self.fields["language"].choices = [("", _("As my browser asks")), *names]  # type: ignore[attr-defined]

    @property
    def switches(self) -> list[forms.BoundField]:
        """The yes-or-no settings, in the order of the page."""
        return [self[name] for name in ("auto_roll", "auto_forced", "confirm", "sound")]
