"""The viewer of a tournament's page as an entrant: what they play next, and what they can do about it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _

from games import labels as game_labels
from games.models import Match
from games.selectors.match_rows import match_rows
from tournaments.formats.core import Key, Pairing
from tournaments.models import Entrant
from tournaments.part_keys import fixture_key
from tournaments.selectors import labels
from tournaments.selectors.match_clock import offers_match_clock
from tournaments.selectors.pairing_cards import PairingCard, TournamentSnapshot, next_opponent
from tournaments.selectors.result_claims import PairingClaims, pairing_claims

MOST_AHEAD = 3  # matches of the viewer that are not open yet


@dataclass(frozen=True, slots=True)
class NextMatch:
    """A pairing that the viewer has to play. `action`: arrive, wait, go, report, told or ""."""

    card: PairingCard
    opponent: str
    round: str
    length: str
    action: str
    match_id: str = ""
    claims: PairingClaims | None = None  # where the players may report the result
    has_clock: bool = False  # a phone may be its match clock
    series: str = ""  # of a match of a series: `Best of 3: 1–0, match 2`
    waits_for_viewer: bool = False  # of an exhibition: it is the viewer's turn there


@dataclass(frozen=True, slots=True)
class ViewerEntry:
    """The viewer as an entrant: their next matches, or the player they wait for."""

    entrant: Entrant
    next_matches: list[NextMatch] = field(default_factory=list)
    next_opponent: str = ""
    place: int | None = None
    can_withdraw: bool = False  # whether a match is left to withdraw from
    more_matches: int = 0  # after those in `next_matches`


def viewer_entry(snapshot: TournamentSnapshot, viewer_entrant: Entrant) -> ViewerEntry:
    """What a viewer who has entered plays next. One query more where all is played at once."""
    playable = [
        pairing
        for pairing in snapshot.state.pairings
        if pairing.state == "ready" and viewer_entrant.number in pairing.entrants
    ]
    waiting = _keys_waiting_for(snapshot, viewer_entrant)
    playable.sort(key=lambda pairing: (not _is_open(snapshot, pairing), pairing.key not in waiting))
    shown = sum(_is_open(snapshot, pairing) for pairing in playable) + MOST_AHEAD
    ready = [
        replace(_next_match(snapshot, pairing, viewer_entrant), waits_for_viewer=pairing.key in waiting)
        for pairing in playable[:shown]
    ]
    opponent = "" if ready else next_opponent(snapshot, viewer_entrant.number)
    can_withdraw = any(
        pairing.state in ("ready", "waiting") and viewer_entrant.number in pairing.entrants
        for pairing in snapshot.state.pairings
    )
    placed = [standing.place for standing in snapshot.state.standings if snapshot.is_viewer(standing.entrant)]
    over = snapshot.state.phase == "over"
    table = snapshot.state.format.sections in ("table", "arena") and not snapshot.state.complete
    return ViewerEntry(
        viewer_entrant,
        ready if not viewer_entrant.withdrawn else [],
        opponent,
        placed[0] if over and placed else None,
        can_withdraw=(can_withdraw or table) and viewer_entrant.team_id is None,
        more_matches=len(playable[shown:]),
    )


def _keys_waiting_for(snapshot: TournamentSnapshot, viewer_entrant: Entrant) -> frozenset[Key]:
    """Where all is played at once: the pairings whose live match waits for the viewer. One query more."""
    if not snapshot.state.format.at_once or viewer_entrant.user_id is None:
        return frozenset()
    key_of = {row.match_id: key for key, row in snapshot.meetings.items() if row.match_id}
    live = Match.objects.filter(
        meeting__tournament=snapshot.tournament, status=Match.Status.LIVE, seats__user=viewer_entrant.user_id
    )
    rows = match_rows(live.prefetch_related("seats"), viewer_entrant.user, turns=True)
    return frozenset(key_of[row.match.pk] for row in rows if row.my_turn and row.match.pk in key_of)


def _is_open(snapshot: TournamentSnapshot, pairing: Pairing) -> bool:
    meeting = snapshot.meetings.get(pairing.key)
    return meeting is not None and meeting.opened_at is not None


def _next_match(snapshot: TournamentSnapshot, pairing: Pairing, viewer_entrant: Entrant) -> NextMatch:
    meeting = snapshot.meetings.get(pairing.key)
    match = meeting.match if meeting else None
    opponent = next(number for number in pairing.entrants if number != viewer_entrant.number)
    online = snapshot.state.plays_online_only
    action = ""
    if _is_open(snapshot, pairing):
        action = _viewer_action(snapshot, pairing, match, viewer_entrant)
    claimable = action in ("report", "told") or (action in ("arrive", "wait") and not online)
    names = {number: snapshot.name(number) for number in pairing.entrants}
    return NextMatch(
        card=snapshot.card(pairing),
        opponent=snapshot.name(opponent),
        round=_("Round %(n)s") % {"n": pairing.round},
        length=game_labels.length(snapshot.state.rules.length(pairing.section, pairing.round)),
        action=action,
        match_id=match.pk if match else "",
        claims=pairing_claims(snapshot.state, pairing, names, viewer_entrant.number) if claimable else None,
        has_clock=claimable and offers_match_clock(snapshot.state),
        series=_series_text(snapshot, pairing, viewer_entrant),
    )


def _series_text(snapshot: TournamentSnapshot, pairing: Pairing, viewer_entrant: Entrant) -> str:
    """Where a series stands before its present match, the viewer's matches first; "" for a single match."""
    part = labels.part_label(pairing)
    if not part:
        return ""
    state = snapshot.state
    score = state.series.score(state.fixture_by_key[fixture_key(pairing.key)], state.results)
    own, other = score if pairing.a.entrant == viewer_entrant.number else score[::-1]
    params = {"n": pairing.why.params["best_of"], "match": part, "own": own, "other": other}
    return _("Best of %(n)s: %(own)s–%(other)s, %(match)s") % params


def _viewer_action(snapshot: TournamentSnapshot, pairing: Pairing, match: Match | None, viewer_entrant: Entrant) -> str:
    """What the viewer does next about an open pairing."""
    if snapshot.state.report(pairing) is not None:
        return "told"
    if match is None or match.status not in (Match.Status.OPEN, Match.Status.LIVE):
        return "report"
    if match.status == Match.Status.LIVE:
        return "go"
    seats = snapshot.seats.get(match.pk, ())
    return "wait" if any(seat.user_id == viewer_entrant.user_id and seat.arrived_at for seat in seats) else "arrive"
