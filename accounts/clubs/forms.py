"""The forms to create and change clubs, invite people and change members."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from accounts.clubs.services import EDITABLE_FIELDS, MAX_DAYS
from accounts.models import Club, Membership

DAYS: Sequence[tuple[str, Any]] = (
    ("1", _("a day")),
    ("7", _("a week")),
    ("30", _("a month")),
    (str(MAX_DAYS), _("a year")),
)
USES: Sequence[tuple[str, Any]] = (("1", _("1 person")), ("10", _("10 people")), ("0", _("No limit")))


class ClubForm(forms.ModelForm):
    """Create or change a club."""

    timezone = forms.ChoiceField(label=_("Time zone"), help_text=_("Used for the times of the club's events."))
    joining = forms.ChoiceField(label=_("How do people join?"), choices=Club.Joining.choices, widget=forms.RadioSelect)
    makers = forms.ChoiceField(
        label=_("Who can create tournaments?"), choices=Club.Makers.choices, widget=forms.RadioSelect
    )
    rated = forms.ChoiceField(label=_("Which events are rated?"), choices=Club.Rated.choices, widget=forms.RadioSelect)

    class Meta:
        model = Club
        fields = EDITABLE_FIELDS
        labels = {
            "name": _("Club name"),
            "about": _("About the club"),
            "place": _("Meeting place"),
            "meets": _("Meeting times"),
            "website": _("Website"),
            "outside": _("Rate over-the-board matches"),
        }
        help_texts = {
            "meets": _("For example: Thursdays at 19:30."),
            "outside": _("For matches between two members in rated events. The club vouches for the results."),
        }
        widgets = {
            "about": forms.Textarea(attrs={"rows": 4}),
            "website": forms.URLInput(attrs={"placeholder": "https://"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zones = sorted(zone for zone in available_timezones() if "/" in zone or zone == "UTC")
        cast(forms.ChoiceField, self.fields["timezone"]).choices = [(zone, zone.replace("_", " ")) for zone in zones]
        if self.instance.pk is None:
            self.initial["timezone"] = settings.TIME_ZONE
        self.fields["website"].assume_scheme = "https"  # type: ignore[attr-defined]

    def service_arguments(self) -> dict[str, Any]:
        """Keyword arguments of `clubs.club_create` and `club_update`."""
        return {name: self.cleaned_data[name] for name in EDITABLE_FIELDS}

    def _post_clean(self) -> None:
        """Nothing: the services write, so the instance is not touched."""


class InvitationForm(forms.Form):
    """Create an invitation: for how long, for how many people, and to whom it is sent."""

    days = forms.TypedChoiceField(label=_("Valid for"), choices=DAYS, coerce=int, initial="7")
    uses = forms.TypedChoiceField(label=_("Number of people"), choices=USES, coerce=int, initial="1")
    email = forms.EmailField(
        label=_("Send to (e-mail)"), required=False, help_text=_("Or leave it empty and share the link yourself.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not settings.HAS_MAIL:
            del self.fields["email"]

    def service_arguments(self) -> dict[str, Any]:
        """Keyword arguments of `clubs.invitation_make`."""
        data = self.cleaned_data
        return {"days": data["days"], "most_uses": data["uses"] or None, "email": data.get("email", "")}


class MemberForm(forms.Form):
    """Change the role and the last day of a member."""

    user = forms.IntegerField(min_value=1, max_value=2**31 - 1)
    role = forms.ChoiceField(choices=Membership.Role.choices)
    until = forms.DateField(required=False)
