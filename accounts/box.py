"""A locked box for short secrets in the database: AES-256 in Galois/Counter Mode, by a key that comes of the site's.

Older rows were locked by Fernet (AES-128 in CBC, with its HMAC) and are still opened.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

MARK = "gcm1."
"""How a text begins that this module locked; a Fernet token begins with `gAAAA`."""
NONCE = 12
"""Bytes, at random for each text (NIST SP 800-38D 8.2.2): good for some billions of texts a key."""


WRONG_KEY = (InvalidTag, InvalidToken)
"""What opening raises where no key of the site fits."""


class Box:
    """What the first of some keys locks, and any of them opens. `purpose` parts its keys from those of other boxes."""

    def __init__(self, keys: tuple[str, ...], purpose: str) -> None:
        self._purpose = purpose.encode()
        self._locks = [AESGCM(_derived(key, f"{purpose}/aes-256-gcm")) for key in keys]
        self._older = MultiFernet([Fernet(base64.urlsafe_b64encode(_derived(key, purpose))) for key in keys])

    def lock(self, text: str) -> str:
        """The text, locked: letters that a column of text holds, other ones each time."""
        nonce = os.urandom(NONCE)
        sealed = self._locks[0].encrypt(nonce, text.encode(), self._purpose)
        return MARK + base64.urlsafe_b64encode(nonce + sealed).decode()

    def open(self, locked: str) -> str:
        """The text. Raises InvalidTag, and InvalidToken for an older one, where no key fits or a letter was changed."""
        if not locked.startswith(MARK):
            return self._older.decrypt(locked.encode()).decode()
        sealed = base64.urlsafe_b64decode(locked.removeprefix(MARK))
        for lock in self._locks:
            try:
                return lock.decrypt(sealed[:NONCE], sealed[NONCE:], self._purpose).decode()
            except InvalidTag:
                continue
        raise InvalidTag


@cache
def box(keys: tuple[str, ...], purpose: str) -> Box:
    """The box of a purpose; deriving its keys takes some microseconds, done once."""
    return Box(keys, purpose)


def site_box(purpose: str) -> Box:
    """The site's box of a purpose: `SECRET_KEY` locks, and the fallbacks open too."""
    return box((settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS), f"tablero/{purpose}")


class Locker(NamedTuple):
    """Where locked texts stand: their purpose, what people call them, and how they are read."""

    purpose: str
    called: StrOrPromise
    texts: Callable[[], Iterable[str]]


_lockers: list[Locker] = []


def keeps(purpose: str, called: StrOrPromise, texts: Callable[[], Iterable[str]]) -> None:
    """Say where locked texts of a purpose stand, so that they can be looked at when the site has another key."""
    _lockers.append(Locker(purpose, called, texts))


def lockers() -> list[tuple[str, int, int]]:
    """Of each kind of locked text what it is called, how many there are, and how many of them no key opens."""
    found = []
    for locker in _lockers:
        texts = list(locker.texts())
        found.append((str(locker.called), len(texts), sum(not _opens(locker.purpose, each) for each in texts)))
    return found


def _opens(purpose: str, text: str) -> bool:
    try:
        site_box(purpose).open(text)
    except WRONG_KEY:
        return False
    return True


def _derived(key: str, purpose: str) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose.encode()).derive(key.encode())
