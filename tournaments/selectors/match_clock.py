"""The match clock of a pairing over the board: its players, its terms, and how the page reports the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from accounts.models import User
from games.clocks import PRESETS, fitting
from games.models import Match
from games.registry import RULES
from tournaments import roles
from tournaments.errors import NotFound, Refused
from tournaments.formats.core import Key, Pairing
from tournaments.models import Meeting, Tournament
from tournaments.selectors import labels
from tournaments.selectors.place_names import PlaceNames
from tournaments.selectors.result_claims import ClaimPlayer
from tournaments.services.transaction import load_state
from tournaments.state import State
from tournaments.terms import Terms


@dataclass(frozen=True, slots=True)
class MatchClock:
    """The clock of a pairing, as its page starts. `viewer` is the viewer's entrant number, if they play in it."""

    tournament: Tournament
    key: Key
    mark: str
    players: tuple[ClaimPlayer, ClaimPlayer]
    viewer: int | None
    terms: Terms
    round: int
    length: int
    points: tuple[int, int]  # with which the two begin: the penalty points of the opponent

    @property
    def data(self) -> dict[str, Any]:
        """What the script of the page reads, as JSON. Times are in milliseconds."""
        numbers = [player.number for player in self.players]
        route = "desk-send" if self.viewer is None else "api-result-report"
        options = self.terms.options
        cube = self.length > 1 and options.get("cube", True)
        return {
            "place": f"tablero.clock.{self.tournament.pk}.{self.key}.{numbers[0]}-{numbers[1]}",
            "key": self.key,
            "numbers": numbers,
            "names": [player.name for player in self.players],
            "near": numbers.index(self.viewer) if self.viewer is not None else 0,
            "match": {
                "length": self.length,
                "start": list(self.points),
                "cube": cube,
                "crawford": cube and options.get("crawford", True),
            },
            "clock": _clock_settings(self.terms, self.round, self.length),
            "report": {
                "as": "director" if self.viewer is None else "player",
                "url": reverse(route, args=[self.tournament.pk]),
            },
        }


def offers_match_clock(state: State) -> bool:
    """Whether pairings may be played over the board, in a game that is scored with a cube."""
    rules = RULES.get(state.rules.variant)
    return not state.plays_online_only and rules is not None and "cube" in rules.terms(2)


def match_clock(*, tournament_id: str, user: User, key: Key) -> MatchClock:
    """The match clock of an open pairing, for its players and for officials.

    Raises NotFound, Refused: not_yours, no_match_clock, has_result, not_ready, not_open, online_only, on_the_board.
    """
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    if tournament is None:
        raise NotFound
    state = load_state(tournament)
    pairing = state.by_key.get(key)
    if pairing is None:
        raise NotFound
    entrants = {entrant.number: entrant for entrant in tournament.entrants.select_related("user")}
    viewer = next((number for number in pairing.entrants if entrants[number].user_id == user.pk), None)
    if viewer is None and not roles.may(tournament.role_of(user), roles.DeskAct.ENTER_RESULTS):
        raise Refused("not_yours")
    _check_playable(tournament, state, pairing)
    names = PlaceNames(state, entrants)
    first, second = pairing.entrants
    penalties = state.penalties_of(pairing)
    return MatchClock(
        tournament=tournament,
        key=key,
        mark=labels.pairing_mark(key),
        players=(ClaimPlayer(first, names.name(first)), ClaimPlayer(second, names.name(second))),
        viewer=viewer,
        terms=state.rules,
        round=pairing.round,
        length=state.rules.length(pairing.section, pairing.round),
        points=(penalties.get(second, 0), penalties.get(first, 0)),
    )


def _check_playable(tournament: Tournament, state: State, pairing: Pairing) -> None:
    """Check that two players may play this pairing over the board now. Raises Refused."""
    if state.plays_online_only:
        raise Refused("online_only")
    if not offers_match_clock(state):
        raise Refused("no_match_clock")
    if pairing.state == "done":
        raise Refused("has_result")
    if state.phase != "running" or pairing.state != "ready":
        raise Refused("not_ready")
    meeting = Meeting.objects.select_related("match").filter(tournament=tournament, key=pairing.key).first()
    if meeting is None or meeting.opened_at is None:
        raise Refused("not_open")
    if meeting.match is not None and meeting.match.status == Match.Status.LIVE:
        raise Refused("on_the_board")


def _clock_settings(terms: Terms, round_: int, length: int) -> dict[str, Any]:
    """The clock of a round, or the usual one where a match has none or lasts days."""
    preset = PRESETS.get(terms.clock_of(round_))
    if preset is None or preset.kind in (None, "turn"):
        preset = fitting("match")[0]
    return {
        "reserve": preset.reserve * (1 if preset.each_game else length),
        "delay": preset.delay,
        "bonus": preset.bonus,
        "overtime": preset.overtime,
        "eachGame": preset.each_game,
    }
