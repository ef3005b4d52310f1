"""The club's own key pair, with which it signs what it sends (VAPID, RFC 8292): made once, never handed out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

from backgammon import key_files
from notifications.push.encryption import CURVE, b64, point, unb64

GOOD_FOR = timedelta(hours=12)
"""How long a signature counts; the RFC allows a day, and clocks differ."""
LENGTH = 32  # bytes of a private key


@dataclass(frozen=True)
class VapidKey:
    """A private key of P-256 as base64 of its 32 bytes. Browsers know the `public` half from their subscription."""

    private: str

    def __post_init__(self) -> None:
        if len(unb64(self.private)) != LENGTH:
            raise ValueError(f"a push key has {LENGTH} bytes in base64")
        _ = self._key

    @cached_property
    def public(self) -> str:
        """What a page gives to the browser with which it subscribes."""
        return b64(point(self._key.public_key()))

    def authorization(self, audience: str, *, subject: str, now: datetime) -> str:
        """Return the header that identifies the sender to the push service at `audience` (its origin).

        `subject` is where the service reaches the site's operators: a mailto or https address.
        """
        claims = {"aud": audience, "exp": int((now + GOOD_FOR).timestamp()), "sub": subject}
        return str(Vapid02(self._key).sign(claims)["Authorization"])

    @cached_property
    def _key(self) -> ec.EllipticCurvePrivateKey:
        return ec.derive_private_key(int.from_bytes(unb64(self.private), "big"), CURVE)


def generate_key() -> VapidKey:
    """A new key."""
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return VapidKey(b64(number.to_bytes(LENGTH, "big")))


def load_or_create_key(path: Path) -> VapidKey:
    """Load the key from a file; without one, create it. Raises ValueError for a file without a key."""
    text = key_files.read_or_create(path, lambda: generate_key().private)
    try:
        return VapidKey(text)
    except ValueError as error:
        raise ValueError(f"{path} holds no key: delete it to have a new key made ({error})") from error
