"""The forms of results: a score that a player reports, what directors enter and correct, penalty points."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournaments.terms import LONGEST

MOST_POINTS = 999


class PointsField(forms.DecimalField):
    """Points of a match: whole numbers, or halves where games can be drawn."""

    def __init__(self) -> None:
        super().__init__(min_value=0, max_value=MOST_POINTS, error_messages={"required": _("Enter the score.")})

    def clean(self, value: Any) -> float | None:
        number = super().clean(value)
        if number is None:
            return None
        if 2 * number % 1:
            raise forms.ValidationError(_("Enter whole or half points."))
        return float(number) if number % 1 else int(number)


class ScoreForm(forms.Form):
    """The score of a pairing: the winner's entrant number, the points of the winner and of the loser."""

    key = forms.CharField(max_length=40)
    winner = forms.IntegerField(min_value=1, error_messages={"required": _("Choose who won.")})
    won = PointsField()
    lost = PointsField()

    def points(self, first: int) -> tuple[float, float]:
        """The points of the pairing's first player (entrant number `first`), then of the second."""
        data = self.cleaned_data
        return (data["won"], data["lost"]) if data["winner"] == first else (data["lost"], data["won"])


class ResultForm(ScoreForm):
    """A result entered by a director: a score, a walkover (`how`), or a double walkover (no winner).

    Without the loser's points the score is not known (ruling E12).
    """

    how = forms.ChoiceField(choices=[(key, key) for key in ("played", "walkover", "double")])
    why = forms.CharField(max_length=200, required=False)
    loser_present = forms.BooleanField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        how = self.data.get("how")
        for name in ("won", "lost"):
            self.fields[name].required = False
        self.fields["winner"].required = how != "double"

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("how") == "played" and data.get("lost") is not None and data.get("won") is None:
            self.add_error("won", _("Enter the score."))
        return data

    def result(self, first: int) -> dict[str, Any]:
        """Keyword arguments for `services.result_enter`."""
        how, why = self.cleaned_data["how"], self.cleaned_data["why"]
        reason = {"why": why} if why else {}
        if how == "played":
            points = self.points(first) if self.cleaned_data["lost"] is not None else None
            return {"winner": self.cleaned_data["winner"], "points": points, **reason}
        if how == "double":
            return {"winner": None, "how": "walkover", **reason}
        presence = {"loser_present": True} if self.cleaned_data["loser_present"] else {}
        return {"winner": self.cleaned_data["winner"], "how": "walkover", **presence, **reason}


class SentResultForm(ResultForm):
    """A result that the page of the desk sends by itself: for which two (`of`), and under which name (`sent`)."""

    of = forms.RegexField(r"^\d{1,5} \d{1,5}$")
    sent = forms.RegexField(r"^[0-9a-f-]{8,40}$")

    def result(self, first: int) -> dict[str, Any]:
        """Keyword arguments for `services.result_enter`."""
        of = [int(number) for number in self.cleaned_data["of"].split()]
        return {**super().result(first), "of": of, "sent": self.cleaned_data["sent"]}


LONGEST_WHY = 200


MOST_AGREED = 10_000


class CorrectionForm(ResultForm):
    """A corrected result, and the reason for the correction."""

    why = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_WHY,
        error_messages={"required": _("Give a reason. Everyone can read it.")},
    )

    def result(self, first: int) -> dict[str, Any]:
        """Keyword arguments for `services.result_correct`."""
        return {**super().result(first), "why": self.cleaned_data["why"]}


def agreed_keys(data: QueryDict) -> list[str] | None:
    """The keys of the pairings whose reset the director agreed to; None where they were shown none."""
    return [key[:40] for key in data.getlist("agreed")[:MOST_AGREED]] or None


class PenaltyForm(forms.Form):
    """Penalty points of an entrant in a pairing."""

    key = forms.CharField(max_length=40)
    entrant = forms.IntegerField(min_value=1, error_messages={"required": _("Choose the player to penalise.")})
    points = forms.IntegerField(min_value=0, max_value=LONGEST)

    def kwargs(self) -> dict[str, Any]:
        """Keyword arguments for `services.penalty_give`."""
        data = self.cleaned_data
        return {"key": data["key"], "number": data["entrant"], "points": data["points"]}
