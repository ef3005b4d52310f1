"""Reports: asked for, made by a worker a game at a time, and gone on with where a worker was killed.

The row is the job. A worker claims it (`touched_at`), and writes only while its claim stands; each game
that is judged is saved, so a killed worker costs one game. Only finished matches are ever judged: this module is the
one place that starts it, and `_unfit` is checked first.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from datetime import timedelta
from itertools import groupby

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F
from django.db.models.functions import Greatest

from accounts.models import User
from analysis import notify, report_summary
from analysis.analysts import analyst_for, why_not
from analysis.engine import DEPTHS, Analyst
from analysis.errors import Refused
from analysis.models import AnalysisPreferences, Report
from analysis.moments import RecordedAction, moments
from analysis.report import SHAPE, MatchAnalyser, game_json
from analysis.services.position_cache import CachingAnalyst
from games import take_back
from games.database import now
from games.engine import Json
from games.errors import NotFound
from games.events import start_state
from games.models import Match, seat_of
from games.selectors import match_state

log = logging.getLogger(__name__)

UNDER_WAY = (Report.Status.WAITING, Report.Status.MAKING)
PATIENCE = timedelta(seconds=60)  # a card in the making that nobody touched for so long has lost its worker
MOST_TRIES = 5
SAVE_EVERY = 1.0  # seconds between two notes of progress
DAY = timedelta(days=1)
GUEST_QUOTA = 3


def report_ask(*, match_id: str, user: User, depth: str = "quick") -> Report:
    """Ask for the report of a finished match of one's own; what there is already is the answer.

    Raises NotFound; Refused("report_depth", "report_off", "report_not_yours", "report_not_over", "report_no_moves",
    "engine_variant", "engine_options", "engine_missing", "report_quota").
    """
    match = match_state.match_with_seats(match_id)
    if match is None or match.status in (Match.Status.OPEN, Match.Status.CANCELLED):
        raise NotFound
    if depth not in DEPTHS:
        raise Refused("report_depth")
    if code := why_no_report(match, user):
        raise Refused(code)
    known = Report.objects.filter(match=match, depth=depth).defer("data").first()
    if known is None or known.status == Report.Status.FAILED:
        _keep_quota(user)
    return _wanted(match, depth, user)


def why_no_report(match: Match, user: User) -> str | None:
    """Why no report is made of this match for this person, as a code; None when one is."""
    if settings.REPORTS == "off":
        return "report_off"
    if not can_request(match, user):
        return "report_not_yours"
    return _unfit(match)


def report_in_progress(match: Match, user: User) -> bool:
    """Whether this person can have a report of a match that is still played, once it is over."""
    return can_request(match, user) and can_be_judged(match)


def can_be_judged(match: Match) -> bool:
    """Whether a report can be made of a match that is still played, once it is over, if somebody may request it."""
    possible = settings.REPORTS != "off" and not match.over_the_board
    return possible and why_not(match.variant, match.options) is None


def can_request(match: Match, user: User) -> bool:
    """Whether this person may have a match analysed: they played it, or imported it."""
    return seat_of(match, user.pk) is not None or (match.from_file and match.creator_id == user.pk)


def _unfit(match: Match) -> str | None:
    if match.status != Match.Status.OVER:
        return "report_not_over"
    if match.over_the_board or not match.version:
        return "report_no_moves"
    return why_not(match.variant, match.options)


def quota_of(user: User) -> int:
    """How many reports this person may ask for in a day."""
    return min(GUEST_QUOTA, settings.REPORTS_A_DAY) if user.is_guest else settings.REPORTS_A_DAY


def _keep_quota(user: User) -> None:
    used = Report.objects.filter(asked_by=user, asked_at__gt=now() - DAY).count()
    if used >= quota_of(user):
        raise Refused("report_quota", params={"most": quota_of(user)})


def _wanted(match: Match, depth: str, user: User | None) -> Report:
    moment = now()
    values = {"asked_by": user, "asked_at": moment, "touched_at": moment, "total": match.version}
    try:
        with transaction.atomic():
            report, made = Report.objects.get_or_create(match=match, depth=depth, defaults=values)
            if not made and report.status == Report.Status.FAILED:
                restarted = {**values, "status": Report.Status.WAITING, "tries": 0}
                made = bool(Report.objects.filter(pk=report.pk, status=Report.Status.FAILED).update(**restarted))
                report.refresh_from_db()
            if made:
                notify.report_requested(report.pk)
            return report
    except IntegrityError:  # asked twice at once
        return Report.objects.get(match=match, depth=depth)


def report_after_match(*, match_id: str) -> Report | None:
    """The card of a match that has just ended, where the site or one of its players wants one of each."""
    if settings.REPORTS == "off":
        return None
    match = match_state.match_with_seats(match_id)
    if match is None or _unfit(match):
        return None
    players = [seat.user for seat in match.seats.all() if seat.user is not None and not seat.user.is_bot]
    if settings.REPORTS == "always":
        return _wanted(match, "quick", None)
    wanting = AnalysisPreferences.objects.filter(user__in=players, always=True).select_related("user")
    for preferences in wanting:
        try:
            _keep_quota(preferences.user)
        except Refused:
            continue
        return _wanted(match, "quick", preferences.user)
    return None


def preferences_save(*, user: User, always: bool | None = None, public: bool | None = None) -> AnalysisPreferences:
    """Store what a player wants of the analysis; None leaves a preference as it is."""
    changed = {name: value for name, value in (("always", always), ("public", public)) if value is not None}
    return AnalysisPreferences.objects.update_or_create(user=user, defaults=changed)[0]


# Making


def report_claim(*, report_id: int) -> Report | None:
    """Take a card over, with what is made of it; None when it is made, or somebody else is at it."""
    report = Report.objects.select_related("match").filter(pk=report_id, status__in=UNDER_WAY).first()
    if report is None:
        return None
    moment = now()
    if report.status == Report.Status.MAKING and report.touched_at > moment - PATIENCE:
        return None
    as_seen = Report.objects.filter(pk=report_id, status=report.status, touched_at=report.touched_at)
    claimed = as_seen.update(status=Report.Status.MAKING, touched_at=moment, tries=F("tries") + 1)
    report.status, report.touched_at = Report.Status.MAKING, moment
    return report if claimed else None


def report_make(*, report_id: int) -> bool:
    """Make a card, or go on with it: whether it was made here. Safe to run any number of times."""
    report = report_claim(report_id=report_id)
    if report is None:
        return False
    match = report.match
    analyst = analyst_for(match.variant)
    if analyst is None or _unfit(match):
        report_fail(report_id=report_id)
        return False
    games: list[Json] = report.data.get("games", []) if report.engine in ("", analyst.name) else []
    report.engine = analyst.name
    for done, game in _judged(report, CachingAnalyst(analyst, early=True), after=len(games)):
        if game is not None:
            games.append(game)
        if not _save(report, done, games if game is not None else None):
            return False
    data = {
        "shape": SHAPE,
        "engine": analyst.name,
        "depth": report.depth,
        "games": games,
        "sides": report_summary.summarise_sides(games, match.winner),
    }
    return _finish(report, data)


def _judged(report: Report, analyst: Analyst, *, after: int) -> Iterator[tuple[int, Json | None]]:
    """The games that are still to judge, each when it is done, and between them how far one is (with None)."""
    match, depth = report.match, report.depth
    rows = match.actions.order_by("n").values_list("n", "game_number", "actor", "text")
    state = start_state(match, match.games.order_by("number"))
    heads = {game.number: game for game in match.games.all()}
    reported_at = time.monotonic()
    for at, (number, actions) in enumerate(
        groupby(take_back.standing(RecordedAction(*row) for row in rows), key=lambda action: action.game)
    ):
        if at < after:
            for moment in moments(state, actions):
                state = moment.after
            continue
        game, judge = game_json(state, number, analyst), MatchAnalyser(analyst, depth)  # type: ignore[arg-type]
        n = 0
        for moment in moments(state, actions):
            judge.judge(moment)
            state, n = moment.after, moment.action.n
            if time.monotonic() - reported_at > SAVE_EVERY:
                reported_at = time.monotonic()
                yield n, None
        if (head := heads.get(number)) is not None:
            game |= {"winner": head.winner, "points": head.points, "kind": head.kind}
        yield n, game | {"decisions": judge.decisions, "rolls": judge.rolls}


def _save(report: Report, done: int, games: list[Json] | None) -> bool:
    """Note how far one is, with the games that are done; whether the claim still stands."""
    moment = now()
    claim = Report.objects.filter(pk=report.pk, status=Report.Status.MAKING, touched_at=report.touched_at)
    more = {} if games is None else {"data": {"games": games}, "engine": report.engine}
    # A game that a killed worker had half judged begins anew: the page still shows how far it was.
    updated = claim.update(done=Greatest(F("done"), done), touched_at=moment, **more)
    report.touched_at = moment
    return bool(updated)


def _finish(report: Report, data: Json) -> bool:
    moment = now()
    claim = Report.objects.filter(pk=report.pk, status=Report.Status.MAKING, touched_at=report.touched_at)
    with transaction.atomic():
        made = claim.update(
            status=Report.Status.READY,
            data=data,
            engine=report.engine,
            done=F("total"),
            touched_at=moment,
            made_at=moment,
        )
        if made:
            notify.report_made(report.pk)
    return bool(made)


def report_fail(*, report_id: int) -> None:
    """Give a card up: the engine is gone, or it was tried too often."""
    Report.objects.filter(pk=report_id, status__in=UNDER_WAY).update(
        status=Report.Status.FAILED, data={}, touched_at=now()
    )


def reports_sweep() -> int:
    """Call for the cards whose call or worker is gone, and give up those that were tried too often: how many called."""
    moment = now()
    lost = Report.objects.filter(status__in=UNDER_WAY, touched_at__lt=moment - PATIENCE)
    called = 0
    for report_id, tries in lost.order_by("asked_at").values_list("pk", "tries"):
        if tries >= MOST_TRIES:
            log.error("match analysis %s was given up after %s tries", report_id, tries)
            report_fail(report_id=report_id)
        elif lost.filter(pk=report_id).update(status=Report.Status.WAITING, touched_at=moment):
            notify.report_requested(report_id)
            called += 1
    return called
