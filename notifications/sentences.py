"""The texts of notifications, in the active language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import labels
from notifications.models import Notification

HEADINGS: dict[str, str | Promise] = {
    "your_move": gettext_lazy("Your move"),
    "reminder": gettext_lazy("Less than a day left"),
    "match_over": gettext_lazy("Match over"),
    "talk": gettext_lazy("New chat message"),
    "challenge": gettext_lazy("New challenge"),
    "declined": gettext_lazy("Challenge declined"),
    "begun": gettext_lazy("Your match has started"),
    "match_ready": gettext_lazy("Your match is ready"),
    "resume": gettext_lazy("Your opponent is back"),
    "ladder_challenge": gettext_lazy("Ladder challenge"),
    "round_starts": gettext_lazy("Your round is starting"),
    "result_to_confirm": gettext_lazy("Confirm a result"),
    "admitted": gettext_lazy("You have a place"),
    "director_alert": gettext_lazy("Director needed"),
    "case": gettext_lazy("New moderation case"),
    "club_asked": gettext_lazy("New join request"),
    "club_answered": gettext_lazy("Reply to your join request"),
    "report_closed": gettext_lazy("Report reviewed"),
    "warned": gettext_lazy("Message from the moderators"),
    "renamed": gettext_lazy("Your name has changed"),
    "hook_off": gettext_lazy("Webhook turned off"),
}
LABELS: dict[str, str | Promise] = {
    "your_move": gettext_lazy("It is your turn"),
    "reminder": gettext_lazy("Less than a day left for your turn"),
    "match_over": gettext_lazy("Your opponent resigns, or time runs out"),
    "talk": gettext_lazy("Your opponent writes in the chat"),
    "challenge": gettext_lazy("Someone challenges you"),
    "declined": gettext_lazy("Your challenge is declined"),
    "begun": gettext_lazy("Your match starts"),
    "match_ready": gettext_lazy("An arranged match is ready"),
    "resume": gettext_lazy("Your opponent wants to resume an adjourned match"),
    "ladder_challenge": gettext_lazy("Someone challenges you on a ladder"),
    "round_starts": gettext_lazy("Your round starts"),
    "result_to_confirm": gettext_lazy("You have a result to confirm"),
    "admitted": gettext_lazy("You get a place in a tournament"),
    "director_alert": gettext_lazy("An event that you direct needs you"),
    "case": gettext_lazy("New reports (moderators)"),
    "club_asked": gettext_lazy("Requests to join your club (owners)"),
    "club_answered": gettext_lazy("A club replies to your join request"),
    "report_closed": gettext_lazy("Your report has been reviewed"),
    "warned": gettext_lazy("The moderators write to you"),
    "renamed": gettext_lazy("Your name is changed"),
    "hook_off": gettext_lazy("One of your webhooks is turned off"),
}
"""What a kind is called where its reader chooses."""
GROUPS: dict[str, str | Promise] = {
    "correspondence": gettext_lazy("Correspondence"),
    "matches": gettext_lazy("Challenges and matches"),
    "tournaments": gettext_lazy("Tournaments"),
    "house": gettext_lazy("Club and account"),
}
CHANNELS: dict[str, str | Promise] = {
    "page": gettext_lazy("On the site"),
    "mail": gettext_lazy("By e-mail"),
    "push": gettext_lazy("On devices"),
}
SENTENCES: dict[str, str | Promise] = {
    "your_move": gettext_lazy("It is your turn against %(name)s."),
    "reminder": gettext_lazy("Less than a day left for your turn against %(name)s."),
    "talk": gettext_lazy("%(name)s sent you a chat message."),
    "challenge": gettext_lazy("%(name)s challenges you."),
    "declined": gettext_lazy("%(name)s declined your challenge."),
    "begun": gettext_lazy("Your match against %(name)s has started."),
    "match_ready": gettext_lazy("Your match against %(name)s is ready."),
    "resume": gettext_lazy("%(name)s wants to resume your match."),
    "ladder_challenge": gettext_lazy("%(name)s challenges you on %(title)s."),
    "round_starts": gettext_lazy("You play against %(name)s."),
    "result_to_confirm": gettext_lazy("%(name)s reported the result of your match. Please confirm it."),
    "admitted": gettext_lazy("You have a place in %(title)s."),
    "director_alert": gettext_lazy("%(title)s needs a director."),
    "case": gettext_lazy("There is a new report to review."),
    "club_asked": gettext_lazy("%(name)s asks to join %(title)s."),
    "club_answered": gettext_lazy("%(title)s declined your request to join."),
    "report_closed": gettext_lazy("Your report has been reviewed. Thank you."),
    "warned": gettext_lazy("Please read the moderators' decision."),
    "renamed": gettext_lazy("Your name here was changed from %(title)s to %(name)s."),
    "hook_off": gettext_lazy("Deliveries to your webhook %(title)s kept failing, so it was turned off."),
}
ENDINGS: dict[tuple[str, bool], str | Promise] = {
    ("resign", True): gettext_lazy("%(name)s resigned. You won the match."),
    ("flag", True): gettext_lazy("%(name)s ran out of time. You won the match."),
    ("flag", False): gettext_lazy("You ran out of time. %(name)s won the match."),
    ("score", True): gettext_lazy("You won your match against %(name)s."),
    ("score", False): gettext_lazy("You lost your match against %(name)s."),
}
ABOUT = ("match_ready", "round_starts", "result_to_confirm")
"""The kinds whose sentence does not name what they are part of."""


def plain_name(name: str) -> str:
    return name


def isolated_name(name: str) -> str:
    """A name inside a sentence of a page: its writing direction disturbs nothing around it."""
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"


def heading(kind: str) -> str:
    """Return the title of a kind: "Your move"."""
    return str(HEADINGS[kind])


def sentence(kind: str, data: Mapping[str, Any], *, named: Callable[[str], str] = plain_name) -> str:
    """Return the sentence of a notification: "It is your turn against bea."."""
    names = {"name": named(str(data.get("from", ""))), "title": named(str(data.get("title", "")))}
    if kind == "match_over":
        ending = ENDINGS.get((str(data.get("by")), bool(data.get("won"))))
        return str(ending or _("Your match against %(name)s is over.")) % names
    if kind == "club_answered" and data.get("admitted"):
        return _("%(title)s accepted your request to join. Welcome!") % names
    if kind == "round_starts" and data.get("board"):
        return _("You play against %(name)s at board %(board)s.") % {**names, "board": data["board"]}
    return str(SENTENCES[kind]) % names


def detail(kind: str, data: Mapping[str, Any]) -> str:
    """What it is part of, or the terms of a challenge; "" where there is nothing to add."""
    if kind == "challenge" and "variant" in data:
        return f"{labels.variant(str(data['variant']))}, {labels.length(int(data['length']))}"
    return str(data.get("title", "")) if kind in ABOUT else ""


@dataclass(frozen=True, slots=True)
class NotificationText:
    """A notification's title, sentence and detail."""

    title: str
    body: str


def text_of(notification: Notification, *, named: Callable[[str], str] = plain_name) -> NotificationText:
    """Return a notification's text in the active language."""
    more = detail(notification.kind, notification.data)
    body = sentence(notification.kind, notification.data, named=named)
    return NotificationText(heading(notification.kind), f"{body} {more}" if more else body)
