"""The words of tournaments for what is stored as keys: formats, sections, rounds, sources, reasons, tie-breaks."""

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

from games import words
from tournaments.formats.core import Bye, Config, Key, LoserOf, Placed, Seed, Source, Why, WinnerOf
from tournaments.terms import Terms

Words = Mapping[str, Promise]

FORMATS: Words = {
    "knockout": _("Single elimination"),
    "double": _("Double elimination"),
    "swiss": _("Swiss system"),
    "round-robin": _("Round robin"),
    "groups": _("Groups, then a knock-out"),
    "league": _p("format", "League"),
    "losses": _("Out after a number of losses"),
}
PHASES: Words = {
    "open": _p("tournament", "open for entries"),
    "drawn": _p("tournament", "drawn"),
    "running": _p("tournament", "running"),
    "over": _p("tournament", "finished"),
    "cancelled": _p("tournament", "cancelled"),
}
VENUES: Words = {
    "online": _("on the board of this site"),
    "board": _("over the board, at the club"),
    "both": _("on this site, or over the board"),
}
SECTIONS: Words = {
    "main": _("Main bracket"),
    "consolation": _("Consolation"),
    "last": _("Last chance"),
    "losers": _("Losers' bracket"),
    "final": _("Grand final"),
    "league": _("Everybody meets"),
}
# What stands before the number of a pairing that is not in the main bracket: "L2-1", "G3 2-1".
MARKS: Words = {
    "consolation": _p("letter of a section", "C"),
    "last": _p("letter of a section", "LC"),
    "losers": _p("letter of a section", "L"),
    "final": _p("letter of a section", "F"),
    "group": _p("letter of a section", "G"),
    "division": _p("letter of a section", "D"),
}
TIE_BREAKS: Words = {
    "wins": _("wins (a bye counts as one)"),
    "buchholz": _("Buchholz"),
    "buchholz-cut": _("Buchholz without the lowest"),
    "median": _("median Buchholz"),
    "sonneborn-berger": _("Sonneborn-Berger"),
    "direct": _("direct encounter"),
    "points": _("point difference"),
}
TIE_BREAK_HEADS: Words = {
    "wins": _p("column", "Score"),
    "buchholz": _p("column", "Buch."),
    "buchholz-cut": _p("column", "Buch. −1"),
    "median": _p("column", "Median"),
    "sonneborn-berger": _p("column", "S-B"),
    "direct": _p("column", "Direct"),
    "points": _p("column", "±"),
}
NOTES: Words = {
    "promoted": _("promoted"),
    "relegated": _("relegated"),
    "advances": _("goes on"),
    "out": _("out"),
}
HOW: Words = {"walkover": _("walkover"), "withdrawn": _("withdrew")}
MOMENT = _p("date format", "D j M Y, H:i")
SHORT = _p("date format", "j M, H:i")
HOUR = _p("date format", "H:i")
LAST_ROUNDS = (_("Final"), _("Semi-finals"), _("Quarter-finals"))


def named(table: Words, key: str) -> str:
    """The word for a key; a key without a word is shown as it is."""
    return str(table.get(key, key))


def format_of(config: Config) -> str:
    """A format with what was chosen about it: `Single elimination · progressive consolation`."""
    if config.format == "losses":
        return ngettext("Out after %(n)s loss", "Out after %(n)s losses", config.losses) % {"n": config.losses}
    return " · ".join([named(FORMATS, config.format), *_details(config)])


def _details(config: Config) -> list[str]:
    if config.format == "knockout":
        told = {"simple": _t("consolation"), "progressive": _t("progressive consolation")}
        said = [told[config.consolation]] if config.consolation in told else []
        return said + ([_t("last chance")] if config.last_chance else [])
    if config.format == "swiss":
        return [_rounds(config.rounds)]
    if config.format == "round-robin":
        return ([_rounds(config.rounds)] if config.rounds else []) + _legs(config)
    if config.format == "groups":
        groups = ngettext("%(n)s group", "%(n)s groups", config.groups) % {"n": config.groups}
        advance = ngettext("the best of each goes on", "the best %(n)s of each go on", config.advance)
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


def conditions(terms: Terms, club: str) -> str:
    """Who may enter by himself: `members of the club, rating from 1,500`; "" for everybody."""
    said = []
    if terms.entry == "password":
        said.append(_t("with the password"))
    elif terms.entry == "invited":
        said.append(_t("by invitation"))
    if terms.club_only:
        said.append(_t("members of %(club)s") % {"club": club})
    if terms.rating_from and terms.rating_to:
        said.append(_t("rating from %(least)s to %(most)s") % {"least": terms.rating_from, "most": terms.rating_to})
    elif terms.rating_from:
        said.append(_t("rating of %(least)s or more") % {"least": terms.rating_from})
    elif terms.rating_to:
        said.append(_t("rating up to %(most)s") % {"most": terms.rating_to})
    return ", ".join(said)


def lengths(points: tuple[int, ...]) -> str:
    """`match to 7`, or what each round is played to: `matches to 7, 9, 11 and later 13 points`."""
    if len(set(points)) == 1:
        return words.length(points[0])
    *first, last = points
    return _t("matches to %(first)s and then %(last)s points") % {"first": ", ".join(map(str, first)), "last": last}


def section(key: str, config: Config) -> str:
    """The name of a section."""
    name, _dash, number = key.rpartition("-")
    if name == "group":
        return _t("Group %(n)s") % {"n": number}
    if name == "division":
        return _t("Division %(n)s") % {"n": number}
    return named(SECTIONS, key) if key in SECTIONS else named(FORMATS, config.format)


def rounds(key: str, sizes: Mapping[int, int]) -> dict[int, str]:
    """The names of a bracket's rounds, from how many pairings each has: the last are `Semi-finals` and `Final`."""
    numbers = sorted(sizes)
    said = {n: _t("Round %(n)s") % {"n": n} for n in numbers}
    if key == "final":
        return {n: str(_("The final")) if n == 1 else str(_("Once more, if needed")) for n in numbers}
    for back, name in enumerate(LAST_ROUNDS):
        if back >= len(numbers) or sizes[numbers[-1 - back]] != 2**back:
            break
        said[numbers[-1 - back]] = str(name)
    return said


def mark(key: Key) -> str:
    """How a pairing is called on the page: `2-1` in the main bracket, `L2-1` in the losers'."""
    place, round_, number = key.rsplit("-", 2)
    kind, _dash, which = place.rpartition("-")
    if kind in MARKS:
        return f"{MARKS[kind]}{which} {round_}-{number}"
    return f"{MARKS.get(place, '')}{round_}-{number}"


def source(value: Source) -> str:
    """Who will stand there: `winner of 2-1`."""
    match value:
        case WinnerOf(key):
            return _t("winner of %(pairing)s") % {"pairing": mark(key)}
        case LoserOf(key):
            return _t("loser of %(pairing)s") % {"pairing": mark(key)}
        case Placed(place, n):
            number = place.rpartition("-")[2]
            return _t("number %(n)s of group %(group)s") % {"n": n, "group": number}
        case Seed(n):
            return _t("number %(n)s of the draw") % {"n": n}
        case Bye():
            return _t("bye")


def why(value: Why, a: Source, b: Source) -> str:
    """Why these two meet, as a sentence. A reason without words is left out."""
    params = value.params
    match value.code:
        case "seeded":
            return _t("Numbers %(a)s and %(b)s of the draw.") % {"a": params.get("a", "?"), "b": params.get("b", "?")}
        case "fed" | "placed":
            return _t("%(a)s against %(b)s.") % {"a": capital(source(a)), "b": source(b)}
        case "table":
            return _t("Everybody meets everybody: round %(round)s of the table.") % {"round": params.get("round", "?")}
        case "fold":
            return _t("Both on %(score)s: the upper half meets the lower half.") % {"score": score(params["score"])}
        case "floated":
            high, low = sorted(params["scores"], reverse=True)
            told = {"high": score(high), "low": score(low)}
            return _t("One on %(high)s, one on %(low)s: the nearest score that was free.") % told
        case "rematch":
            times = params["times"]
            return ngettext(
                "They have met once before: no pairing of this round avoids it.",
                "They have met %(times)s times before: no pairing of this round avoids it.",
                times,
            ) % {"times": times}
        case "forced":
            return _t("The director wished that these two meet.")
        case "bye":
            if params.get("had"):
                return _t("Rests again: everybody has rested, and of those nobody has fewer points.")
            return _t("Rests: the fewest points of those who have not rested yet.")
    return ""


def score(points: float) -> str:
    """`2 points`, `1½ points`."""
    return ngettext("%(points)s point", "%(points)s points", 1 if points == 1 else 2) % {"points": words.points(points)}


def number(value: float) -> str:
    """A tie-break as people write numbers: `12.5`, in Spanish `12,5`."""
    rounded = round(value, 2)
    return formats.number_format(int(rounded) if rounded == int(rounded) else rounded).replace("-", "−")


def moment(value: datetime | None, zone: ZoneInfo, form: Promise = MOMENT) -> str:
    """A date and time in the tournament's time zone."""
    return formats.date_format(localtime(value, zone), str(form)) if value else ""


def iso(value: datetime | None, zone: ZoneInfo) -> str:
    """The same for <time datetime>, with the zone's distance from UTC."""
    return localtime(value, zone).isoformat(timespec="minutes") if value else ""


def capital(text: str) -> str:
    """With a first capital letter, the rest as it is."""
    return text[:1].upper() + text[1:]
