"""Programs that act for somebody: the tokens that a member makes for them, and whose a token is that one shows.

Three kinds of token come in one header, ``Authorization: Bearer …``: a bot's (accounts.bots), a member's own for a
program of his (``tablero_pat_…``), and the access token of a program that he let in by OAuth 2. Of each the digest
alone is kept, and each is found with one query. None opens anything for a closed account, or after its time; a new
password ends all of a person but those of his bots.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from allauth.idp.oidc.models import Token as OAuthToken
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone as clock

from accounts import bots
from accounts.errors import Refused
from accounts.models import Admission, BotToken, PersonalToken, User
from accounts.scopes import ALL, OF_BOTS, SCOPES, known
from accounts.signals import tokens_ended

PREFIX = "tablero_pat_"
"""Every personal token begins so: who finds one in a public place knows what it is."""
MOST = 20
LONGEST_DAYS = 365
LONGEST_NAME = 60
LONGEST_HEADER = 300
BOT, PERSONAL, OAUTH = "bot", "personal", "oauth"


@dataclass(frozen=True, slots=True)
class Grant:
    """Whose a token is and what it opens: `kind` and `pk` name the row, `scopes` the words, `client` the program."""

    kind: str
    pk: int
    user: User
    scopes: frozenset[str]
    client: str = ""

    @property
    def key(self) -> str:
        """What tells this token from all others, and says nothing of its secret."""
        return f"{self.kind}:{self.pk}"


# Making and ending


def token_make(*, user: User, name: str, scopes: Iterable[str], days: int | None = 90) -> tuple[PersonalToken, str]:
    """A token for a program of this member, and its text, which nobody can read again.

    `days` until it ends; None for one without end. Raises Refused: token_member, token_most, token_name,
    token_scopes, token_days.
    """
    chosen = list(scopes)
    name = " ".join(name.split())
    if user.is_guest or user.is_bot or not user.is_active:
        raise Refused("token_member")
    if not 1 <= len(name) <= LONGEST_NAME:
        raise Refused("token_name", params={"most": LONGEST_NAME})
    if not chosen or not set(chosen) <= ALL:
        raise Refused("token_scopes")
    if days is not None and not 1 <= days <= LONGEST_DAYS:
        raise Refused("token_days", params={"most": LONGEST_DAYS})
    text = PREFIX + secrets.token_urlsafe(32)
    moment = clock.now()
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if tokens_of(user).count() >= MOST:
            raise Refused("token_most", params={"most": MOST})
        token = PersonalToken.objects.create(
            user=user,
            name=name,
            digest=bots.digest_of(text),
            tail=text[-4:],
            scopes=" ".join(word for word in SCOPES if word in chosen),
            made_at=moment,
            expires_at=None if days is None else moment + timedelta(days=days),
        )
    return token, text


def token_revoke(*, user: User, token_id: int) -> None:
    """End one of his tokens now. Raises Refused("no_token") when it is not his, or gone."""
    with transaction.atomic():
        gone, _ = PersonalToken.objects.filter(user=user, pk=token_id).delete()
        if not gone:
            raise Refused("no_token")
        tokens_ended.send(sender=PersonalToken, user_id=user.pk)


def tokens_end(*, user: User) -> int:
    """End every token of a person, his own and those of OAuth programs, and say how many; his bots keep theirs."""
    with transaction.atomic():
        mine, _ = PersonalToken.objects.filter(user=user).delete()
        _lock(user=user)
        theirs, _ = OAuthToken.objects.filter(user=user).delete()
        Admission.objects.filter(user=user).delete()
        if mine or theirs:
            tokens_ended.send(sender=PersonalToken, user_id=user.pk)
    return mine + theirs


def client_forget(*, user: User, client_id: str) -> None:
    """Let a program in no longer: all that it was given by OAuth in his name ends. Raises Refused("no_program")."""
    with transaction.atomic():
        _lock(user=user)
        gone, _ = OAuthToken.objects.filter(user=user, client_id=client_id).delete()
        Admission.objects.filter(user=user, client_id=client_id).delete()
        if not gone:
            raise Refused("no_program")
        tokens_ended.send(sender=OAuthToken, user_id=user.pk)


def _lock(*, user: User) -> None:
    """Wait for a program that renews its token just now: what it is given goes with the rest."""
    list(Admission.objects.select_for_update().filter(user=user).order_by("pk").values_list("pk"))


# Reading


def tokens_of(user: User) -> QuerySet[PersonalToken]:
    """The tokens of a member, the last made first, also those whose time is over."""
    return PersonalToken.objects.filter(user=user)


@dataclass(frozen=True, slots=True)
class LetIn:
    """A program that somebody let in by OAuth, and what it may do."""

    id: str
    name: str
    scopes: tuple[str, ...]


def clients_of(user: User) -> list[LetIn]:
    """The programs that hold a good token in his name, by name; one query."""
    good = OAuthToken.objects.valid().filter(user=user, client__isnull=False).select_related("client")
    kept = good.filter(type__in=(OAuthToken.Type.ACCESS_TOKEN, OAuthToken.Type.REFRESH_TOKEN))
    found: dict[str, tuple[str, set[str]]] = {}
    for token in kept[:500]:
        assert token.client is not None  # nosec B101  # noqa: S101
        found.setdefault(token.client.pk, (token.client.name, set()))[1].update(token.get_scopes())
    rows = [LetIn(pk, name, tuple(word for word in SCOPES if word in scopes)) for pk, (name, scopes) in found.items()]
    return sorted(rows, key=lambda row: row.name.casefold())


def grant_of(header: str) -> Grant | None:
    """What the token in an ``Authorization`` header opens, or None when it is no good (any more)."""
    scheme, _, text = header.partition(" ")
    text = text.strip()
    if scheme.lower() != "bearer" or not text or len(header) > LONGEST_HEADER:
        return None
    digest = bots.digest_of(text)
    if text.startswith(PREFIX):
        return _personal(digest)
    if text.startswith(bots.PREFIX):
        bot = bots.bot_of(digest)
        return None if bot is None else Grant(BOT, bot.pk, bot, OF_BOTS)
    return _oauth(digest)


def _personal(digest: str) -> Grant | None:
    moment = clock.now()
    found = _good_personal().filter(digest=digest).select_related("user").first()
    if found is None:
        return None
    if found.used_at is None or moment - found.used_at > bots.NOTED_EVERY:
        PersonalToken.objects.filter(pk=found.pk).update(used_at=moment)
    return Grant(PERSONAL, found.pk, found.user, known(found.scope_set))


def _oauth(digest: str) -> Grant | None:
    found = _good_oauth().filter(hash=digest).select_related("user").first()
    if found is None or found.user is None:
        return None
    return Grant(OAUTH, found.pk, found.user, known(found.get_scopes()), found.client_id or "")


def _good_personal() -> QuerySet[PersonalToken]:
    lasting = Q(expires_at=None) | Q(expires_at__gt=clock.now())
    return PersonalToken.objects.filter(lasting, user__is_active=True)


def _good_oauth() -> QuerySet[OAuthToken]:
    good = OAuthToken.objects.valid().filter(type=OAuthToken.Type.ACCESS_TOKEN)
    return good.filter(user__is_active=True, user__is_guest=False, user__is_bot=False)


def still_good(keys: Iterable[str]) -> set[str]:
    """Of these keys of grants those that still open something: for what stays open for long. Three queries at most."""
    by_kind: dict[str, set[int]] = {BOT: set(), PERSONAL: set(), OAUTH: set()}
    for key in keys:
        kind, _, pk = key.partition(":")
        by_kind[kind].add(int(pk))
    in_service = BotToken.objects.filter(bot__is_active=True, bot__owner__is_active=True)
    asked: dict[str, Iterable[int]] = {
        BOT: in_service.filter(bot_id__in=by_kind[BOT]).values_list("bot_id", flat=True),
        PERSONAL: _good_personal().filter(pk__in=by_kind[PERSONAL]).values_list("pk", flat=True),
        OAUTH: _good_oauth().filter(pk__in=by_kind[OAUTH]).values_list("pk", flat=True),
    }
    return {f"{kind}:{pk}" for kind, found in asked.items() if by_kind[kind] for pk in found}
