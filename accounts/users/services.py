"""Create guests and house bots, save preferences, and create the demo accounts. The only writers of users."""

from __future__ import annotations

import itertools
import secrets

from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import get_language

from accounts.clubs.services import default_club_ensure
from accounts.models import APPEARANCE, Membership, User
from accounts.models.users import BOT_LEVEL_STEP
from accounts.names.validation import fold
from backgammon.languages import LANGUAGES, first_supported

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
BOT_NAMES = {1: "Pipa", 2: "Rosco", 3: "Dadila", 4: "Tablera", 5: "Solana"}
"""The house bots by their level (games.bots.strength), the last the strongest."""
DEFAULT_BOT_LEVEL = 4
DEMO_NAMES = ("ana", "bea")


def house_bot_ensure(level: int = DEFAULT_BOT_LEVEL) -> User:
    """The house bot of a level, created if need be: labelled as a bot everywhere, and nobody can sign in to it."""
    return User.objects.filter(bot_level=level).first() or _house_bot_create(level)


def _house_bot_create(level: int) -> User:
    bot = User(username=_free_name(BOT_NAMES[level % BOT_LEVEL_STEP]), is_bot=True, bot_level=level)
    bot.set_unusable_password()
    bot.save()
    return bot


def house_bots_at(strength: int, count: int) -> list[User]:
    """So many active house bots of one strength, the first by its own name and the others with a number.

    A tournament can need several of the same strength. They stay, and the next tournament uses them again.
    """
    with transaction.atomic():
        User.objects.select_for_update().get(
            pk=house_bot_ensure(strength).pk
        )  # two tournaments at once create none twice
        existing = {bot.bot_level: bot for bot in User.objects.filter(bot_level__isnull=False)}
        bots = (existing.get(level) or _house_bot_create(level) for level in itertools.count(strength, BOT_LEVEL_STEP))
        return list(itertools.islice((bot for bot in bots if bot.is_active), count))


def house_bots_ensure() -> list[User]:
    """One house bot for each strength, the weakest first."""
    return [house_bot_ensure(level) for level in BOT_NAMES]


def _free_name(name: str) -> str:
    """The name, or if it is taken the first free one with a number."""
    return next(free for free in (name, *(f"{name}-{n}" for n in range(2, 1000))) if not _is_taken(free))


def _is_taken(name: str) -> bool:
    return User.objects.filter(name_key=fold(name)).exists()


def guest_create() -> User:
    """Create a guest with a free name in the active language, like `guest-4821`. Nobody can sign in to it again."""
    word = LANGUAGES[first_supported(get_language())].guest
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


def guest_sign_in(*, request: HttpRequest) -> User:
    """Sign an anonymous visitor in as a new guest; whoever is signed in stays so."""
    if request.user.is_authenticated:
        return request.user
    guest = guest_create()
    login(request, guest, backend=BACKEND)
    return guest


def preferences_save(*, user: User, **chosen: object) -> User:
    """Store some of the player's preferences; unknown names are a bug."""
    for name, value in chosen.items():
        if name not in PREFERENCES:
            raise ValueError(name)
        setattr(user, name, value)
    user.save(update_fields=list(chosen))
    return user


PREFERENCES = (
    *("language", "theme", "direction", "sound", "auto_roll", "auto_forced", "confirm", "federation_number"),
    *APPEARANCE,
)


def demo_accounts_ensure() -> list[tuple[str, str]]:
    """Create two members to try the site with, and return names and passwords; the first owns the club.

    Empty when the database already has users.
    """
    if User.objects.filter(is_bot=False, is_guest=False).exists():
        return []
    created: list[tuple[str, str]] = []
    for name in DEMO_NAMES:
        password = f"{name}-{secrets.token_hex(3)}"
        user = User(username=name)
        user.set_password(password)
        user.save()
        role = Membership.Role.MEMBER if created else Membership.Role.OWNER
        Membership.objects.create(club=default_club_ensure(), user=user, role=role)
        created.append((name, password))
    return created
