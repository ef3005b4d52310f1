"""Creating a ladder, changing its rules, closing it, and its seasons."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.clubs.roles import may_direct
from accounts.models import Club, Membership, User
from accounts.web.staff import refusal_code
from games.database import now
from games.services.offers import check_offer
from ladders import rules as ladder_rules
from ladders.errors import Refused
from ladders.models import Ladder, LadderChallenge, LadderSeason
from ladders.services.results import count_missed_results
from ladders.services.transaction import LadderTransaction, challenge_facts

LONGEST_NAME = 60
LONGEST_SEASON = timedelta(days=10_000)  # so that its end can be shown in every time zone


def ladder_create(
    *,
    by: User,
    club: Club,
    name: str,
    kind: str,
    variant: str,
    length: int,
    clock: str,
    options: Mapping[str, Any] | None = None,
    rated: bool = True,
    config: Mapping[str, Any] | None = None,
    season_name: str = "",
    season_ends_at: datetime | None = None,
) -> Ladder:
    """Create a ladder of a club; `config` is what `ladders.rules.Config.of` reads.

    Raises Refused: ladder_not_director, ladder_name, ladder_name_taken, ladder_kind, ladder_config (`field`),
    ladder_season_end, and what `match_create` says of the terms.
    """
    if not may_direct(by, club):
        raise Refused(refusal_code(by, "ladder_not_director"))
    with transaction.atomic():
        ladder = Ladder(club=club, kind=kind, created_by=by)
        terms = {"name": name, "variant": variant, "length": length, "clock": clock, "options": options or {}}
        return _create(ladder, terms | {"rated": rated}, config or {}, season_name, season_ends_at)


def ladder_change(
    *,
    ladder_id: str,
    by: User,
    name: str,
    variant: str,
    length: int,
    clock: str,
    options: Mapping[str, Any] | None = None,
    rated: bool = True,
    config: Mapping[str, Any] | None = None,
    season_name: str = "",
    season_ends_at: datetime | None = None,
    kind: str = "",
) -> Ladder:
    """Change the terms and rules of a ladder from now on; what was set before stays as it was set.

    Raises NotFound, Refused: ladder_kind_fixed, and as `ladder_create`.
    """
    with transaction.atomic():
        tx = LadderTransaction.lock(ladder_id)
        tx.check_director(by)
        if kind not in ("", tx.ladder.kind):
            raise Refused("ladder_kind_fixed")
        terms = {"name": name, "variant": variant, "length": length, "clock": clock, "options": options or {}}
        tx.config = _fill(tx.ladder, terms | {"rated": rated}, config or {})
        _season_until(tx.ladder, season_name, season_ends_at, tx.moment)
        tx.record("changed", by, config=tx.config.as_json())
        tx.commit()
    return tx.ladder


def ladder_close(*, ladder_id: str, by: User) -> None:
    """Close a ladder: unanswered challenges expire, accepted matches are still played and count.

    Closing again changes nothing.
    """
    with transaction.atomic():
        tx = LadderTransaction.lock(ladder_id)
        tx.check_director(by)
        if tx.ladder.status == Ladder.Status.CLOSED:
            return
        count_missed_results(tx)
        for challenge in tx.open_challenges():
            if challenge.status == LadderChallenge.Status.OFFERED:
                tx.end(challenge, LadderChallenge.Status.DROPPED)
                tx.record("withdrawn", by, **challenge_facts(challenge), loser=None)
        tx.ladder.status = Ladder.Status.CLOSED
        tx.record("closed", by)
        tx.commit()


def ladder_open(*, ladder_id: str, by: User) -> None:
    """Reopen a closed ladder: the time between counts for nobody. Reopening again changes nothing."""
    with transaction.atomic():
        tx = LadderTransaction.lock(ladder_id)
        tx.check_director(by)
        if tx.ladder.status == Ladder.Status.OPEN:
            return
        tx.ladder.status = Ladder.Status.OPEN
        tx.record("opened", by)
        tx.commit()


def season_close(*, ladder_id: str, by: User | None, name: str = "", ends_at: datetime | None = None) -> LadderSeason:
    """End the season, keep its table, and begin the next one, called `name` and ending at `ends_at` (L8).

    Raises NotFound, Refused: ladder_not_director, ladder_by_rating, ladder_season_end.
    """
    with transaction.atomic():
        tx = LadderTransaction.lock(ladder_id)
        if by is not None:
            tx.check_director(by)
        return close_season(tx, by, name=name, ends_at=ends_at)


def close_season(
    tx: LadderTransaction, by: User | None, *, name: str = "", ends_at: datetime | None = None
) -> LadderSeason:
    """End the season of a locked ladder."""
    ladder = tx.ladder
    if ladder.kind == Ladder.Kind.RATING:
        raise Refused("ladder_by_rating")
    count_missed_results(tx)
    ended = LadderSeason.objects.create(
        ladder=ladder,
        number=ladder.season,
        name=ladder.season_name,
        started_at=ladder.season_started_at,
        ended_at=tx.moment,
        table=_table(tx.state),
    )
    tx.record("season", by, number=ladder.season, name=ladder.season_name)
    ladder.season += 1
    ladder.season_started_at = tx.moment
    _season_until(ladder, name, ends_at, tx.moment)
    tx.commit()
    return ended


def ladders_ensure_default(club: Club) -> None:
    """Give a club without ladders one by challenge and one by rating, both for backgammon."""
    with transaction.atomic():
        if Ladder.objects.filter(club=club).exists():
            return
        owner = Membership.objects.filter(club=club, role=Membership.Role.OWNER).order_by("pk").first()
        for name, kind in ((_("Club ladder"), "challenge"), (_("Rating ladder"), "rating")):
            ladder = Ladder(club=club, kind=kind, created_by=None if owner is None else owner.user)
            terms = {"name": name, "variant": "backgammon", "length": 5, "clock": "club", "options": {}, "rated": True}
            _create(ladder, terms, {}, "", None)


def _create(
    ladder: Ladder, terms: dict[str, Any], config: Mapping[str, Any], season_name: str, ends_at: datetime | None
) -> Ladder:
    moment = now()
    if ladder.kind not in ladder_rules.KINDS:
        raise Refused("ladder_kind")
    rules = _fill(ladder, terms, config)
    ladder.created_at = ladder.season_started_at = moment
    _season_until(ladder, season_name, ends_at, moment)
    ladder.save(force_insert=True)
    tx = LadderTransaction(ladder, moment=moment)
    tx.record("created", ladder.created_by, config=rules.as_json())
    tx.commit()
    return ladder


def _fill(ladder: Ladder, terms: dict[str, Any], config: Mapping[str, Any]) -> ladder_rules.Config:
    """Check name, terms and rules, and write them into the ladder."""
    name = " ".join(str(terms["name"]).split())
    if not name or len(name) > LONGEST_NAME:
        raise Refused("ladder_name", params={"most": LONGEST_NAME})
    Club.objects.select_for_update().get(pk=ladder.club_id)  # of two ladders of one name made at once one is refused
    if Ladder.objects.filter(club=ladder.club, name=name).exclude(pk=ladder.pk).exists():
        raise Refused("ladder_name_taken")
    length, options = terms["length"], dict(terms["options"])
    check_offer(
        [], variant=terms["variant"], length=length, clock=terms["clock"], rated=terms["rated"], options=options
    )
    if not length:
        raise Refused("length", ruling="B13")
    try:
        rules = ladder_rules.Config.of({**config, "kind": ladder.kind})
    except ladder_rules.BadConfig as bad:
        raise Refused("ladder_config", params={"field": bad.field}) from bad
    ladder.name, ladder.variant, ladder.length, ladder.clock_preset = name, terms["variant"], length, terms["clock"]
    ladder.options, ladder.rated = options, bool(terms["rated"])
    ladder.config = {key: value for key, value in rules.as_json().items() if key != "kind"}
    return rules


def _season_until(ladder: Ladder, name: str, ends_at: datetime | None, moment: datetime) -> None:
    if ends_at is not None and not moment < ends_at < moment + LONGEST_SEASON:
        raise Refused("ladder_season_end")
    ladder.season_name = " ".join(name.split())[:LONGEST_NAME]
    ladder.season_ends_at = ends_at


def _table(state: ladder_rules.State) -> list[dict[str, Any]]:
    """The final order with names and counts."""
    names = dict(User.objects.filter(pk__in=state.order).values_list("pk", "username"))
    return [
        {
            "rank": place,
            "user": player,
            "name": names.get(player, ""),
            "points": state.rows[player].points,
            "played": state.rows[player].played,
            "won": state.rows[player].won,
        }
        for place, player in enumerate(state.order, 1)
    ]
