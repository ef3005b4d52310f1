"""The only writers of people, and of the club that every site has; see accounts.clubs for all others."""

from __future__ import annotations

import itertools
import secrets

from allauth.account import app_settings as allauth_settings
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import get_language

from accounts.models import Club, Membership, User
from accounts.models.people import KIN
from accounts.names import fold

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
BOT_NAMES = {1: "Pipa", 2: "Rosco", 3: "Dadila", 4: "Tablera", 5: "Solana"}
"""The house's bots by their level (games.bots.strength), the last the strongest."""
USUAL_BOT = 4
DEMO_NAMES = ("ana", "bea")
GUEST_WORDS = {"es": "invitado", "en": "guest"}


def club_ensure_default() -> Club:
    """The club that every member of this site belongs to; made once."""
    usual = {"joining": Club.Joining.OPEN, "makers": Club.Makers.MEMBERS, "timezone": settings.TIME_ZONE}
    club, _ = Club.objects.get_or_create(is_default=True, defaults={"name": "Tablero", "slug": "tablero", **usual})
    return club


def bot_ensure(level: int = USUAL_BOT) -> User:
    """The computer's account at a strength: labelled as a bot everywhere, and nobody can log in to it."""
    return User.objects.filter(bot_level=level).first() or _bot_new(level)


def _bot_new(level: int) -> User:
    bot = User(username=_free_name(BOT_NAMES[level % KIN]), is_bot=True, bot_level=level)
    bot.set_unusable_password()
    bot.save()
    return bot


def bots_at(strength: int, count: int) -> list[User]:
    """So many accounts of the computer at one strength, the first by its own name and the others with a number.

    A field of a tournament can need several of the same strength. They stay, and the next field has them again.
    """
    with transaction.atomic():
        User.objects.select_for_update().get(pk=bot_ensure(strength).pk)  # two fields at once make none twice
        there = {bot.bot_level: bot for bot in User.objects.filter(bot_level__isnull=False)}
        every = (there.get(level) or _bot_new(level) for level in itertools.count(strength, KIN))
        return list(itertools.islice((bot for bot in every if bot.is_active), count))


def bots_ensure() -> list[User]:
    """One account for each strength of the computer, the weakest first."""
    return [bot_ensure(level) for level in BOT_NAMES]


def _free_name(name: str) -> str:
    """The name, or where a player already has it the first of it with a number."""
    return next(free for free in (name, *(f"{name}-{n}" for n in range(2, 1000))) if not _taken(free))


def _taken(name: str) -> bool:
    return User.objects.filter(name_key=fold(name)).exists()


def guest_create() -> User:
    """A guest with a free name in the active language, like `guest-4821`. Nobody can log in to it again."""
    word = GUEST_WORDS.get((get_language() or "en")[:2], "guest")
    for digits in (4, 4, 4, 5, 6, 8):
        guest = User(username=f"{word}-{secrets.randbelow(9 * 10 ** (digits - 1)) + 10 ** (digits - 1)}", is_guest=True)
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save()
        except IntegrityError:  # the name is taken
            continue
        return guest
    raise RuntimeError("no free name for a guest in six tries")


def guest_enter(*, request: HttpRequest) -> User:
    """Make a guest of an anonymous visitor and log him in; whoever is logged in stays who he is."""
    if request.user.is_authenticated:
        return request.user
    guest = guest_create()
    login(request, guest, backend=BACKEND)
    return guest


def member_welcome(*, user: User) -> None:
    """What a new member gets once: his place in the club, and the language that he signed up in."""
    Membership.objects.get_or_create(club=club_ensure_default(), user=user)
    if not user.language:
        user.language = (get_language() or "")[:2]
        user.save(update_fields=["language"])


def preferences_save(*, user: User, **chosen: object) -> User:
    """Store some of the player's preferences; unknown names are a bug."""
    for name, value in chosen.items():
        if name not in PREFERENCES:
            raise ValueError(name)
        setattr(user, name, value)
    user.save(update_fields=list(chosen))
    return user


PREFERENCES = ("language", "theme", "direction", "sound", "auto_roll", "auto_forced", "confirm")


def reset_path(*, user: User) -> str:
    """The path of a link that lets its holder choose a new password for `user`.

    It works once, and no longer than `PASSWORD_RESET_TIMEOUT`: a new password or log-in makes it void.
    """
    token = allauth_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)
    return reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": token})


def demo_accounts_ensure() -> list[tuple[str, str]]:
    """Two members to try the site with, and their new passwords: the first owns the club.

    Empty when the database already has people in it.
    """
    if User.objects.filter(is_bot=False, is_guest=False).exists():
        return []
    made: list[tuple[str, str]] = []
    for name in DEMO_NAMES:
        password = f"{name}-{secrets.token_hex(3)}"
        user = User(username=name)
        user.set_password(password)
        user.save()
        role = Membership.Role.MEMBER if made else Membership.Role.OWNER
        Membership.objects.create(club=club_ensure_default(), user=user, role=role)
        made.append((name, password))
    return made
