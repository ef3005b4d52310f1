"""Seasons of clubs and their tables; the table of master points. All are computed from the placings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Count, F, QuerySet, Sum
from django.urls import reverse

from accounts.models import Club, User
from accounts.names.validation import fold
from tournaments import seasons as season_rules
from tournaments.errors import NotFound
from tournaments.models import Placing, Season, Tournament
from tournaments.player_keys import player_key
from tournaments.selectors import labels

MOST_COLUMNS = 12  # tournaments with a column in a season's table: the last ones


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A row of a table. `cells` are the points of each tournament shown, and whether they count."""

    place: int
    name: str
    url: str
    points: str
    played: int
    firsts: int
    wins: int
    cells: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """A season with its table; `columns` are the tournaments with a column, the last ones."""

    season: Season
    rows: list[SeasonRow]
    columns: list[Tournament]
    tournaments: int

    @property
    def over(self) -> bool:
        return self.season.last < self.season.club.today()

    @property
    def champions(self) -> list[str]:
        """The winners, once its last day is over."""
        return [row.name for row in self.rows if row.place == 1] if self.over else []


def terms_of(season: Season) -> season_rules.SeasonTerms:
    """The rules of a season's table."""
    rule: season_rules.Rule = season.rule  # type: ignore[assignment]
    return season_rules.SeasonTerms(rule, tuple(season.points), season.presence, season.best)


def season_or_not_found(season_id: int) -> Season:
    """A season with its club. Raises NotFound."""
    found = Season.objects.select_related("club").filter(pk=season_id).first()
    if found is None:
        raise NotFound
    return found


def seasons_of(slug: str = "") -> QuerySet[Season]:
    """All seasons, or those of one club, by club, the last first."""
    found = Season.objects.select_related("club").order_by("-club__is_default", "club__name", "-last", "-pk")
    return found.filter(club__slug=slug) if slug else found


def season_table(season: Season) -> SeasonTable:
    """The current table of a season."""
    return _tables([season])[0]


def season_champions(club: Club) -> list[tuple[Season, list[str]]]:
    """The finished seasons of a club, the last first, with their winners; those that nobody played are left out."""
    over = Season.objects.select_related("club").filter(club=club, last__lt=club.today())
    return [(table.season, table.champions) for table in _tables(list(over)) if table.champions]


def _tables(seasons: Sequence[Season]) -> list[SeasonTable]:
    """The tables of some seasons of one club, in one query."""
    if not seasons:
        return []
    begins = min(_begin(season) for season in seasons)
    ends = max(_end(season) for season in seasons)
    rows = Placing.objects.filter(
        tournament__club=seasons[0].club,
        tournament__phase=Tournament.Phase.OVER,
        tournament__ended_at__gte=begins,
        tournament__ended_at__lt=ends,
    )
    found = list(rows.select_related("tournament", "user").order_by("tournament__ended_at", "pk"))
    return [_table(season, [row for row in found if _counts(season, row.tournament)]) for season in seasons]


def ended_between(club: Club, first: date, last: date) -> QuerySet[Tournament]:
    """The finished tournaments of a club that ended on these days in its time zone, the first one first."""
    found = Tournament.objects.filter(club=club, phase=Tournament.Phase.OVER).select_related("club")
    begins, ends = _midnight(club, first), _midnight(club, last + timedelta(days=1))
    return found.filter(ended_at__gte=begins, ended_at__lt=ends).order_by("ended_at", "pk")


def _midnight(club: Club, day: date) -> datetime:
    """The beginning of a day in the time zone of a club."""
    return datetime.combine(day, time(), ZoneInfo(club.timezone)).astimezone(UTC)


def _begin(season: Season) -> datetime:
    return _midnight(season.club, season.first)


def _end(season: Season) -> datetime:
    return _midnight(season.club, season.last + timedelta(days=1))


def _counts(season: Season, tournament: Tournament) -> bool:
    if tournament.ended_at is None or not _begin(season) <= tournament.ended_at < _end(season):
        return False
    return not season.variants or tournament.terms.get("variant") in season.variants


def _table(season: Season, placings: Sequence[Placing]) -> SeasonTable:
    tournaments = {row.tournament_id: row.tournament for row in placings}
    shown = list(tournaments.values())[-MOST_COLUMNS:]
    people = {player_key(row.user_id, row.name): row for row in placings}
    results = (
        season_rules.SeasonResult(
            player_key(row.user_id, row.name), row.tournament_id, row.place, row.sharing, row.wins, row.master
        )
        for row in placings
    )
    lines = season_rules.season_table(terms_of(season), results)
    return SeasonTable(season, [_row(line, people, shown) for line in lines], shown, len(tournaments))


def _row(
    line: season_rules.SeasonLine, people: Mapping[season_rules.PlayerKey, Placing], shown: Iterable[Tournament]
) -> SeasonRow:
    name, url = _person(people[line.player])
    cells = tuple(
        (_points(line.scores[tournament.pk]) if tournament.pk in line.scores else "", tournament.pk in line.counted)
        for tournament in shown
    )
    return SeasonRow(line.place, name, url, _points(line.total), line.played, line.firsts, line.wins, cells)


def _person(row: Placing) -> tuple[str, str]:
    if row.user is None:
        return row.name, ""
    return row.user.username, reverse("player", args=[row.user.username])


def _points(hundredths: int) -> str:
    return labels.format_number(hundredths / 100)


# Master points


def master_points_table(club: Club) -> list[SeasonRow]:
    """All players with master points of a club, most first."""
    counted = Placing.objects.filter(tournament__club=club, tournament__phase=Tournament.Phase.OVER).order_by()
    sums = {"total": Sum(F("master_wins") + F("master_placement")), "played": Count("pk"), "won": Sum("wins")}
    members = counted.filter(user__isnull=False).values_list("user__username").annotate(**sums)
    others = counted.filter(user__isnull=True).values_list("name").annotate(**sums)
    found = [(name, reverse("player", args=[name]), *rest) for name, *rest in members]
    found += [(name, "", *rest) for name, *rest in others]
    found = sorted((row for row in found if row[2]), key=lambda row: (-row[2], fold(row[0])))
    rows: list[SeasonRow] = []
    totals = [row[2] for row in found]
    for name, url, total, played, won in found:
        rows.append(SeasonRow(totals.index(total) + 1, name, url, format_master_points(total), played, 0, won))
    return rows


def master_points_of(user: User) -> str:
    """All master points of a member in all clubs; "" for none."""
    counted = Placing.objects.filter(user=user, tournament__phase=Tournament.Phase.OVER)
    total = counted.aggregate(total=Sum(F("master_wins") + F("master_placement")))["total"]
    return format_master_points(total) if total else ""


def format_master_points(thousandths: int) -> str:
    """Format thousandths as master points: `1.88`."""
    return labels.format_number(thousandths / 1000)
