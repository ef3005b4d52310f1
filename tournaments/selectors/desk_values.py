"""What the director's desk is made of: open rounds and pairings, results, alerts and next steps."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.selectors.pairing_cards import PairingCard
from tournaments.selectors.result_claims import PairingClaims


@dataclass(frozen=True, slots=True)
class SeriesInPlay:
    """A series that is not decided: how it can be ended as a whole, and its score."""

    claims: PairingClaims
    score: str


@dataclass(frozen=True, slots=True)
class OpenPairing:
    """An open pairing: its card, what was reported, and its match if it is played on this site."""

    card: PairingCard
    claims: PairingClaims
    match_id: str = ""
    penalties: str = ""
    alerted: bool = False
    paused: bool = False
    feeds_consolation: bool = False  # its loser goes on there
    called_at: str = ""
    minutes: int = 0  # since the call
    late_points: int = 0  # the penalty that a player who is not there now has by the rule of the event
    has_clock: bool = False  # a phone may be its match clock
    series: SeriesInPlay | None = None  # that this match belongs to

    @property
    def pausable_keys(self) -> list[str]:
        """The key of the pairing if its match can be paused."""
        return [self.card.key] if self.card.live and not self.paused else []

    @property
    def resumable_keys(self) -> list[str]:
        """The key of the pairing if its match is paused."""
        return [self.card.key] if self.paused else []


@dataclass(frozen=True, slots=True)
class OpenRound:
    """An open round with its pairings that have no result yet."""

    title: str
    note: str
    pairings: list[OpenPairing]

    @property
    def pausable_keys(self) -> list[str]:
        """The keys of the pairings whose match can be paused."""
        return [key for pairing in self.pairings for key in pairing.pausable_keys]

    @property
    def resumable_keys(self) -> list[str]:
        """The keys of the pairings whose match is paused."""
        return [key for pairing in self.pairings for key in pairing.resumable_keys]


@dataclass(frozen=True, slots=True)
class RecentResult:
    """A result entered lately: its card, its act, and who entered it ("": the players or the site)."""

    card: PairingCard
    act: int
    by: str


@dataclass(frozen=True, slots=True)
class Alert:
    """Something that needs a director, with advice."""

    kind: str
    key: str
    title: str
    text: str
    advice: str
    pairing: OpenPairing | None = None


@dataclass(frozen=True, slots=True)
class NextStep:
    """The next thing to do, as a button: the name of its URL, its label, the rounds that it opens."""

    url: str
    label: str
    rounds: tuple[str, ...] = ()
    note: str = ""
    obstacle: str = ""
    preview: bool = False  # whether it can be looked at before it is done
