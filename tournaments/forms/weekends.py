"""The forms of a weekend: its name, place and days, and its tournaments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.fields import set_choices
from tournaments.models import Tournament, Weekend
from tournaments.services.weekends import LONGEST_NAME, LONGEST_PLACE, LONGEST_TEXT


def _day(label: Any) -> forms.DateField:
    return forms.DateField(label=label, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))


class WeekendForm(forms.Form):
    """A weekend of a club."""

    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME)
    first = _day(_("First day"))
    last = _day(_("Last day"))
    place = forms.CharField(
        label=_("Place"), max_length=LONGEST_PLACE, required=False, help_text=_("Name and address of the venue.")
    )
    about = forms.CharField(
        label=_("Description"), max_length=LONGEST_TEXT, required=False, widget=forms.Textarea(attrs={"rows": 4})
    )

    def __init__(self, *args: Any, weekend: Weekend | None = None, **kwargs: Any) -> None:
        columns = ("name", "first", "last", "place", "about")
        initial = {column: getattr(weekend, column) for column in columns} if weekend is not None else {}
        super().__init__(*args, **{**kwargs, "initial": initial})


class WeekendTournamentsForm(forms.Form):
    """The tournaments of a weekend, chosen among those that it may have."""

    tournaments = forms.MultipleChoiceField(label=_("Tournaments"), required=False, widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, offered: Sequence[Tournament], weekend: Weekend, **kwargs: Any) -> None:
        chosen = [tournament.pk for tournament in offered if tournament.weekend_id == weekend.pk]
        super().__init__(*args, **{**kwargs, "initial": {"tournaments": chosen}})
        set_choices(self, "tournaments", [(tournament.pk, tournament.name) for tournament in offered])
