"""The kinds of notifications: one row each. Pure; their texts are in `notifications.sentences`.

Every kind is shown on the page unless its reader turned it off. A kind with `waits` may go into the next digest mail;
the others are of little use an hour later and are mailed at once. `group` is the heading in the settings.
"""

from __future__ import annotations

from dataclasses import dataclass

PAGE, MAIL, PUSH = "page", "mail", "push"
CHANNELS = (PAGE, MAIL, PUSH)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of notification: its group and default channels."""

    key: str
    group: str
    mail: bool = True
    push: bool = True
    waits: bool = True

    def uses_by_default(self, channel: str) -> bool:
        """Whether it uses this channel by default."""
        return {PAGE: True, MAIL: self.mail, PUSH: self.push}[channel]


KINDS = {
    kind.key: kind
    for kind in (
        Kind("your_move", "correspondence"),
        Kind("reminder", "correspondence", waits=False),
        Kind("match_over", "correspondence"),
        Kind("talk", "correspondence", mail=False),
        Kind("challenge", "matches", waits=False),
        Kind("declined", "matches", mail=False, push=False),
        Kind("begun", "matches", mail=False),
        Kind("match_ready", "matches", waits=False),
        Kind("resume", "matches", waits=False),
        Kind("ladder_challenge", "matches"),
        Kind("round_starts", "tournaments", waits=False),
        Kind("result_to_confirm", "tournaments"),
        Kind("admitted", "tournaments", waits=False),
        Kind("director_alert", "tournaments", waits=False),
        Kind("case", "house", waits=False),
        Kind("club_asked", "house", push=False),
        Kind("club_answered", "house"),
        Kind("report_closed", "house"),
        Kind("warned", "house", waits=False),
        Kind("renamed", "house", push=False),
        Kind("hook_off", "house"),
    )
}
GROUPS = tuple(dict.fromkeys(kind.group for kind in KINDS.values()))


def is_wanted(channels: dict[str, dict[str, bool]], kind: Kind, channel: str) -> bool:
    """Whether a notification of this kind uses this channel: by the reader's settings, else by default."""
    return bool(channels.get(kind.key, {}).get(channel, kind.uses_by_default(channel)))
