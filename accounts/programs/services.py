"""Create and revoke personal tokens, revoke authorised apps, and create and retire bots.

Only digests of tokens are stored, so that their texts are shown once. A new password revokes all tokens of a user but
those of their bots. Nobody can sign in to a bot's account, and members' bots never play rated (games.services.offers).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import timedelta

from allauth.idp.oidc.models import Token as OAuthToken
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone as clock

from accounts.errors import Refused
from accounts.models import BotToken, OAuthGrant, PersonalToken, User
from accounts.names.validation import normalise
from accounts.programs.scopes import ALL_SCOPES, SCOPES
from accounts.programs.selectors import bots_of, tokens_of
from accounts.programs.tokens import BOT_PREFIX, PERSONAL_PREFIX, token_digest
from accounts.signals import tokens_revoked
from accounts.users.name_availability import validate_available

MAX_TOKENS = 20
MAX_DAYS = 365
MAX_NAME_LENGTH = 60
MAX_BOTS = 3


# Tokens and apps


def token_create(*, user: User, name: str, scopes: Iterable[str], days: int | None = 90) -> tuple[PersonalToken, str]:
    """Create a personal token; returns it with its text, which cannot be read again.

    `days` until it expires; None for never. Raises Refused: token_member, token_most, token_name, token_scopes,
    token_days.
    """
    chosen = list(scopes)
    name = " ".join(name.split())
    if user.is_guest or user.is_bot or not user.is_active:
        raise Refused("token_member")
    if not 1 <= len(name) <= MAX_NAME_LENGTH:
        raise Refused("token_name", params={"most": MAX_NAME_LENGTH})
    if not chosen or not set(chosen) <= ALL_SCOPES:
        raise Refused("token_scopes")
    if days is not None and not 1 <= days <= MAX_DAYS:
        raise Refused("token_days", params={"most": MAX_DAYS})
    text = PERSONAL_PREFIX + secrets.token_urlsafe(32)
    moment = clock.now()
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if tokens_of(user).count() >= MAX_TOKENS:
            raise Refused("token_most", params={"most": MAX_TOKENS})
        token = PersonalToken.objects.create(
            user=user,
            name=name,
            digest=token_digest(text),
            tail=text[-4:],
            scopes=" ".join(scope for scope in SCOPES if scope in chosen),
            made_at=moment,
            expires_at=None if days is None else moment + timedelta(days=days),
        )
    return token, text


def token_revoke(*, user: User, token_id: int) -> None:
    """Revoke one of the user's tokens. Raises Refused("no_token") when they have no such token."""
    with transaction.atomic():
        deleted, _ = PersonalToken.objects.filter(user=user, pk=token_id).delete()
        if not deleted:
            raise Refused("no_token")
        tokens_revoked.send(sender=PersonalToken, user_id=user.pk)


def tokens_revoke_all(*, user: User) -> int:
    """Revoke all personal and OAuth tokens of a user and return how many; their bots keep theirs."""
    with transaction.atomic():
        personal, _ = PersonalToken.objects.filter(user=user).delete()
        _lock_grants(user=user)
        oauth, _ = OAuthToken.objects.filter(user=user).delete()
        OAuthGrant.objects.filter(user=user).delete()
        if personal or oauth:
            tokens_revoked.send(sender=PersonalToken, user_id=user.pk)
    return personal + oauth


def client_revoke(*, user: User, client_id: str) -> None:
    """Revoke an app's access to the user's account, with all its tokens. Raises Refused("no_program")."""
    with transaction.atomic():
        _lock_grants(user=user)
        deleted, _ = OAuthToken.objects.filter(user=user, client_id=client_id).delete()
        OAuthGrant.objects.filter(user=user, client_id=client_id).delete()
        if not deleted:
            raise Refused("no_program")
        tokens_revoked.send(sender=OAuthToken, user_id=user.pk)


def _lock_grants(*, user: User) -> None:
    """Wait for an app that refreshes its token just now, so that the new one is revoked with the rest."""
    list(OAuthGrant.objects.select_for_update().filter(user=user).order_by("pk").values_list("pk"))


# Bots


def bot_create(*, owner: User, name: str) -> tuple[User, str]:
    """Create a bot of a member; returns it with its token, which cannot be read again.

    Raises Refused: bot_member, bot_most, bot_name.
    """
    if owner.is_guest or owner.is_bot or not owner.is_active:
        raise Refused("bot_member")
    name = normalise(name)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)
        if bots_of(owner).count() >= MAX_BOTS:
            raise Refused("bot_most", params={"most": MAX_BOTS})
        bot = User(username=name, is_bot=True, owner=owner)
        bot.set_unusable_password()
        try:
            validate_available(name)
            with transaction.atomic():
                bot.save()
        except (ValidationError, IntegrityError) as error:
            raise Refused("bot_name") from error
        return bot, bot_token_renew(bot=bot)


def bot_token_renew(*, bot: User) -> str:
    """Create a new token for a bot; the one before is revoked."""
    token = BOT_PREFIX + secrets.token_urlsafe(32)
    BotToken.objects.update_or_create(
        bot=bot, defaults={"digest": token_digest(token), "made_at": clock.now(), "used_at": None}
    )
    return token


def bot_retire(*, bot: User) -> None:
    """Close a bot's account for good: its matches stay in the history, its token is revoked."""
    with transaction.atomic():
        BotToken.objects.filter(bot=bot).delete()
        bot.is_active = False
        bot.save(update_fields=["is_active"])
