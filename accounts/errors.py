"""`Refused`, the base of all refusals of the site, and the texts of those of `accounts`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TEXTS: dict[str, str | Promise] = {
    "too_often": _("Too many attempts. Wait a moment and try again."),
    "log_in_gone": _("That session has already ended."),
    "sso_unavailable": _("%(name)s does not respond right now. Try again in a minute, or sign in another way."),
    "sso_refused": _("The answer of %(name)s could not be used. Try again; if it fails again, tell the club's owner."),
    "sso_expired": _("This sign-in was not started in this browser, or more than 10 minutes ago. Start again."),
    "sso_clock": _(
        "This site's clock and that of %(name)s differ, so its answer is not valid here. Tell the club's owner."
    ),
    "sso_unverified": _("%(name)s has not verified your e-mail address. Verify it there, then try again."),
    "sso_cancelled": _("You cancelled the sign-in at %(name)s."),
    "sso_linked_elsewhere": _("That account at %(name)s is already linked to another account here."),
    "sso_one": _("Your account is already linked to an account at %(name)s. Unlink it first."),
    "sso_last": _("You would have no way left to sign in. Set a password or add a passkey first."),
    "sso_not_linked": _("Your account is not linked to %(name)s."),
    "no_club": _("Club not found."),
    "club_not_owner": _("Only the club's owners can do that."),
    "club_not_director": _("Only the club's directors can do that."),
    "club_new": _("Only the site's staff can create a club."),
    "club_most": _("You already own %(most)s clubs, the maximum."),
    "club_name": _("The club's name must have 2 to 80 characters."),
    "club_zone": _("Unknown time zone. Use a name such as Europe/Madrid."),
    "club_joined": _("You are already a member of this club."),
    "club_not_member": _("That player is not a member of the club."),
    "club_members_only": _("You need an account to do that. Signing up takes a minute and keeps your games."),
    "club_ask_first": _("You can't join this club directly. Send a join request first."),
    "club_invited_only": _("You can join this club by invitation only."),
    "club_asked": _("You have already asked to join. An owner of the club will answer."),
    "club_no_request": _("This request has already been answered."),
    "club_last_owner": _("A club needs at least one owner. Make someone else an owner first."),
    "club_owner_until": _("An owner's membership can't have an end date. Change the role first."),
    "club_default_stays": _(
        "Everyone with an account here belongs to this club, so nobody can leave it or be removed."
    ),
    "club_role": _("Unknown role."),
    "bot_member": _("You need an account to add a bot."),
    "bot_most": _("You already have %(most)s bots, the maximum. Retire one first."),
    "bot_name": _("That name is taken or not allowed. Use 2 to 24 letters, digits, dots, dashes or underscores."),
    "token_member": _("You need an account to create a token."),
    "token_most": _("You already have %(most)s tokens, the maximum. Revoke one first."),
    "token_name": _("Give the token a name of 1 to %(most)s characters."),
    "token_scopes": _("Choose at least one permission."),
    "token_days": _("A token can be valid for 1 to %(most)s days."),
    "no_token": _("Token not found."),
    "no_program": _("App not found."),
    "no_such_player": _("There is no player with that name."),
    "tie_self": _("That's you. Choose someone else."),
    "tie_kind": _("You can only follow, mute or block a player."),
    "tie_bot": _("You can't block or mute the computer."),
    "tie_most": _("You have reached the limit of %(most)s."),
    "tie_blocked": _("You can't follow this player."),
    "note_long": _("A note can have at most %(most)s characters."),
    "leave_hindered": _("You can't delete your account yet: something else has to be finished first."),
    "leave_house": _("The computer's account can't be deleted."),
    "leave_password": _("That is not your password. Try again."),
    "leave_word": _("Type your username exactly as it is shown here."),
    "data_soon": _("You can export your data once a day. Try again after %(when)s."),
    "invitation_gone": _("This invitation is no longer valid. Ask the club for a new one."),
    "invitation_terms": _("An invitation can be valid for 1 to 365 days, and for 1 to 500 people or any number."),
    "invitation_most": _("The club already has %(most)s open invitations, the maximum. Revoke one first."),
    "staff_mfa": _("To use your staff permissions, set up two-factor authentication first."),
    "support_staff": _("Only the site's staff can do that."),
    "support_own": _("You can't do that to your own account."),
    "support_above": _("Only a superuser can do that to a staff account."),
    "support_why": _("Give a reason of 3 to 500 characters. It is recorded, and the person can read it."),
    "support_kind": _("That can't be done to this account."),
    "support_closed": _("This account is already closed."),
    "support_not_banned": _("This account was not closed by support."),
    "support_until": _("Choose a duration."),
    "support_same_name": _("That is already the name. Choose another."),
    "support_no_step": _("This account doesn't use two-factor authentication."),
    "support_nobody": _("No account found."),
    "unwritable": _("The site can't save anything right now. Nothing was changed."),
    "merge_same": _("These are already the same account."),
    "merge_closed": _("One of the two accounts is closed."),
    "merge_kind": _("Bots and staff accounts can't be merged, and a guest can't be the account to keep."),
    "merge_hindered": _("The two accounts can't be merged right now."),
}


class Refused(Exception):
    """A request that the rules forbid. `code` is stable, `ruling` cites docs/rulings.md, `text` is translated."""

    texts: ClassVar[Mapping[str, str | Promise]] = TEXTS  # apps above `accounts` have a subclass with theirs
    status: int | None = None  # the HTTP status, where it does not follow from the code

    def __init__(self, code: str, *, ruling: str = "", params: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.ruling = ruling
        self.params = params or {}

    @property
    def text(self) -> str:
        """The sentence in the active language; a general one for an unknown code."""
        sentence = str(self.texts.get(self.code) or _("That is not possible right now."))
        try:
            return sentence % self.params
        except (KeyError, TypeError, ValueError):
            return sentence

    def as_json(self) -> dict[str, Any]:
        return {"code": self.code, "ruling": self.ruling, "text": self.text}


def refusal_texts() -> dict[str, str | Promise]:
    """The texts of all refusals of the site by code, those of the apps above included."""
    texts: dict[str, str | Promise] = {}
    classes: list[type[Refused]] = [Refused]
    while classes:
        refusal_class = classes.pop()
        texts |= refusal_class.texts
        classes += refusal_class.__subclasses__()
    return texts
