"""The form of the settings page."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from accounts.models import APPEARANCE, User
from accounts.users.services import PREFERENCES


class SettingsForm(forms.ModelForm):
    """The preferences of a user."""

    language = forms.ChoiceField(label=_("Language"), required=False)
    theme = forms.ChoiceField(label=_("Theme"), choices=User.Theme.choices, widget=forms.RadioSelect)
    direction = forms.ChoiceField(label=_("Board direction"), choices=User.Direction.choices, widget=forms.RadioSelect)

    class Meta:
        model = User
        fields = tuple(name for name in PREFERENCES if name not in APPEARANCE)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.is_guest:  # tournaments are for members
            del self.fields["federation_number"]
        cast(forms.ChoiceField, self.fields["language"]).choices = [("", _("Same as my browser")), *settings.LANGUAGES]

    @property
    def switches(self) -> list[forms.BoundField]:
        """The yes-or-no settings, in the order of the page."""
        return [self[name] for name in ("auto_roll", "auto_forced", "confirm", "sound")]


class AppearanceForm(forms.ModelForm):
    """How the boards of a user look, sound and feel."""

    board = forms.ChoiceField(label=_("Board"), choices=User.Board.choices, widget=forms.RadioSelect)
    checkers = forms.ChoiceField(label=_("Checkers"), choices=User.Checkers.choices, widget=forms.RadioSelect)
    dice = forms.ChoiceField(label=_("Dice and cube"), choices=User.Dice.choices, widget=forms.RadioSelect)
    animation = forms.ChoiceField(label=_("Animation speed"), choices=User.Animation.choices, widget=forms.RadioSelect)
    volume = forms.IntegerField(
        label=_("Sound volume"),
        min_value=0,
        max_value=100,
        widget=forms.NumberInput(attrs={"type": "range", "step": "5"}),
    )

    class Meta:
        model = User
        fields = APPEARANCE
