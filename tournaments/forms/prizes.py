"""What directors type about prizes and seasons."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from games import words as play_words
from games.registry import RULES
from tournaments import seasons
from tournaments.models import Season
from tournaments.prizes import MOST_CENTS, MOST_PLACES, MOST_POOLS, MOST_WEIGHT, Pool, Purse
from tournaments.selectors.seasons import terms_of
from tournaments.services.prizes import LONGEST_CURRENCY, LONGEST_NAME

HUNDRED = Decimal(100)


class NumbersField(forms.CharField):
    """Whole numbers one after another: `50 30 20`, also with commas, semicolons or dashes between them."""

    def __init__(self, *, most: int, **kwargs: Any) -> None:
        super().__init__(max_length=6 * most, **kwargs)
        self.most = most

    def to_python(self, value: Any) -> Any:
        said = super().to_python(value) or ""
        for between in ",;/–-%":
            said = said.replace(between, " ")
        parts = said.split()
        if len(parts) > self.most or not all(part.isascii() and part.isdecimal() and len(part) < 5 for part in parts):
            raise forms.ValidationError(_t("Write whole numbers with a space between them."))
        return tuple(map(int, parts))

    def prepare_value(self, value: Any) -> Any:
        return " ".join(map(str, value)) if isinstance(value, list | tuple) else value


class AmountField(forms.DecimalField):
    """An amount of money, in hundredths once it is read."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=0, max_value=MOST_CENTS // 100, decimal_places=2, required=False, **kwargs)
        self.widget.attrs.update(inputmode="decimal", autocomplete="off")

    def clean(self, value: Any) -> Any:
        return int((super().clean(value) or Decimal(0)) * HUNDRED)

    def prepare_value(self, value: Any) -> Any:
        return Decimal(value) / HUNDRED if isinstance(value, int) else value


class PurseForm(forms.Form):
    """The sheet of prizes: fee, shares, side pools (one more than there are), the weight for master points."""

    fee = AmountField(label=_("Entry fee"))
    currency = forms.CharField(label=_("Currency"), max_length=LONGEST_CURRENCY, required=False)
    added = AmountField(label=_("Added by the club"))
    shares = NumbersField(
        label=_("Percent for each place"),
        most=MOST_PLACES,
        required=False,
        help_text=_("From the first place on: 50 30 20. What is left stays with the club."),
    )
    shown = forms.BooleanField(label=_("Show the prizes on the tournament's page"), required=False)
    weight = forms.IntegerField(
        label=_("Weight for master points, in percent"),
        min_value=0,
        max_value=MOST_WEIGHT,
        help_text=_("100 is a main event. 0: no master points."),
    )

    def __init__(self, *args: Any, purse: Purse, names: Mapping[int, str], **kwargs: Any) -> None:
        plain = ("fee", "currency", "added", "shares", "shown", "weight")
        kwargs["initial"] = {name: getattr(purse, name) for name in plain}
        super().__init__(*args, **kwargs)
        self.pools = range(min(len(purse.pools) + 1, MOST_POOLS))
        for at in self.pools:
            pool = purse.pools[at] if at < len(purse.pools) else Pool("", 0)
            self.fields[f"pool_{at}_name"] = forms.CharField(
                label=_("Name"), max_length=LONGEST_NAME, required=False, initial=pool.name
            )
            self.fields[f"pool_{at}_stake"] = AmountField(label=_("Stake"), initial=pool.stake)
            self.fields[f"pool_{at}_who"] = forms.TypedMultipleChoiceField(
                label=_("Who is in it"),
                coerce=int,
                choices=list(names.items()),
                required=False,
                initial=list(pool.entrants),
                widget=forms.CheckboxSelectMultiple,
            )

    @property
    def pool_fields(self) -> list[tuple[Any, Any, Any]]:
        """The three fields of each side pool."""
        return [(self[f"pool_{at}_name"], self[f"pool_{at}_stake"], self[f"pool_{at}_who"]) for at in self.pools]

    def purse(self) -> Purse:
        """What was said. A side pool without a name is none."""
        said = self.cleaned_data
        pools = [
            Pool(said[f"pool_{at}_name"], said[f"pool_{at}_stake"], tuple(said[f"pool_{at}_who"]))
            for at in self.pools
            if said[f"pool_{at}_name"]
        ]
        return Purse(
            fee=said["fee"],
            added=said["added"],
            shares=said["shares"],
            currency=said["currency"],
            shown=said["shown"],
            weight=said["weight"],
            pools=tuple(pools),
        )


def _day(label: Any) -> forms.DateField:
    return forms.DateField(label=label, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))


class SeasonForm(forms.Form):
    """A season of a club."""

    name = forms.CharField(label=_("Name"), max_length=80)
    first = _day(_("First day"))
    last = _day(_("Last day"))
    rule = forms.ChoiceField(label=_("What counts?"), choices=Season.Rule.choices, widget=forms.RadioSelect)
    points = NumbersField(
        label=_("Points for each place"),
        most=seasons.MOST_PLACES,
        required=False,
        help_text=_("From the first place on: 10 7 5 5. Who share a place share its points."),
    )
    presence = forms.IntegerField(label=_("Points for all other places"), min_value=0, max_value=1000, required=False)
    best = forms.IntegerField(
        label=_("How many results of each player count"),
        min_value=0,
        max_value=1000,
        required=False,
        help_text=_("The best ones. Empty: all of them."),
    )
    variants = forms.MultipleChoiceField(
        label=_("Games"), required=False, widget=forms.CheckboxSelectMultiple, help_text=_("None chosen: all games.")
    )

    def __init__(self, *args: Any, season: Season | None = None, **kwargs: Any) -> None:
        usual = seasons.Terms()
        given: dict[str, Any] = {"rule": usual.rule, "points": usual.points, "presence": usual.presence}
        if season is not None:
            given = {name: getattr(season, name) for name in ("name", "first", "last", "rule", "presence", "variants")}
            given |= {"points": terms_of(season).points, "best": season.best or None}
        super().__init__(*args, **{**kwargs, "initial": given})
        self.fields["variants"].choices = [(key, play_words.variant(key)) for key in RULES]  # type: ignore[attr-defined]

    def facts(self) -> dict[str, Any]:
        """Keyword arguments of `services.seasons.season_save`."""
        said = self.cleaned_data
        terms = seasons.Terms(said["rule"], said["points"], said["presence"] or 0, said["best"] or 0)
        plain = {name: said[name] for name in ("name", "first", "last", "variants")}
        return {**plain, "terms": terms}
