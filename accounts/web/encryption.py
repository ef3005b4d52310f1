"""Encrypt short secrets in the database: AES-256 in Galois/Counter Mode, with keys derived from the site's key.

Older rows were encrypted by Fernet (AES-128 in CBC, with its HMAC) and can still be decrypted.
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

PREFIX = "gcm1."
"""How a text begins that this module encrypted; a Fernet token begins with `gAAAA`."""
NONCE_BYTES = 12
"""Random bytes for each text (NIST SP 800-38D 8.2.2): enough for some billions of texts a key."""
DECRYPTION_ERRORS = (InvalidTag, InvalidToken)
"""What `Cipher.decrypt` raises where no key of the site fits."""


class Cipher:
    """Encrypts with the first of some keys, and decrypts with any of them. Each `purpose` has keys of its own."""

    def __init__(self, keys: tuple[str, ...], purpose: str) -> None:
        self._purpose = purpose.encode()
        self._ciphers = [AESGCM(_derive_key(key, f"{purpose}/aes-256-gcm")) for key in keys]
        self._fernet = MultiFernet([Fernet(base64.urlsafe_b64encode(_derive_key(key, purpose))) for key in keys])

    def encrypt(self, text: str) -> str:
        """The encrypted text, in ASCII characters; different each time."""
        nonce = os.urandom(NONCE_BYTES)
        encrypted = self._ciphers[0].encrypt(nonce, text.encode(), self._purpose)
        return PREFIX + base64.urlsafe_b64encode(nonce + encrypted).decode()

    def decrypt(self, encrypted: str) -> str:
        """The text. Raises InvalidTag (InvalidToken for an older one) where no key fits or it was altered."""
        if not encrypted.startswith(PREFIX):
            return self._fernet.decrypt(encrypted.encode()).decode()
        data = base64.urlsafe_b64decode(encrypted.removeprefix(PREFIX))
        for cipher in self._ciphers:
            try:
                return cipher.decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], self._purpose).decode()
            except InvalidTag:
                continue
        raise InvalidTag


@cache
def cipher_for(keys: tuple[str, ...], purpose: str) -> Cipher:
    """The cipher of a purpose; deriving its keys takes some microseconds, done once."""
    return Cipher(keys, purpose)


def site_cipher(purpose: str) -> Cipher:
    """The site's cipher of a purpose: `SECRET_KEY` encrypts, and the fallbacks decrypt as well."""
    return cipher_for((settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS), f"tablero/{purpose}")


class EncryptedTexts(NamedTuple):
    """Where encrypted texts are stored: their purpose, a label for people, and a function that reads them."""

    purpose: str
    label: StrOrPromise
    texts: Callable[[], Iterable[str]]


_registered: list[EncryptedTexts] = []


def register_encrypted_texts(purpose: str, label: StrOrPromise, texts: Callable[[], Iterable[str]]) -> None:
    """Register where encrypted texts of a purpose are stored, so that a changed key of the site can be noticed."""
    _registered.append(EncryptedTexts(purpose, label, texts))


def encryption_status() -> list[tuple[str, int, int]]:
    """For each kind of encrypted text its label, how many there are, and how many of them no key decrypts."""
    status = []
    for registered in _registered:
        texts = list(registered.texts())
        unreadable = sum(not _can_decrypt(registered.purpose, text) for text in texts)
        status.append((str(registered.label), len(texts), unreadable))
    return status


def _can_decrypt(purpose: str, text: str) -> bool:
    try:
        site_cipher(purpose).decrypt(text)
    except DECRYPTION_ERRORS:
        return False
    return True


def _derive_key(key: str, purpose: str) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose.encode()).derive(key.encode())
