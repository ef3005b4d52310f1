"""The forms of the boards at the desk: rooms with their numbers, and the board of a pairing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.boards import LONGEST_ROOM, MOST_ROOMS, Boards, Room

LINE = re.compile(r"(?:(?P<name>.*?)[\s:,]+)?(?P<first>\d{1,3})(?:\s*[-\u2013]\s*(?P<last>\d{1,3}))?")
NUMBERS = re.compile(r"\d{1,3}(?:\s*[-\u2013]\s*\d{1,3})?")
SHAPE = _("Write a line for each room: its name and its board numbers, like Main hall 1-16.")
SOME = _("Write board numbers like 1, 5-8.")


class BoardsForm(forms.Form):
    """The rooms, a line each (`Main hall 1-16`), and the boards that are given by hand only."""

    rooms = forms.CharField(
        label=_("Rooms and boards"),
        max_length=MOST_ROOMS * (LONGEST_ROOM + 10),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"max_length": SHAPE},
    )
    reserved = forms.CharField(label=_("Reserved boards"), max_length=200, required=False)
    streamed = forms.CharField(label=_("Streamed boards"), max_length=200, required=False)
    automatic = forms.BooleanField(label=_("Call pairings to free boards automatically"), required=False)

    def clean_rooms(self) -> tuple[Room, ...]:
        lines = [line.strip() for line in self.cleaned_data["rooms"].splitlines() if line.strip()]
        found = [LINE.fullmatch(line) for line in lines]
        if not all(found):
            raise forms.ValidationError(SHAPE)
        return tuple(
            Room((line["name"] or "").strip(), int(line["first"]), int(line["last"] or line["first"]))
            for line in found
            if line is not None
        )

    def clean_reserved(self) -> frozenset[int]:
        return frozenset(_numbers(self.cleaned_data["reserved"]))

    def clean_streamed(self) -> frozenset[int]:
        return frozenset(_numbers(self.cleaned_data["streamed"]))

    def boards(self) -> Boards:
        """The boards that were typed."""
        data = self.cleaned_data
        return Boards(data["rooms"], data["reserved"], data["streamed"], data["automatic"])

    @staticmethod
    def initial_of(boards: Boards) -> dict[str, Any]:
        """The boards as they are typed."""
        rooms = (f"{room.name} {room.first}-{room.last}".strip() for room in boards.rooms)
        return {
            "rooms": "\n".join(rooms),
            "reserved": ", ".join(map(str, sorted(boards.reserved))),
            "streamed": ", ".join(map(str, sorted(boards.streamed))),
            "automatic": boards.automatic,
        }


def _numbers(text: str) -> Iterable[int]:
    """The numbers in `1, 5-8`. Raises forms.ValidationError."""
    parts = [part for part in re.split(r"[,;\s]+", re.sub(r"\s*[-\u2013]\s*", "-", text.strip())) if part]
    if not all(NUMBERS.fullmatch(part) for part in parts):
        raise forms.ValidationError(SOME)
    ends = ([int(end) for end in part.split("-")] for part in parts)
    return [number for both in ends for number in range(both[0], both[-1] + 1)]


class CallForm(forms.Form):
    """The board of a pairing; none ends its call."""

    key = forms.CharField(max_length=40)
    board = forms.IntegerField(label=_("Board"), required=False, min_value=1, max_value=999)
