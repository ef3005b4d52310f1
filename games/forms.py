"""What people type to start a match."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.names import fold
from games import words
from games.clocks import PRESETS
from games.registry import RULES
from games.services.lobby import LONGEST_MATCH

LENGTHS = (1, 3, 5, 7, 9, 11)
BOT, ANYONE, NAMED = "bot", "anyone", "player"


class MatchForm(forms.Form):
    """An offer to play: against the computer, anybody, or somebody by name. `offer()` is what the service takes."""

    rival = forms.ChoiceField(
        label=_("Against whom?"),
        widget=forms.RadioSelect,
        choices=[(BOT, _("The computer")), (ANYONE, _("Anyone")), (NAMED, _("A player I name"))],
    )
    name = forms.CharField(
        label=_("Name of the player"),
        required=False,
        max_length=24,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    variant = forms.ChoiceField(label=_("Game"))
    length = forms.ChoiceField(
        label=_("Match to how many points?"),
        widget=forms.RadioSelect,
        choices=[*((str(n), str(n)) for n in LENGTHS), ("other", _("Other"))],
    )
    length_other = forms.IntegerField(
        label=_("Points"),
        required=False,
        min_value=1,
        max_value=LONGEST_MATCH,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    clock = forms.ChoiceField(label=_("Clock"), widget=forms.RadioSelect)
    cube = forms.BooleanField(label=_("With the doubling cube"), required=False)
    rated = forms.BooleanField(label=_("Rated"), required=False)

    def __init__(self, *args: Any, creator: User | None = None, name: str = "", **kwargs: Any) -> None:
        first = {
            "rival": NAMED if name else BOT,
            "name": name,
            "variant": "backgammon",
            "length": "5",
            "clock": "club",
            "cube": True,
            "rated": creator is not None and not creator.is_guest,
        }
        kwargs["initial"] = first | (kwargs.get("initial") or {})
        super().__init__(*args, **kwargs)
        self.creator = creator
        self.invited: User | None = None
        self.fields["variant"].choices = [(key, words.variant(key)) for key in RULES]  # type: ignore[attr-defined]
        self.fields["clock"].choices = [(key, words.clock(key)) for key in PRESETS]  # type: ignore[attr-defined]
        if creator is not None and creator.is_guest:
            self.fields["rated"].disabled = True

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("length") == "other" and "length_other" not in self.errors and not data.get("length_other"):
            self.add_error("length_other", _("To how many points?"))
        if data.get("rival") == BOT:
            self.invited = User.objects.filter(is_bot=True, is_active=True).order_by("pk").first()
            if self.invited is None:
                self.add_error("rival", _("There is no computer player on this site."))
        elif data.get("rival") == NAMED:
            self._find(data.get("name") or "")
        return data

    def _find(self, name: str) -> None:
        if not name:
            self.add_error("name", _("Whom do you challenge?"))
            return
        self.invited = User.objects.filter(name_key=fold(name), is_active=True).first()
        if self.invited is None:
            self.add_error("name", _("There is no player of that name."))

    def offer(self) -> dict[str, Any]:
        """Keyword arguments for `services.match_create`. A match against the computer is never rated."""
        data = self.cleaned_data
        length = data["length_other"] if data["length"] == "other" else int(data["length"])
        against_bot = self.invited is not None and self.invited.is_bot
        return {
            "variant": data["variant"],
            "length": length,
            "clock": data["clock"],
            "rated": data["rated"] and not against_bot,
            "options": {"cube": data["cube"]},
            "invited": self.invited,
        }
