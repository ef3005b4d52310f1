"""Registration, late entries, pairing preferences and breaks of a tournament at a moment, for desk and page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.utils.translation import gettext as _

from tournaments.errors import Refused
from tournaments.field_size import field_count, full_field_size
from tournaments.formats.core import EntrantPair, Invalid
from tournaments.models import Entrant
from tournaments.round_schedule import next_scheduled_rounds
from tournaments.selectors import labels
from tournaments.selectors.pairing_cards import TournamentSnapshot
from tournaments.services.bot_fill import bot_refusal, field_entry_of
from tournaments.services.entry_conditions import closes_at

LATE_EVERY = timedelta(minutes=5)  # one proposed penalty point for each


@dataclass(frozen=True, slots=True)
class BreakInfo:
    """A break as a page shows it; without an end, a director ends it by hand."""

    title: str
    why: str
    until_iso: str


@dataclass(frozen=True, slots=True)
class PairingPreference:
    """Two entrants to be paired in the next round (`kind` together) or never (apart)."""

    kind: str
    a: int
    b: int
    text: str


@dataclass(frozen=True, slots=True)
class ByeRequest:
    """An entrant who asks not to play a round."""

    round: int
    number: int
    name: str


@dataclass(frozen=True, slots=True)
class BotFill:
    """How many players there are, and how many fill the field without byes."""

    count: int
    full_size: int

    @property
    def missing(self) -> int:
        return self.full_size - self.count


@dataclass(frozen=True)
class TournamentStatus:
    """The status of a tournament at a moment."""

    snapshot: TournamentSnapshot
    moment: datetime
    round_name: Callable[[str, int], str] = lambda section, round_: _("Round %(n)s") % {"n": round_}

    # Registration

    @cached_property
    def bot_fill(self) -> BotFill | None:
        """The places that computer players could fill; None where they cannot play, or registration is closed."""
        state = self.snapshot.state
        if state.phase != "open" or bot_refusal(state.rules) is not None:
            return None
        places = [field_entry_of(entrant) for entrant in self.snapshot.entrants.values() if entrant.plays]
        count = field_count(places, check_in=state.rules.check_in)
        return BotFill(count, full_field_size(state.format.sections, count))

    @cached_property
    def waiting_list(self) -> list[Entrant]:
        """The waiting list, the first one first."""
        return [self.snapshot.entrants[number] for number in self.snapshot.state.waiting]

    def waiting_place(self, number: int) -> int:
        """The place of an entrant on the waiting list, from 1; 0 for an entrant who is not on it."""
        waiting = self.snapshot.state.waiting
        return waiting.index(number) + 1 if number in waiting else 0

    @property
    def viewer_place(self) -> int:
        return self.waiting_place(self.snapshot.viewer_number) if self.snapshot.viewer_number is not None else 0

    @property
    def closes_text(self) -> str:
        """When entries close, if that is before the draw; else ""."""
        closes = closes_at(self.snapshot.tournament, self.snapshot.state.rules)
        return labels.format_moment(closes, self.snapshot.zone, labels.SHORT)

    @property
    def entries_closed(self) -> bool:
        closes = closes_at(self.snapshot.tournament, self.snapshot.state.rules)
        return closes is not None and closes <= self.moment

    @property
    def invitation_path(self) -> str:
        """The path of the invitation link; "" if none is needed, or none was created yet."""
        tournament = self.snapshot.tournament
        if self.snapshot.state.rules.entry == "all" or not tournament.invitation:
            return ""
        return f"/tournaments/{tournament.pk}/?invite={tournament.invitation}"

    @property
    def paid_count(self) -> int:
        return sum(entrant.paid and entrant.plays for entrant in self.snapshot.entrants.values())

    @property
    def replaced_names(self) -> Mapping[int, str]:
        """The player whom each substitute replaces: `replaces carlos`."""
        names = self.snapshot.place_names
        return {number: names.replaced(number) for number in self.snapshot.state.people}

    # Late entries

    @property
    def accepts_late_entries(self) -> bool:
        """Whether late entries are possible; whether there is room is for the service to say."""
        return self.snapshot.state.phase in ("drawn", "running")

    @property
    def is_table_format(self) -> bool:
        """Whether rounds are paired one by one: late entries miss rounds, and pairing preferences are possible."""
        return self.snapshot.state.format.sections == "table"

    @property
    def late_penalty(self) -> int:
        """The proposed penalty for a late entry now: one point for each five minutes since play began."""
        begun_at = self.snapshot.tournament.begun_at
        if begun_at is None or self.is_table_format:
            return 0
        length = self.snapshot.state.rules.lengths[0]
        return min(max((self.moment - begun_at) // LATE_EVERY, 0), length - 1)

    # Pairing preferences

    @property
    def pairing_preferences(self) -> list[PairingPreference]:
        state = self.snapshot.state
        return [
            *(self._preference("together", pair, _("%(a)s plays %(b)s in the next round")) for pair in state.together),
            *(self._preference("apart", pair, _("%(a)s never plays %(b)s")) for pair in state.apart),
        ]

    def _preference(self, kind: str, pair: EntrantPair, sentence: str) -> PairingPreference:
        a, b = pair
        return PairingPreference(kind, a, b, sentence % {"a": self.snapshot.name(a), "b": self.snapshot.name(b)})

    # Byes on request

    @property
    def bye_rounds(self) -> list[int]:
        """The rounds in which a bye can be requested: none where the format has no such byes."""
        state = self.snapshot.state
        if not state.format.takes_bye_requests or state.phase not in ("open", "drawn", "running"):
            return []
        return list(range(len(state.rounds) + 1, state.rules.config.rounds + 1))

    @property
    def bye_requests(self) -> list[ByeRequest]:
        """The requests for rounds to come, by round."""
        ahead = set(self.bye_rounds)
        found = [(round_, number) for number, rounds in self.snapshot.state.byes.items() for round_ in rounds & ahead]
        return [ByeRequest(round_, number, self.snapshot.name(number)) for round_, number in sorted(found)]

    # Breaks and rounds

    @property
    def current_break(self) -> BreakInfo | None:
        """The current break."""
        current = self.snapshot.state.current_break
        if current is None or self.snapshot.state.phase != "running":
            return None
        until = datetime.fromisoformat(current.until) if current.until else None
        if until is None:
            return BreakInfo(_("Play is adjourned"), current.why, "")
        local = until.astimezone(self.snapshot.zone)
        title = _("Break until %(time)s") % {"time": labels.format_moment(until, self.snapshot.zone, labels.HOUR)}
        return BreakInfo(title, current.why, local.isoformat(timespec="seconds"))

    @cached_property
    def next_round(self) -> tuple[str, str] | None:
        """The next round that opens by hand or at a set time: its name, and the time ("" for by hand)."""
        state = self.snapshot.state
        if state.phase != "running" or state.rules.pace == "flow" or state.current_break is not None:
            return None
        scheduled = next_scheduled_rounds(state)
        rounds = scheduled.rounds or scheduled.unpaired
        if not rounds:
            return None
        opens_at = state.round_times.get(rounds[0])
        at = (
            labels.format_moment(datetime.fromisoformat(opens_at), self.snapshot.zone, labels.SHORT) if opens_at else ""
        )
        name = self.round_name(*rounds[0]) if len(rounds) == 1 else _("Round %(n)s") % {"n": rounds[0][1]}
        return name, at


def unpairable_reason(fault: Invalid, names: Mapping[int, str]) -> str:
    """Why entrants cannot be drawn, or the next round be paired with the director's preferences."""
    numbers: tuple[int, ...] = tuple(fault.params.get("entrants", ()))  # type: ignore[arg-type]
    listed = ", ".join(names.get(number, "?") for number in numbers)
    return Refused(fault.code, params={**fault.params, "names": listed}).text
