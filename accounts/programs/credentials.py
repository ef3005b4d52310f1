"""Authenticate bearer tokens: whose a token is and what it permits.

Three kinds of token come in one header, ``Authorization: Bearer …``: a bot's, a member's personal token
(``tablero_pat_…``), and the access token of an app authorised by OAuth 2. Each is found by its digest with one query.
None is valid for a closed account or after its expiry.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from allauth.idp.oidc.models import Token as OAuthToken
from django.db.models import Q, QuerySet
from django.utils import timezone as clock

from accounts.models import BotToken, PersonalToken, User
from accounts.programs.scopes import BOT_SCOPES, known_scopes
from accounts.programs.tokens import BOT_PREFIX, PERSONAL_PREFIX, token_digest

MAX_HEADER_LENGTH = 300
USED_INTERVAL = timedelta(minutes=1)
"""How often the use of a token is recorded."""
BOT, PERSONAL, OAUTH = "bot", "personal", "oauth"


@dataclass(frozen=True, slots=True)
class Credential:
    """A valid token: `kind` and `pk` name its row, `scopes` what it permits, `client` the app."""

    kind: str
    pk: int
    user: User
    scopes: frozenset[str]
    client: str = ""

    @property
    def key(self) -> str:
        """A name of this token among all others, which tells nothing of its secret."""
        return f"{self.kind}:{self.pk}"


def credential_from_header(header: str) -> Credential | None:
    """The credential of an ``Authorization`` header, or None for an invalid or expired token. Records its use."""
    scheme, _, text = header.partition(" ")
    text = text.strip()
    if scheme.lower() != "bearer" or not text or len(header) > MAX_HEADER_LENGTH:
        return None
    digest = token_digest(text)
    if text.startswith(PERSONAL_PREFIX):
        return _personal_credential(digest)
    if text.startswith(BOT_PREFIX):
        bot = bot_by_digest(digest)
        return None if bot is None else Credential(BOT, bot.pk, bot, BOT_SCOPES)
    return _oauth_credential(digest)


def bot_by_digest(digest: str) -> User | None:
    """The active bot, of an active owner, whose token has this digest. Records the use of the token."""
    moment = clock.now()
    tokens = BotToken.objects.filter(digest=digest, bot__is_active=True, bot__owner__is_active=True)
    token = tokens.select_related("bot").first()
    if token is None:
        return None
    if token.used_at is None or moment - token.used_at > USED_INTERVAL:
        BotToken.objects.filter(pk=token.pk).update(used_at=moment)
    return token.bot


def valid_credential_keys(keys: Iterable[str]) -> set[str]:
    """Those of these `Credential.key`s that are still valid, for long-lived connections. Three queries at most."""
    by_kind: dict[str, set[int]] = {BOT: set(), PERSONAL: set(), OAUTH: set()}
    for key in keys:
        kind, _, pk = key.partition(":")
        by_kind[kind].add(int(pk))
    bot_tokens = BotToken.objects.filter(bot__is_active=True, bot__owner__is_active=True)
    valid: dict[str, Iterable[int]] = {
        BOT: bot_tokens.filter(bot_id__in=by_kind[BOT]).values_list("bot_id", flat=True),
        PERSONAL: _valid_personal_tokens().filter(pk__in=by_kind[PERSONAL]).values_list("pk", flat=True),
        OAUTH: _valid_oauth_tokens().filter(pk__in=by_kind[OAUTH]).values_list("pk", flat=True),
    }
    return {f"{kind}:{pk}" for kind, pks in valid.items() if by_kind[kind] for pk in pks}


def _personal_credential(digest: str) -> Credential | None:
    moment = clock.now()
    token = _valid_personal_tokens().filter(digest=digest).select_related("user").first()
    if token is None:
        return None
    if token.used_at is None or moment - token.used_at > USED_INTERVAL:
        PersonalToken.objects.filter(pk=token.pk).update(used_at=moment)
    return Credential(PERSONAL, token.pk, token.user, known_scopes(token.scope_set))


def _oauth_credential(digest: str) -> Credential | None:
    token = _valid_oauth_tokens().filter(hash=digest).select_related("user").first()
    if token is None or token.user is None:
        return None
    return Credential(OAUTH, token.pk, token.user, known_scopes(token.get_scopes()), token.client_id or "")


def _valid_personal_tokens() -> QuerySet[PersonalToken]:
    unexpired = Q(expires_at=None) | Q(expires_at__gt=clock.now())
    return PersonalToken.objects.filter(unexpired, user__is_active=True)


def _valid_oauth_tokens() -> QuerySet[OAuthToken]:
    tokens = OAuthToken.objects.valid().filter(type=OAuthToken.Type.ACCESS_TOKEN)
    return tokens.filter(user__is_active=True, user__is_guest=False, user__is_bot=False)
