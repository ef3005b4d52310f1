"""What owners of clubs and those who want to join them type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from accounts.clubs import FACTS, LONGEST_DAYS
from accounts.models import Club, Membership

DAYS: Sequence[tuple[str, Any]] = (
    ("1", _("a day")),
    ("7", _("a week")),
    ("30", _("a month")),
    (str(LONGEST_DAYS), _("a year")),
)
USES: Sequence[tuple[str, Any]] = (("1", _("One person")), ("10", _("Ten people")), ("0", _("As many as come")))


class ClubForm(forms.ModelForm):
    """A club to be opened or changed."""

    timezone = forms.ChoiceField(label=_("Time zone"), help_text=_("That of the club's nights."))
    joining = forms.ChoiceField(label=_("How does one join?"), choices=Club.Joining.choices, widget=forms.RadioSelect)
    makers = forms.ChoiceField(label=_("Who opens tournaments?"), choices=Club.Makers.choices, widget=forms.RadioSelect)
    rated = forms.ChoiceField(label=_("Which events are rated?"), choices=Club.Rated.choices, widget=forms.RadioSelect)

    class Meta:
        model = Club
        fields = FACTS
        labels = {
            "name": _("Name of the club"),
            "about": _("About the club"),
            "place": _("Where it meets"),
            "meets": _("When it meets"),
            "website": _("Web page"),
            "outside": _("Results over the board count for the ratings"),
        }
        help_texts = {
            "meets": _("For example: Thursdays at 19:30."),
            "outside": _("Between two members, in rated events: the club vouches for them."),
        }
        widgets = {
            "about": forms.Textarea(attrs={"rows": 4}),
            "website": forms.URLInput(attrs={"placeholder": "https://"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zones = sorted(zone for zone in available_timezones() if "/" in zone or zone == "UTC")
        self.fields["timezone"].choices = [(zone, zone.replace("_", " ")) for zone in zones]  # type: ignore[attr-defined]
        if self.instance.pk is None:
            self.initial["timezone"] = settings.TIME_ZONE
        self.fields["website"].assume_scheme = "https"  # type: ignore[attr-defined]

    def facts(self) -> dict[str, Any]:
        """Keyword arguments of `clubs.club_create` and `club_change`."""
        return {name: self.cleaned_data[name] for name in FACTS}

    def _post_clean(self) -> None:
        """Nothing: the services write, so the instance is not touched."""


class InvitationForm(forms.Form):
    """An invitation: how long it is good, for how many, and to whom it is sent."""

    days = forms.TypedChoiceField(label=_("Good for"), choices=DAYS, coerce=int, initial="7")
    uses = forms.TypedChoiceField(label=_("For"), choices=USES, coerce=int, initial="1")
    email = forms.EmailField(label=_("Send it to"), required=False, help_text=_("Or copy the link and hand it over."))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not settings.HAS_MAIL:
            del self.fields["email"]

    def facts(self) -> dict[str, Any]:
        """Keyword arguments of `clubs.invitation_make`."""
        data = self.cleaned_data
        return {"days": data["days"], "most_uses": data["uses"] or None, "email": data.get("email", "")}


class MemberForm(forms.Form):
    """What an owner changes about a member: his role and his last day."""

    user = forms.IntegerField(min_value=1, max_value=2**31 - 1)
    role = forms.ChoiceField(choices=Membership.Role.choices)
    until = forms.DateField(required=False)
