"""Encryption with the site's key: round trips, tampering, key rotation, and older Fernet texts."""

from __future__ import annotations

import base64

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from accounts.web.encryption import PREFIX, Cipher

SECRET = "JBSWY3DPEHPK3PXP ñ"
PURPOSE = "tablero/second-step"


def of(*keys: str, purpose: str = PURPOSE) -> Cipher:
    return Cipher(keys, purpose)


def fernet(key: str) -> Fernet:
    """Encrypt as older versions did: AES-128 in CBC with an HMAC."""
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=PURPOSE.encode()).derive(key.encode())
    return Fernet(base64.urlsafe_b64encode(derived))


def test_an_encrypted_text_decrypts_and_reveals_nothing() -> None:
    locked = of("site").encrypt(SECRET)
    assert locked.startswith(PREFIX)
    assert "JBSW" not in locked
    assert of("site").decrypt(locked) == SECRET


def test_the_same_text_encrypts_differently_each_time() -> None:
    assert len({of("site").encrypt(SECRET) for _ in range(20)}) == 20


def test_after_a_key_change_the_old_key_decrypts_and_the_new_one_encrypts() -> None:
    before = of("old").encrypt(SECRET)
    both = of("new", "old")
    assert both.decrypt(before) == SECRET
    assert of("new").decrypt(both.encrypt(SECRET)) == SECRET
    with pytest.raises(InvalidTag):
        of("new").decrypt(before)


def test_the_key_of_one_purpose_decrypts_nothing_of_another() -> None:
    with pytest.raises(InvalidTag):
        of("site", purpose="tablero/other").decrypt(of("site").encrypt(SECRET))


@pytest.mark.parametrize("place", range(len(PREFIX), 60, 6))
def test_a_changed_text_is_not_decrypted(place: int) -> None:
    locked = of("site").encrypt(SECRET)
    other = "A" if locked[place] != "A" else "B"
    with pytest.raises(InvalidTag):
        of("site").decrypt(locked[:place] + other + locked[place + 1 :])


def test_texts_of_an_older_version_still_decrypt_with_any_key() -> None:
    assert of("site").decrypt(fernet("site").encrypt(SECRET.encode()).decode()) == SECRET
    assert of("new", "site").decrypt(fernet("site").encrypt(SECRET.encode()).decode()) == SECRET
    with pytest.raises(InvalidToken):
        of("new").decrypt(fernet("site").encrypt(SECRET.encode()).decode())
