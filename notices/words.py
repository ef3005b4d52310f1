"""What a notice says, in the active language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import words
from notices.models import Notice

HEADINGS: dict[str, str | Promise] = {
    "your_move": gettext_lazy("Your move"),
    "reminder": gettext_lazy("Less than a day left"),
    "match_over": gettext_lazy("Match over"),
    "talk": gettext_lazy("Talk at your table"),
    "challenge": gettext_lazy("A challenge"),
    "declined": gettext_lazy("Challenge declined"),
    "begun": gettext_lazy("Your match has begun"),
    "match_ready": gettext_lazy("Your match is ready"),
    "resume": gettext_lazy("Your rival is back"),
    "ladder_challenge": gettext_lazy("Challenge on a ladder"),
    "round_starts": gettext_lazy("Your round begins"),
    "result_to_confirm": gettext_lazy("A result to confirm"),
    "admitted": gettext_lazy("You have a place"),
    "director_alert": gettext_lazy("You are needed"),
    "case": gettext_lazy("A case for the moderators"),
    "club_asked": gettext_lazy("Somebody wants to join"),
    "club_answered": gettext_lazy("Your club has answered"),
    "report_closed": gettext_lazy("Your report"),
    "warned": gettext_lazy("A word from the moderators"),
    "renamed": gettext_lazy("Your name"),
    "hook_off": gettext_lazy("A webhook rests"),
}
LABELS: dict[str, str | Promise] = {
    "your_move": gettext_lazy("It is my turn"),
    "reminder": gettext_lazy("Less than a day is left for my turn"),
    "match_over": gettext_lazy("My rival resigned, or time ran out"),
    "talk": gettext_lazy("My rival wrote at our table"),
    "challenge": gettext_lazy("Somebody challenges me"),
    "declined": gettext_lazy("My challenge is declined"),
    "begun": gettext_lazy("My match has begun"),
    "match_ready": gettext_lazy("An arranged match is ready"),
    "resume": gettext_lazy("My rival wants to go on with an adjourned match"),
    "ladder_challenge": gettext_lazy("Somebody challenges me on a ladder"),
    "round_starts": gettext_lazy("My round begins"),
    "result_to_confirm": gettext_lazy("A result waits for my word"),
    "admitted": gettext_lazy("I have got a place"),
    "director_alert": gettext_lazy("Something that I direct needs me"),
    "case": gettext_lazy("As a moderator: something was reported"),
    "club_asked": gettext_lazy("As an owner: somebody asks to join my club"),
    "club_answered": gettext_lazy("A club that I asked to join has answered"),
    "report_closed": gettext_lazy("What I reported has been looked at"),
    "warned": gettext_lazy("The moderators have a word for me"),
    "renamed": gettext_lazy("My name was changed"),
    "hook_off": gettext_lazy("A webhook of mine was put to rest"),
}
"""What a kind is called where its reader chooses."""
GROUPS: dict[str, str | Promise] = {
    "correspondence": gettext_lazy("By correspondence"),
    "matches": gettext_lazy("Challenges and matches"),
    "tournaments": gettext_lazy("Tournaments"),
    "house": gettext_lazy("The house"),
}
CHANNELS: dict[str, str | Promise] = {
    "page": gettext_lazy("On the page"),
    "mail": gettext_lazy("By mail"),
    "push": gettext_lazy("On my devices"),
}
SENTENCES: dict[str, str | Promise] = {
    "your_move": gettext_lazy("It is your turn against %(name)s."),
    "reminder": gettext_lazy("Less than a day is left for your turn against %(name)s."),
    "talk": gettext_lazy("%(name)s wrote at your table."),
    "challenge": gettext_lazy("%(name)s challenges you."),
    "declined": gettext_lazy("%(name)s declines your challenge."),
    "begun": gettext_lazy("Your match against %(name)s has begun."),
    "match_ready": gettext_lazy("Your match against %(name)s is ready."),
    "resume": gettext_lazy("%(name)s wants to go on with your match."),
    "ladder_challenge": gettext_lazy("%(name)s challenges you on %(title)s."),
    "round_starts": gettext_lazy("You play against %(name)s."),
    "result_to_confirm": gettext_lazy("%(name)s has said how your match ended. Is it so?"),
    "admitted": gettext_lazy("You have a place in %(title)s."),
    "director_alert": gettext_lazy("%(title)s needs you."),
    "case": gettext_lazy("Somebody reported something. Please look at it."),
    "club_asked": gettext_lazy("%(name)s asks to join %(title)s."),
    "club_answered": gettext_lazy("%(title)s cannot take you in."),
    "report_closed": gettext_lazy("What you reported has been looked at. Thank you."),
    "warned": gettext_lazy("The moderators ask you to read what they have decided."),
    "renamed": gettext_lazy("You are called %(name)s here now. Before, you were %(title)s."),
    "hook_off": gettext_lazy("Your webhook %(title)s takes nothing any more, so nothing is sent there."),
}
ENDINGS: dict[tuple[str, bool], str | Promise] = {
    ("resign", True): gettext_lazy("%(name)s resigned: the match is yours."),
    ("flag", True): gettext_lazy("%(name)s ran out of time: the match is yours."),
    ("flag", False): gettext_lazy("Your time ran out: the match goes to %(name)s."),
    ("score", True): gettext_lazy("You won your match against %(name)s."),
    ("score", False): gettext_lazy("%(name)s won your match."),
}
ABOUT = ("match_ready", "round_starts", "result_to_confirm")
"""The kinds whose sentence does not name what they are part of."""


def as_it_is(name: str) -> str:
    return name


def isolated(name: str) -> str:
    """A name inside a sentence of a page: its writing direction disturbs nothing around it."""
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"


def heading(kind: str) -> str:
    """What it is, in a few words: "Your move"."""
    return str(HEADINGS[kind])


def sentence(kind: str, data: Mapping[str, Any], *, named: Callable[[str], str] = as_it_is) -> str:
    """What there is to say: "It is your turn against bea."."""
    said = {"name": named(str(data.get("from", ""))), "title": named(str(data.get("title", "")))}
    if kind == "match_over":
        ending = ENDINGS.get((str(data.get("by")), bool(data.get("won"))))
        return str(ending or _("Your match against %(name)s is over.")) % said
    if kind == "club_answered" and data.get("admitted"):
        return _("%(title)s has taken you in. Welcome!") % said
    return str(SENTENCES[kind]) % said


def detail(kind: str, data: Mapping[str, Any]) -> str:
    """What it is part of, or the terms of a challenge; "" where there is nothing to add."""
    if kind == "challenge" and "variant" in data:
        return f"{words.variant(str(data['variant']))}, {words.length(int(data['length']))}"
    return str(data.get("title", "")) if kind in ABOUT else ""


@dataclass(frozen=True, slots=True)
class Said:
    """A notice in words: what it is, and the rest."""

    title: str
    body: str


def said(notice: Notice, *, named: Callable[[str], str] = as_it_is) -> Said:
    """A notice in the active language."""
    more = detail(notice.kind, notice.data)
    body = sentence(notice.kind, notice.data, named=named)
    return Said(heading(notice.kind), f"{body} {more}" if more else body)
