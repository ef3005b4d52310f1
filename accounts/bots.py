"""Bots that members bring: an account of their own, labelled, and a token with which their engine plays over the API.

Nobody can log in to such an account, and it never plays rated (games.services.offers).
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.errors import Refused
from accounts.models import BotToken, User
from accounts.names import normalise
from accounts.naming import name_check

MOST_BOTS = 3
PREFIX = "tablero_"
NOTED_EVERY = timedelta(minutes=1)
"""How often the use of a token is written down."""


def bot_make(*, owner: User, name: str) -> tuple[User, str]:
    """A bot of this member, and its token, which nobody can read again.

    Raises Refused: bot_member, bot_most, bot_name.
    """
    if owner.is_guest or owner.is_bot or not owner.is_active:
        raise Refused("bot_member")
    name = normalise(name)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)
        if bots_of(owner).count() >= MOST_BOTS:
            raise Refused("bot_most", params={"most": MOST_BOTS})
        bot = User(username=name, is_bot=True, owner=owner)
        bot.set_unusable_password()
        try:
            name_check(name)
            with transaction.atomic():
                bot.save()
        except (ValidationError, IntegrityError) as error:
            raise Refused("bot_name") from error
        return bot, token_renew(bot=bot)


def token_renew(*, bot: User) -> str:
    """A new token for a member's bot; the one before is void from now on."""
    token = PREFIX + secrets.token_urlsafe(32)
    BotToken.objects.update_or_create(
        bot=bot, defaults={"digest": digest_of(token), "made_at": timezone.now(), "used_at": None}
    )
    return token


def bot_retire(*, bot: User) -> None:
    """Put a member's bot out of service for good: its matches stay in the history, its token is void."""
    with transaction.atomic():
        BotToken.objects.filter(bot=bot).delete()
        bot.is_active = False
        bot.save(update_fields=["is_active"])


def bots_of(owner: User) -> QuerySet[User]:
    """The bots of a member that are in service, by name."""
    return User.objects.filter(owner=owner, is_active=True).select_related("bot_token").order_by("name_key")


def bot_of(digest: str) -> User | None:
    """The bot whose token has this digest, in service and of an active owner; notes that the token was used."""
    moment = timezone.now()
    token = BotToken.objects.filter(digest=digest, bot__is_active=True, bot__owner__is_active=True)
    found = token.select_related("bot").first()
    if found is None:
        return None
    if found.used_at is None or moment - found.used_at > NOTED_EVERY:
        BotToken.objects.filter(pk=found.pk).update(used_at=moment)
    return found.bot


def digest_of(token: str) -> str:
    """What is kept of a token. A token has 256 bits of chance: a plain hash of it can be looked up, and not guessed."""
    return hashlib.sha256(token.encode()).hexdigest()


def bearer(header: str) -> str | None:
    """The digest of the token in an ``Authorization`` header, or None when it carries none."""
    scheme, _, token = header.partition(" ")
    return digest_of(token.strip()) if scheme.lower() == "bearer" and token.strip() else None
