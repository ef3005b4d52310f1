"""The access policies of the API: each view declares one for each of its methods, and serves no other method.

    class Members(ApiView):
        access = {"GET": public(), "POST": member("club")}

The policy is one of the constants below; the scope is what a token needs (accounts.programs.scopes), and a session
always has; the kind is that of the rate limit (accounts.web.api_rates).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accounts.programs.scopes import ALL_SCOPES, PLAY, READ
from accounts.web import api_rates
from accounts.web.staff import acts_as_staff

PUBLIC, PLAYER, MEMBER, BOT, STAFF = "public", "player", "member", "bot", "staff"
POLICY_TEXTS = {
    PUBLIC: "Public.",
    PLAYER: "For members, guests and bots.",
    MEMBER: "For members.",
    BOT: "For bots with their token.",
    STAFF: "For staff.",
}


@dataclass(frozen=True, slots=True)
class Access:
    """The access to one method of a view: `policy`, the `scope` that a token needs, the `kind` of its rate limit."""

    policy: str
    scope: str
    kind: str

    def __post_init__(self) -> None:
        if self.policy not in POLICY_TEXTS or self.scope not in ALL_SCOPES or self.kind not in api_rates.KINDS:
            raise ValueError(self)

    def permits(self, user: Any) -> bool:
        """Whether the policy admits this user, who may be anonymous."""
        if self.policy == PUBLIC:
            return True
        if not user.is_authenticated:
            return False
        if self.policy == MEMBER:
            return not (user.is_guest or user.is_bot)
        if self.policy == BOT:
            return bool(user.is_bot)
        return self.policy == PLAYER or acts_as_staff(user)


def public(scope: str = READ, kind: str = api_rates.READ) -> Access:
    """Anybody, even unauthenticated."""
    return Access(PUBLIC, scope, kind)


def player(scope: str, kind: str = "") -> Access:
    """Members, guests and bots."""
    return Access(PLAYER, scope, kind or _kind(scope))


def member(scope: str, kind: str = "") -> Access:
    """Members: neither guests nor bots."""
    return Access(MEMBER, scope, kind or _kind(scope))


def bot(scope: str, kind: str = "") -> Access:
    """Bots of members."""
    return Access(BOT, scope, kind or _kind(scope))


def staff(scope: str, kind: str = "") -> Access:
    """The staff of the site."""
    return Access(STAFF, scope, kind or _kind(scope))


def _kind(scope: str) -> str:
    return {READ: api_rates.READ, PLAY: api_rates.PLAY}.get(scope, api_rates.WRITE)
