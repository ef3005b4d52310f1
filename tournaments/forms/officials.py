"""The form of the officials: a member by name, and a role."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.roster import MemberForm
from tournaments.roles import Role


class AppointForm(MemberForm):
    """A member by name, and their role at the tournament."""

    role = forms.ChoiceField(
        label=_("Role"),
        choices=Role.choices,
        error_messages={
            "required": _("Choose a role: scorekeeper, referee or director."),
            "invalid_choice": _("Choose a role: scorekeeper, referee or director."),
        },
    )

    def kwargs(self) -> dict[str, Any]:
        """Keyword arguments for `services.official_appoint`."""
        return {"official": self.cleaned_data["name"], "role": self.cleaned_data["role"]}
