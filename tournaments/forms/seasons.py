"""The form of a season."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from games import labels as game_labels
from games.registry import RULES
from tournaments import seasons
from tournaments.forms.fields import NumbersField, set_choices
from tournaments.models import Season
from tournaments.selectors.seasons import terms_of


def _day(label: Any) -> forms.DateField:
    return forms.DateField(label=label, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))


class SeasonForm(forms.Form):
    """A season of a club."""

    name = forms.CharField(label=_("Name"), max_length=80)
    first = _day(_("Start date"))
    last = _day(_("End date"))
    rule = forms.ChoiceField(
        label=_("Standings by"),
        choices=[(key, capfirst(label)) for key, label in Season.Rule.choices],
        widget=forms.RadioSelect,
    )
    points = NumbersField(
        label=_("Points for each place"),
        most=seasons.MOST_PLACES,
        required=False,
        help_text=_("Starting with first place: 10 7 5 5. Players who share a place split the points."),
    )
    presence = forms.IntegerField(label=_("Points for all other places"), min_value=0, max_value=1000, required=False)
    best = forms.IntegerField(
        label=_("Results that count per player"),
        min_value=0,
        max_value=1000,
        required=False,
        help_text=_("The best ones count. Leave empty to count all."),
    )
    variants = forms.MultipleChoiceField(
        label=_("Games"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Select none to count all games."),
    )

    def __init__(self, *args: Any, season: Season | None = None, **kwargs: Any) -> None:
        defaults = seasons.SeasonTerms()
        initial: dict[str, Any] = {"rule": defaults.rule, "points": defaults.points, "presence": defaults.presence}
        if season is not None:
            initial = {
                name: getattr(season, name) for name in ("name", "first", "last", "rule", "presence", "variants")
            }
            initial |= {"points": terms_of(season).points, "best": season.best or None}
        super().__init__(*args, **{**kwargs, "initial": initial})
        set_choices(self, "variants", [(key, game_labels.variant(key)) for key in RULES])

    def kwargs(self) -> dict[str, Any]:
        """Keyword arguments of `services.seasons.season_save`."""
        data = self.cleaned_data
        terms = seasons.SeasonTerms(data["rule"], data["points"], data["presence"] or 0, data["best"] or 0)
        columns = {name: data[name] for name in ("name", "first", "last", "variants")}
        return {**columns, "terms": terms}
