"""Which finished matches a list shows. Every choice stands in the address, so that a list can be shared as a link."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import Q
from django.http import QueryDict
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.names import fold
from games import words
from games.clocks import PRESETS, pace_of
from games.models import Match, MatchTag
from games.registry import RULES
from games.services.offers import LONGEST_MATCH

ANY = ("", _("any"))
NEWEST, OLDEST, LONGEST = "newest", "oldest", "longest"
ORDERS = [(NEWEST, _("newest first")), (OLDEST, _("oldest first")), (LONGEST, _("longest first"))]
MOST_RIVALS = 12  # a part of a name may fit this many players
MOST_EVENTS = 20
PRIVATE = ("tag", "favourite", "noted")
"""What only the owner of the marks may ask for; in any other list these names mean nothing."""
PLACES = ("after", "before")
"""The names in the address that say where a page begins; every new choice starts at the first page again."""


@dataclass(frozen=True, slots=True)
class Chip:
    """One choice in words, and the query of the same list without it."""

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
        max_value=LONGEST_MATCH,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )


def _name(label: Any) -> forms.CharField:
    quiet = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
    return forms.CharField(label=label, required=False, max_length=80, widget=forms.TextInput(attrs=quiet))


def _choice(label: Any, choices: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, required=False, choices=choices)


def _variants() -> list[tuple[str, Any]]:
    return [ANY, *((key, words.variant(key)) for key in RULES)]


class MatchFilter(forms.Form):
    """The filter of a list of finished matches: those of `owner`, or of the whole site (None).

    `private` when the owner himself looks: then his marks are choices too. A value that means nothing is an error of
    its field, and the rest of the filter counts.
    """

    player = _name(_("Player"))
    rival = _name(_("Rival"))
    variant = _choice(_("Game"), _variants)
    length = _points(_("Length"))
    longer = _points(_("Longer than"))
    result = _choice(_("Result"), [ANY, ("won", _("Won")), ("lost", _("Lost")), ("level", _("Level"))])
    event = _name(_("Event"))
    since = _day(_("From"))
    until = _day(_("To"))
    pace = _choice(_("Pace"), [ANY, ("live", _("live")), ("correspondence", _("by correspondence"))])
    rated = _choice(_("Rated"), [ANY, ("yes", _("rated")), ("no", _("unrated"))])
    ended = _choice(_("Ended"), [ANY, *Match.EndedBy.choices])
    tag = _choice(_("Tag"), [ANY])
    favourite = forms.BooleanField(label=_("Favourites only"), required=False)
    noted = forms.BooleanField(label=_("With a note"), required=False)
    sort = _choice(
        _("Order"), [(NEWEST, _("newest first")), (OLDEST, _("oldest first")), (LONGEST, _("longest first"))]
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
            self.fields["tag"].choices = [ANY, *dict(tags).items()]  # type: ignore[attr-defined]
        else:
            for name in PRIVATE:
                del self.fields[name]
        self.rivals: list[int] = []
        self.events: list[str] = []
        self.full_clean()

    # Reading what was typed

    def clean_player(self) -> str:
        """One player: of that name, or the only one whose name has it as a part."""
        said: str = self.cleaned_data["player"]
        if said:
            found = _called(said, most=MOST_RIVALS)
            if not found:
                raise ValidationError(_("There is no player of that name."))
            if len(found) > 1:
                names = ", ".join(user.username for user in found)
                raise ValidationError(_("Several players fit that: %(names)s."), params={"names": names})
            self.owner = found[0]
        return said

    def clean_rival(self) -> str:
        """Everybody of that name; in one's own list also the names that stand in files."""
        said: str = self.cleaned_data["rival"]
        if not said:
            return said
        if self.owner is None:
            raise ValidationError(_("Say whose rival: name a player too."))
        found = _called(said, most=MOST_RIVALS + 1)
        if len(found) > MOST_RIVALS:
            raise ValidationError(_("Too many players fit that. Write more of the name."))
        if not found and not self.private:
            raise ValidationError(_("There is no player of that name."))
        self.rivals = [user.pk for user in found if user != self.owner]
        return said

    def clean_result(self) -> str:
        """Won or lost: that is said of somebody."""
        said: str = self.cleaned_data["result"]
        if said and self.owner is None:
            raise ValidationError(_("Say whose result: name a player too."))
        return said

    def clean_event(self) -> str:
        """The path of the page of a tournament or ladder, or a part of its name."""
        said: str = self.cleaned_data["event"]
        if said.startswith("/"):
            self.events = [said]
        elif said:
            arranged = Match.objects.filter(from_url__gt="", title__icontains=said)
            self.events = list(arranged.values_list("from_url", flat=True).distinct()[: MOST_EVENTS + 1])
            if len(self.events) > MOST_EVENTS:
                raise ValidationError(_("Too many tournaments fit that. Write more of the name."))
        return said

    # What it means

    @property
    def order(self) -> str:
        """`newest`, `oldest` or `longest`."""
        return self.value("sort") or NEWEST

    def value(self, name: str) -> Any:
        """What was chosen and is valid; None for what was not."""
        return self.cleaned_data.get(name) or None

    def terms(self) -> Q:
        """The choices that the row of a match answers by itself."""
        found = Q()
        if variant := self.value("variant"):
            found &= Q(variant=variant)
        if (length := self.cleaned_data.get("length")) is not None:
            found &= Q(length=length)
        if (longer := self.cleaned_data.get("longer")) is not None:
            found &= Q(length__gt=longer)
        if ended := self.value("ended"):
            found &= Q(ended_by=ended)
        if rated := self.value("rated"):
            found &= Q(rated=rated == "yes")
        if pace := self.value("pace"):
            by_post = [key for key in PRESETS if pace_of(key) == "correspondence"]
            found &= Q(clock_preset__in=by_post) if pace == "correspondence" else ~Q(clock_preset__in=by_post)
        if self.value("event"):
            found &= Q(from_url__in=self.events)
        return found

    def days(self) -> Iterator[tuple[str, datetime]]:
        """The span of time as lookups: whole days of the site's time zone."""
        if since := self.value("since"):
            yield "gte", _midnight(since)
        if until := self.value("until"):
            yield "lt", _midnight(until + timedelta(days=1))

    # What it says

    @property
    def chips(self) -> list[Chip]:
        """The valid choices in words, each with the way to take it back; the order is not one."""
        return [
            Chip(name, self._said(name), self._without(name))
            for name in self.fields
            if name != "sort" and self.cleaned_data.get(name) not in (None, "", False)
        ]

    @property
    def narrowed(self) -> bool:
        """Whether anything was chosen, valid or not."""
        return any(self.data.get(name) for name in self.fields if name != "sort")

    def _said(self, name: str) -> str:
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

    def _without(self, name: str) -> str:
        rest = self.query.copy()
        for gone in (name, *PLACES):
            rest.pop(gone, None)
        return rest.urlencode()


def _called(said: str, *, most: int) -> list[User]:
    """The player of exactly that name, else those whose names have it as a part."""
    key = fold(said)
    exact = list(User.objects.filter(name_key=key))
    return exact or list(User.objects.filter(name_key__contains=key).order_by("name_key")[:most])


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, timezone.get_current_timezone()).astimezone(UTC)
