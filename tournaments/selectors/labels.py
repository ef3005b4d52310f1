"""Labels of what is stored as keys: formats, sections, rounds, sources, reasons, tie-breaks; and numbers and dates."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils import formats
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.utils.translation import pgettext_lazy as _p

from games import labels
from tournaments.formats.core import Bye, Config, Key, LoserOf, Pairing, PairingReason, Placed, Seed, Source, WinnerOf
from tournaments.part_keys import PART
from tournaments.terms import Terms

Labels = Mapping[str, Promise]

FORMATS: Labels = {
    "knockout": _("Single elimination"),
    "double": _("Double elimination"),
    "swiss": _("Swiss system"),
    "round-robin": _("Round robin"),
    "groups": _("Groups, then knockout"),
    "league": _p("format", "League"),
    "losses": _("Elimination after several losses"),
    "arena": _p("format", "Arena"),
    "exhibition": _("Simultaneous exhibition"),
}
PHASES: Labels = {
    "open": _p("tournament", "registration open"),
    "drawn": _p("tournament", "draw made"),
    "running": _p("tournament", "in progress"),
    "over": _p("tournament", "finished"),
    "cancelled": _p("tournament", "cancelled"),
}
VENUES: Labels = {
    "online": _("online"),
    "board": _("over the board, at the club"),
    "both": _("online or over the board"),
}
SECTIONS: Labels = {
    "main": _("Main bracket"),
    "consolation": _("Consolation"),
    "last": _("Last chance"),
    "third": _("Third place"),
    "losers": _("Losers' bracket"),
    "final": _("Grand final"),
    "league": _("Round robin"),
}
# The prefix of the number of a pairing that is not in the main bracket: "L2-1", "G3 2-1".
MARKS: Labels = {
    "consolation": _p("letter of a section", "C"),
    "last": _p("letter of a section", "LC"),
    "third": _p("letter of a section", "T"),
    "losers": _p("letter of a section", "L"),
    "final": _p("letter of a section", "F"),
    "group": _p("letter of a section", "G"),
    "division": _p("letter of a section", "D"),
}
TIE_BREAKS: Labels = {
    "wins": _("wins (a bye counts as one)"),
    "buchholz": _("Buchholz"),
    "buchholz-cut": _("Buchholz without the lowest"),
    "median": _("median Buchholz"),
    "sonneborn-berger": _("Sonneborn-Berger"),
    "direct": _("direct encounter"),
    "points": _("point difference"),
    "match-points": _("match points"),
    "boards": _("board points"),
    "arena": _("arena points"),
}
TIE_BREAK_HEADS: Labels = {
    "wins": _p("column", "Score"),
    "buchholz": _p("column", "Buch."),
    "buchholz-cut": _p("column", "Buch. −1"),
    "median": _p("column", "Median"),
    "sonneborn-berger": _p("column", "S-B"),
    "direct": _p("column", "Direct"),
    "points": _p("column", "±"),
    "match-points": _p("column", "MP"),
    "boards": _p("column", "BP"),
    "arena": _p("column", "Pts"),
}
NOTES: Labels = {
    "promoted": _("promoted"),
    "relegated": _("relegated"),
    "advances": _("advances"),
    "out": _("eliminated"),
}
HOW: Labels = {"walkover": _("walkover"), "withdrawn": _("withdrew")}
MOMENT = _p("date format", "D j M Y, H:i")
SHORT = _p("date format", "j M, H:i")
HOUR = _p("date format", "H:i")
SERIES_ROUNDS = {
    0: _("best of %(n)s"),
    1: _("best of %(n)s in the final"),
    2: _("best of %(n)s from the semi-finals on"),
    3: _("best of %(n)s from the quarter-finals on"),
}
LAST_ROUNDS = (_("Final"), _("Semi-finals"), _("Quarter-finals"))


def label_of(table: Labels, key: str) -> str:
    """The label of a key; a key without a label is shown as it is."""
    return str(table.get(key, key))


def format_label(config: Config) -> str:
    """A format with its settings: `Single elimination · progressive consolation`."""
    if config.format == "losses":
        name = ngettext("Elimination after %(n)s loss", "Elimination after %(n)s losses", config.losses)
        return " · ".join(part for part in (name % {"n": config.losses}, series_label(config)) if part)
    parts = [label_of(FORMATS, config.format), *_details(config), *_boards(config), series_label(config)]
    return " · ".join(part for part in parts if part)


def entrants_label(number: int, config: Config) -> str:
    """How many enter: `12 players`, `6 teams`."""
    if config.boards:
        return ngettext("%(number)s team", "%(number)s teams", number) % {"number": number}
    return ngettext("%(number)s player", "%(number)s players", number) % {"number": number}


def size_label(number: int, capacity: int | None, config: Config) -> str:
    """How many have entered, of how many: `5 of 8 players`, `6 teams`."""
    if capacity is None:
        return entrants_label(number, config)
    params = {"n": number, "most": capacity}
    return (_t("%(n)s of %(most)s teams") if config.boards else _t("%(n)s of %(most)s players")) % params


def _boards(config: Config) -> list[str]:
    return [_t("teams of %(n)s") % {"n": config.boards}] if config.boards else []


def _details(config: Config) -> list[str]:
    if config.format == "knockout":
        consolations = {"simple": _t("consolation"), "progressive": _t("progressive consolation")}
        details = [consolations[config.consolation]] if config.consolation in consolations else []
        details += [_t("third-place match")] if config.third_place else []
        return details + ([_t("last chance")] if config.last_chance else [])
    if config.format == "swiss":
        return [_rounds(config.rounds)]
    if config.format == "arena":
        return [ngettext("%(n)s minute", "%(n)s minutes", config.minutes) % {"n": config.minutes}]
    if config.format == "round-robin":
        return ([_rounds(config.rounds)] if config.rounds else []) + _legs(config)
    if config.format == "groups":
        groups = ngettext("%(n)s group", "%(n)s groups", config.groups) % {"n": config.groups}
        advance = ngettext("the best of each advances", "the best %(n)s of each advance", config.advance)
        return [groups, advance % {"n": config.advance}, *_legs(config)]
    if config.format == "league":
        return [
            ngettext("%(n)s division", "%(n)s divisions", config.divisions) % {"n": config.divisions},
            *_legs(config),
        ]
    return []


def _rounds(n: int) -> str:
    return ngettext("%(n)s round", "%(n)s rounds", n) % {"n": n}


def _legs(config: Config) -> list[str]:
    if config.legs <= 1:
        return []
    return [ngettext("each pair meets once", "each pair meets %(n)s times", config.legs) % {"n": config.legs}]


def conditions_label(terms: Terms, club: str) -> str:
    """Who can register without a director: `members of the club, rating from 1,500`; "" for everybody."""
    parts = []
    if terms.entry == "password":
        parts.append(_t("password required"))
    elif terms.entry == "invited":
        parts.append(_t("by invitation"))
    if terms.club_only:
        parts.append(_t("members of %(club)s") % {"club": club})
    if terms.rating_from and terms.rating_to:
        parts.append(_t("rating from %(least)s to %(most)s") % {"least": terms.rating_from, "most": terms.rating_to})
    elif terms.rating_from:
        parts.append(_t("rating of %(least)s or more") % {"least": terms.rating_from})
    elif terms.rating_to:
        parts.append(_t("rating up to %(most)s") % {"most": terms.rating_to})
    return ", ".join(parts)


def lengths_label(points: tuple[int, ...]) -> str:
    """`match to 7`, or the lengths by round: `matches to 7, 9, 11 and then 13 points`."""
    if len(set(points)) == 1:
        return labels.length(points[0])
    *first, last = points
    return _t("matches to %(first)s and then %(last)s points") % {"first": ", ".join(map(str, first)), "last": last}


def length_label(points: int, best_of: int = 1) -> str:
    """`match to 7`, or of a series `best of 3 matches to 7`."""
    if best_of == 1:
        return labels.length(points)
    return _t("best of %(n)s matches to %(length)s") % {"n": best_of, "length": points}


def part_label(pairing: Pairing) -> str:
    """A match of a series: `match 2`; "" for any other pairing."""
    return _t("match %(n)s") % {"n": pairing.why.params["match"]} if pairing.why.code == "series" else ""


def series_label(config: Config) -> str:
    """Which pairings are series: `best of 3`, `best of 5 in the final`; "" for none."""
    if config.best_of == 1:
        return ""
    rounds = config.best_of_rounds if config.format in ("knockout", "double", "groups") else 0
    return SERIES_ROUNDS.get(rounds, SERIES_ROUNDS[0]) % {"n": config.best_of}


def section_label(key: str, config: Config) -> str:
    """The name of a section."""
    name, _dash, number = key.rpartition("-")
    if name == "group":
        return _t("Group %(n)s") % {"n": number}
    if name == "division":
        return _t("Division %(n)s") % {"n": number}
    return label_of(SECTIONS, key) if key in SECTIONS else label_of(FORMATS, config.format)


def round_labels(key: str, sizes: Mapping[int, int]) -> dict[int, str]:
    """The names of a bracket's rounds, from the number of pairings of each: the last are `Semi-finals` and `Final`."""
    numbers = sorted(sizes)
    names = {n: _t("Round %(n)s") % {"n": n} for n in numbers}
    if key == "final":
        return {n: str(_("Final")) if n == 1 else str(_("Second final, if needed")) for n in numbers}
    if key == "third":
        return {n: _t("Third-place match") for n in numbers}
    for back, name in enumerate(LAST_ROUNDS):
        if back >= len(numbers) or sizes[numbers[-1 - back]] != 2**back:
            break
        names[numbers[-1 - back]] = str(name)
    return names


def pairing_mark(key: Key) -> str:
    """The short name of a pairing: `2-1` in the main bracket, `L2-1` in the losers' bracket, `2-1.4` of a board."""
    place, round_, number = key.rsplit("-", 2)
    kind, _dash, which = place.rpartition("-")
    number = number.replace(PART, ".")
    if kind in MARKS:
        return f"{MARKS[kind]}{which} {round_}-{number}"
    return f"{MARKS.get(place, '')}{round_}-{number}"


def source_label(value: Source) -> str:
    """Who will take a slot: `winner of 2-1`."""
    match value:
        case WinnerOf(key):
            return _t("winner of %(pairing)s") % {"pairing": pairing_mark(key)}
        case LoserOf(key):
            return _t("loser of %(pairing)s") % {"pairing": pairing_mark(key)}
        case Placed(place, n):
            number = place.rpartition("-")[2]
            return _t("place %(n)s in group %(group)s") % {"n": n, "group": number}
        case Seed(n):
            return _t("number %(n)s in the draw") % {"n": n}
        case Bye():
            return _t("bye")


def reason_label(value: PairingReason, a: Source, b: Source) -> str:
    """Why two entrants meet, as a sentence; "" for a reason without words."""
    params = value.params
    match value.code:
        case "seeded":
            return _t("Numbers %(a)s and %(b)s in the draw.") % {"a": params.get("a", "?"), "b": params.get("b", "?")}
        case "fed" | "placed":
            return _t("%(a)s against %(b)s.") % {"a": capitalize(source_label(a)), "b": source_label(b)}
        case "board":
            return _t("Board %(n)s.") % {"n": params.get("board", "?")}
        case "host":
            return _t("The host plays all guests at once.")
        case "series":
            return _t("Match %(match)s of a series: best of %(best_of)s.") % dict(params)
        case "table":
            return _t("Round robin, round %(round)s.") % {"round": params.get("round", "?")}
        case "fold":
            return _t("Both on %(score)s: the top half plays the bottom half.") % {
                "score": score_label(params["score"])
            }
        case "floated":
            high, low = sorted(params["scores"], reverse=True)
            params = {"high": score_label(high), "low": score_label(low)}
            return _t("%(high)s against %(low)s: the closest score available.") % params
        case "rematch":
            times = params["times"]
            return ngettext(
                "They have already met once: no pairing of this round could avoid it.",
                "They have already met %(times)s times: no pairing of this round could avoid it.",
                times,
            ) % {"times": times}
        case "free":
            high, low = sorted(params["points"], reverse=True)
            return _t("Both were free, with %(high)s and %(low)s points.") % {"high": high, "low": low}
        case "waited":
            return _t("They just met, and nobody else was free.")
        case "forced":
            return _t("The director asked for this pairing.")
        case "requested":
            return _t("Bye on request: half a point.") if params.get("points") else _t("Bye on request: no points.")
        case "bye":
            if params.get("had"):
                return _t("Another bye: everyone has had one, and nobody has fewer points.")
            return _t("Bye: the fewest points among players without a bye so far.")
    return ""


def score_label(points: float) -> str:
    """`2 points`, `1½ points`."""
    return ngettext("%(points)s point", "%(points)s points", 1 if points == 1 else 2) % {
        "points": labels.points(points)
    }


def format_number(value: float) -> str:
    """A tie-break as people write numbers: `12.5`, in Spanish `12,5`."""
    rounded = round(value, 2)
    return formats.number_format(int(rounded) if rounded == int(rounded) else rounded).replace("-", "−")


def format_moment(value: datetime | None, zone: ZoneInfo, form: Promise = MOMENT) -> str:
    """A date and time in the tournament's time zone."""
    return formats.date_format(localtime(value, zone), str(form)) if value else ""


def iso_moment(value: datetime | None, zone: ZoneInfo) -> str:
    """The same for <time datetime>, with the zone's distance from UTC."""
    return localtime(value, zone).isoformat(timespec="minutes") if value else ""


def capitalize(text: str) -> str:
    """With a first capital letter, the rest as it is."""
    return text[:1].upper() + text[1:]
