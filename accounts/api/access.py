"""Who may ask what of the API: each view declares it for each of its methods, and none is served without.

    class Members(ApiView):
        access = {"GET": public(), "POST": member("club")}

The policy is one of the words below; the scope is what a token needs (accounts.scopes), and a session always has; the
kind is the one by which requests are counted (accounts.rates).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accounts import rates
from accounts.scopes import ALL, PLAY, READ
from accounts.second import acts_as_staff

PUBLIC, PLAYER, MEMBER, BOT, STAFF = "public", "player", "member", "bot", "staff"
SAYS = {
    PUBLIC: "Anybody may ask.",
    PLAYER: "For anybody with a seat here: members, guests and bots.",
    MEMBER: "For members.",
    BOT: "For bots with their token.",
    STAFF: "For the staff of the site.",
}


@dataclass(frozen=True, slots=True)
class Access:
    """Who may use one method of a view: `policy`, the `scope` of a token, and the `kind` by which it is counted."""

    policy: str
    scope: str
    kind: str

    def __post_init__(self) -> None:
        if self.policy not in SAYS or self.scope not in ALL or self.kind not in rates.KINDS:
            raise ValueError(self)

    def lets(self, user: Any) -> bool:
        """Whether the policy lets this user in, who is known or anonymous."""
        if self.policy == PUBLIC:
            return True
        if not user.is_authenticated:
            return False
        if self.policy == MEMBER:
            return not (user.is_guest or user.is_bot)
        if self.policy == BOT:
            return bool(user.is_bot)
        return self.policy == PLAYER or acts_as_staff(user)


def public(scope: str = READ, kind: str = rates.READ) -> Access:
    """Anybody, also without saying who he is."""
    return Access(PUBLIC, scope, kind)


def player(scope: str, kind: str = "") -> Access:
    """Members, guests and bots."""
    return Access(PLAYER, scope, kind or _kind(scope))


def member(scope: str, kind: str = "") -> Access:
    """Members: neither guests nor bots."""
    return Access(MEMBER, scope, kind or _kind(scope))


def bot(scope: str, kind: str = "") -> Access:
    """Bots that members bring."""
    return Access(BOT, scope, kind or _kind(scope))


def staff(scope: str, kind: str = "") -> Access:
    """The staff of the site."""
    return Access(STAFF, scope, kind or _kind(scope))


def _kind(scope: str) -> str:
    return {READ: rates.READ, PLAY: rates.PLAY}.get(scope, rates.WRITE)
