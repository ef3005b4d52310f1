"""What somebody asked and cannot be: the root of all refusals of the site, and the sentences of clubs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TEXTS: dict[str, str | Promise] = {
    "too_often": _("You have tried this too often in a short time. Wait a little and try again."),
    "log_in_gone": _("That log-in has ended already."),
    "no_club": _("There is no such club."),
    "club_not_owner": _("Only an owner of the club can do that."),
    "club_not_director": _("Only the directors of the club can do that."),
    "club_new": _("Only the staff of this site can open a club."),
    "club_most": _("You own %(most)s clubs already."),
    "club_name": _("A club has a name of 2 to 80 letters."),
    "club_zone": _("There is no such time zone."),
    "club_joined": _("You are a member of this club already."),
    "club_not_member": _("This player is not a member of the club."),
    "club_members_only": _("That is for members. Signing up takes a minute and keeps your games."),
    "club_ask_first": _("In this club one asks first."),
    "club_invited_only": _("One joins this club by invitation."),
    "club_asked": _("You have asked already. An owner of the club will answer."),
    "club_no_request": _("This request has been answered."),
    "club_last_owner": _("A club has at least one owner: make somebody else an owner first."),
    "club_owner_until": _("The membership of an owner has no end."),
    "club_default_stays": _("Every member of this site belongs to this club."),
    "club_role": _("There is no such role."),
    "bot_member": _("Only members can bring a bot."),
    "bot_most": _("You have %(most)s bots already. Retire one first."),
    "bot_name": _("That name is taken or cannot be used. 2 to 24 letters, digits, dots, dashes or underscores."),
    "token_member": _("Only members can make a token."),
    "token_most": _("You have %(most)s tokens already. Revoke one first."),
    "token_name": _("A token has a name of 1 to %(most)s letters, by which you know it again."),
    "token_scopes": _("Say what the program may do: at least one of the things listed."),
    "token_days": _("A token is good for 1 to %(most)s days."),
    "no_token": _("There is no such token."),
    "no_program": _("There is no such program."),
    "no_such_player": _("There is no player of that name."),
    "tie_self": _("That is you."),
    "tie_kind": _("One can block, mute or follow a player."),
    "tie_bot": _("The computer cannot be blocked or muted. You need not play it."),
    "tie_most": _("You have %(most)s of them already."),
    "tie_blocked": _("You cannot follow this player."),
    "note_long": _("A note has at most %(most)s characters."),
    "leave_hindered": _("You cannot leave yet: something has to be brought to an end first."),
    "leave_house": _("The computer stays."),
    "leave_password": _("That is not your password."),
    "leave_word": _("Write your name as it stands here, so that nobody leaves by mistake."),
    "data_soon": _("One archive a day. You can ask again after %(when)s."),
    "invitation_gone": _("This invitation is no longer good. Ask the club for a new one."),
    "invitation_terms": _("An invitation is good for 1 to 365 days, and for 1 to 500 people or for any number."),
    "invitation_most": _("The club has %(most)s open invitations already. Take one back first."),
    "support_staff": _("That is for those who look after the site."),
    "support_own": _("Nobody does that to his own account here."),
    "support_above": _("Only a superuser does that to somebody who looks after the site."),
    "support_why": _("Say why, in 3 to 500 letters: it is written down, and the person can read it."),
    "support_kind": _("That cannot be done to this account."),
    "support_closed": _("This account is closed already."),
    "support_not_banned": _("The support did not close this account."),
    "support_until": _("Choose for how long."),
    "support_same_name": _("That is the name already."),
    "support_no_step": _("There is no second step at this log-in."),
    "support_nobody": _("There is nobody like that."),
    "merge_same": _("These are one account already."),
    "merge_closed": _("One of the two accounts is closed."),
    "merge_kind": _("Bots, those who look after the site, and a guest who would stay cannot be part of this."),
    "merge_hindered": _("The two accounts cannot become one now."),
}


class Refused(Exception):
    """What a player asked cannot be. `code` is stable, `ruling` cites docs/rulings.md, `text` speaks his language."""

    texts: ClassVar[Mapping[str, str | Promise]] = TEXTS  # the apps above `accounts` add their own in a subclass
    status: int | None = None  # over HTTP, where the code alone does not say it

    def __init__(self, code: str, *, ruling: str = "", params: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.ruling = ruling
        self.params = params or {}

    @property
    def text(self) -> str:
        """The sentence in the active language; an unknown code still says something true."""
        sentence = str(self.texts.get(self.code) or _("That is not possible now."))
        try:
            return sentence % self.params
        except (KeyError, TypeError, ValueError):
            return sentence

    def as_json(self) -> dict[str, Any]:
        return {"code": self.code, "ruling": self.ruling, "text": self.text}


def sentences() -> dict[str, str | Promise]:
    """Every refusal of the site by its code, those of the apps above included."""
    found: dict[str, str | Promise] = {}
    kinds: list[type[Refused]] = [Refused]
    while kinds:
        kind = kinds.pop()
        found |= kind.texts
        kinds += kind.__subclasses__()
    return found
