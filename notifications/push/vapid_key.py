"""The club's own key pair, with which it signs what it sends (VAPID, RFC 8292): made once, never handed out."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

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
    """Load the key from a file; create the file with a new key if there is none, readable by its owner only.

    Two processes at the same moment get the same key: the first to name its file wins.
    Raises ValueError for a file without a key.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(generate_key().private)
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    try:
        return VapidKey(path.read_text().strip())
    except ValueError as error:
        raise ValueError(f"{path} holds no key: delete it to have a new one made ({error})") from error
