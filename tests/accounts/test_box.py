"""What is locked with the site's key: opened by it alone, whole or not at all, and by an older one for a while."""

from __future__ import annotations

import base64

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from accounts.box import MARK, Box

SECRET = "JBSWY3DPEHPK3PXP ñ"
PURPOSE = "tablero/second-step"


def of(*keys: str, purpose: str = PURPOSE) -> Box:
    return Box(keys, purpose)


def fernet(key: str) -> Fernet:
    """As older versions locked: AES-128 in CBC with its HMAC."""
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=PURPOSE.encode()).derive(key.encode())
    return Fernet(base64.urlsafe_b64encode(derived))


def test_what_was_locked_is_opened_and_looks_like_nothing() -> None:
    locked = of("site").lock(SECRET)
    assert locked.startswith(MARK)
    assert "JBSW" not in locked
    assert of("site").open(locked) == SECRET


def test_the_same_text_is_locked_in_other_letters_each_time() -> None:
    assert len({of("site").lock(SECRET) for _ in range(20)}) == 20


def test_after_a_change_of_keys_the_old_one_opens_and_the_new_one_locks() -> None:
    before = of("old").lock(SECRET)
    both = of("new", "old")
    assert both.open(before) == SECRET
    assert of("new").open(both.lock(SECRET)) == SECRET
    with pytest.raises(InvalidTag):
        of("new").open(before)


def test_the_key_of_one_purpose_opens_no_box_of_another() -> None:
    with pytest.raises(InvalidTag):
        of("site", purpose="tablero/other").open(of("site").lock(SECRET))


@pytest.mark.parametrize("place", range(len(MARK), 60, 6))
def test_a_text_with_a_changed_letter_is_not_opened(place: int) -> None:
    locked = of("site").lock(SECRET)
    other = "A" if locked[place] != "A" else "B"
    with pytest.raises(InvalidTag):
        of("site").open(locked[:place] + other + locked[place + 1 :])


def test_what_an_older_version_locked_is_still_opened_whatever_its_key() -> None:
    assert of("site").open(fernet("site").encrypt(SECRET.encode()).decode()) == SECRET
    assert of("new", "site").open(fernet("site").encrypt(SECRET.encode()).decode()) == SECRET
    with pytest.raises(InvalidToken):
        of("new").open(fernet("site").encrypt(SECRET.encode()).decode())
