"""The filter form of lists of finished matches. All values are URL parameters, so that a list can be shared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import Q
from django.http import QueryDict
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.names.validation import fold
from games import labels
from games.clocks import PRESETS, pace_of
from games.models import Match, MatchTag
from games.registry import RULES
from games.services.offers import MAX_LENGTH

ANY = ("", _("any"))
NEWEST, OLDEST, LONGEST = "newest", "oldest", "longest"
ORDERS = [(NEWEST, _("newest first")), (OLDEST, _("oldest first")), (LONGEST, _("longest first"))]
MOST_OPPONENTS = 12  # a part of a name may fit this many players
MOST_EVENTS = 20
PRIVATE = ("tag", "favourite", "noted")
"""Filters for the owner of the marks only; ignored in any other list."""
CURSORS = ("after", "before")
"""The URL parameters of the page cursors; a changed filter starts at the first page again."""


@dataclass(frozen=True, slots=True)
class FilterChip:
    """One active filter in words, and the query of the list without it."""

    name: str
    text: str
    without: str


def _days() -> list[Callable[[Any], None]]:
    return [MinValueValidator(date(1900, 1, 1)), MaxValueValidator(date(2200, 1, 1))]


def _day(label: Any) -> forms.DateField:
    return forms.DateField(
        label=label,
        required=False,
        validators=_days(),
        widget=forms.DateInput(attrs={"type": "date", "min": "1900-01-01", "max": "2200-01-01"}, format="%Y-%m-%d"),
    )


def _points(label: Any) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=0,
        max_value=MAX_LENGTH,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )


def _name(label: Any) -> forms.CharField:
    quiet = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
    return forms.CharField(label=label, required=False, max_length=80, widget=forms.TextInput(attrs=quiet))


def _choice(label: Any, choices: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, required=False, choices=choices)


def _variants() -> list[tuple[str, Any]]:
    return [ANY, *((key, labels.variant(key)) for key in RULES)]


class MatchFilter(forms.Form):
    """The filter of a list of finished matches: those of `owner`, or of the whole site (None).

    `private`: the owner views their own list, and can filter by their marks too. An invalid value is an error of its
    field; the rest of the filter still applies.
    """

    player = _name(_("Player"))
    rival = _name(_("Opponent"))
    variant = _choice(_("Game"), _variants)
    length = _points(_("Length"))
    longer = _points(_("Longer than"))
    result = _choice(_("Result"), [ANY, ("won", _("Won")), ("lost", _("Lost")), ("level", _("Drawn"))])
    event = _name(_("Event"))
    since = _day(_("From"))
    until = _day(_("To"))
    pace = _choice(_("Pace"), [ANY, ("live", _("live")), ("correspondence", _("correspondence"))])
    rated = _choice(_("Rated"), [ANY, ("yes", _("rated")), ("no", _("unrated"))])
    ended = _choice(_("How it ended"), [ANY, *Match.EndedBy.choices])
    tag = _choice(_("Tag"), [ANY])
    favourite = forms.BooleanField(label=_("Favourites only"), required=False)
    noted = forms.BooleanField(label=_("With a note"), required=False)
    sort = _choice(
        _("Sort by"), [(NEWEST, _("newest first")), (OLDEST, _("oldest first")), (LONGEST, _("longest first"))]
    )

    def __init__(self, data: QueryDict, *, owner: User | None = None, private: bool = False) -> None:
        super().__init__(data, auto_id="filter-%s")
        self.query = data
        self.owner = owner
        self.private = private and owner is not None
        if owner is not None:
            del self.fields["player"]
        if self.private:
            tags = MatchTag.objects.filter(user=owner).order_by("key").values_list("key", "name")
            cast(forms.ChoiceField, self.fields["tag"]).choices = [ANY, *dict(tags).items()]
        else:
            for name in PRIVATE:
                del self.fields[name]
        self.opponent_ids: list[int] = []
        self.events: list[str] = []
        self.full_clean()

    # Cleaning

    def clean_player(self) -> str:
        """One player: the one of that name, or the only one whose name contains it."""
        value: str = self.cleaned_data["player"]
        if value:
            found = _players_by_name(value, most=MOST_OPPONENTS)
            if not found:
                raise ValidationError(_("There is no player with that name."))
            if len(found) > 1:
                names = ", ".join(user.username for user in found)
                raise ValidationError(
                    _("Several players match: %(names)s. Enter the full name."), params={"names": names}
                )
            self.owner = found[0]
        return value

    def clean_rival(self) -> str:
        """All players of that name; in one's own list also names from imported files."""
        value: str = self.cleaned_data["rival"]
        if not value:
            return value
        if self.owner is None:
            raise ValidationError(_("To filter by opponent, enter a player too."))
        found = _players_by_name(value, most=MOST_OPPONENTS + 1)
        if len(found) > MOST_OPPONENTS:
            raise ValidationError(_("Too many players match. Enter more of the name."))
        if not found and not self.private:
            raise ValidationError(_("There is no player with that name."))
        self.opponent_ids = [user.pk for user in found if user != self.owner]
        return value

    def clean_result(self) -> str:
        """Won or lost, which needs a player."""
        value: str = self.cleaned_data["result"]
        if value and self.owner is None:
            raise ValidationError(_("To filter by result, enter a player too."))
        return value

    def clean_event(self) -> str:
        """The path of the page of a tournament or ladder, or a part of its name."""
        value: str = self.cleaned_data["event"]
        if value.startswith("/"):
            self.events = [value]
        elif value:
            arranged = Match.objects.filter(from_url__gt="", title__icontains=value)
            self.events = list(arranged.values_list("from_url", flat=True).distinct()[: MOST_EVENTS + 1])
            if len(self.events) > MOST_EVENTS:
                raise ValidationError(_("Too many events match. Enter more of the name."))
        return value

    # Lookups

    @property
    def order(self) -> str:
        """`newest`, `oldest` or `longest`."""
        return self.value("sort") or NEWEST

    def value(self, name: str) -> Any:
        """The valid value of a field, or None."""
        return self.cleaned_data.get(name) or None

    def lookups(self) -> Q:
        """The lookups on columns of the match itself."""
        lookups = Q()
        if variant := self.value("variant"):
            lookups &= Q(variant=variant)
        if (length := self.cleaned_data.get("length")) is not None:
            lookups &= Q(length=length)
        if (longer := self.cleaned_data.get("longer")) is not None:
            lookups &= Q(length__gt=longer)
        if ended := self.value("ended"):
            lookups &= Q(ended_by=ended)
        if rated := self.value("rated"):
            lookups &= Q(rated=rated == "yes")
        if pace := self.value("pace"):
            correspondence = [key for key in PRESETS if pace_of(key) == "correspondence"]
            lookups &= (
                Q(clock_preset__in=correspondence) if pace == "correspondence" else ~Q(clock_preset__in=correspondence)
            )
        if self.value("event"):
            lookups &= Q(from_url__in=self.events)
        return lookups

    def days(self) -> Iterator[tuple[str, datetime]]:
        """The time span as lookups, in whole days of the site's time zone."""
        if since := self.value("since"):
            yield "gte", _midnight(since)
        if until := self.value("until"):
            yield "lt", _midnight(until + timedelta(days=1))

    # Display

    @property
    def chips(self) -> list[FilterChip]:
        """The active filters in words, each with the query that removes it; the order is not a filter."""
        return [
            FilterChip(name, self._description(name), self._query_without(name))
            for name in self.fields
            if name != "sort" and self.cleaned_data.get(name) not in (None, "", False)
        ]

    @property
    def narrowed(self) -> bool:
        """Whether any filter is set, valid or not."""
        return any(self.data.get(name) for name in self.fields if name != "sort")

    def _description(self, name: str) -> str:
        field, value = self.fields[name], self.cleaned_data[name]
        if isinstance(field, forms.BooleanField):
            return str(field.label)
        if isinstance(field, forms.ChoiceField):
            value = dict(field.choices).get(value, value)  # type: ignore[arg-type, call-overload]
        elif isinstance(value, date):
            value = date_format(value, "SHORT_DATE_FORMAT")
        elif name == "event" and value.startswith("/"):
            titles = Match.objects.filter(from_url=value).values_list("title", flat=True)
            value = titles.first() or value
        return f"{field.label}: {value}"

    def _query_without(self, name: str) -> str:
        rest = self.query.copy()
        for removed in (name, *CURSORS):
            rest.pop(removed, None)
        return rest.urlencode()


def _players_by_name(name: str, *, most: int) -> list[User]:
    """The player of exactly that name, else the players whose names contain it."""
    key = fold(name)
    exact = list(User.objects.filter(name_key=key))
    return exact or list(User.objects.filter(name_key__contains=key).order_by("name_key")[:most])


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, timezone.get_current_timezone()).astimezone(UTC)
