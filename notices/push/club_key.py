"""The club's own key pair, with which it signs what it sends (VAPID, RFC 8292): made once, never handed out."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

from notices.push.sealing import CURVE, b64, point, unb64

GOOD_FOR = timedelta(hours=12)
"""How long a signature counts; the RFC allows a day, and clocks differ."""
LENGTH = 32  # bytes of a private key


@dataclass(frozen=True)
class ClubKey:
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
        """The header by which a push service knows the sender: for the service at `audience` (its origin) alone.

        `subject` is where the service reaches those who run the club: a mailto or https address.
        """
        claims = {"aud": audience, "exp": int((now + GOOD_FOR).timestamp()), "sub": subject}
        return str(Vapid02(self._key).sign(claims)["Authorization"])

    @cached_property
    def _key(self) -> ec.EllipticCurvePrivateKey:
        return ec.derive_private_key(int.from_bytes(unb64(self.private), "big"), CURVE)


def made() -> ClubKey:
    """A new key."""
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return ClubKey(b64(number.to_bytes(LENGTH, "big")))


def kept(path: Path) -> ClubKey:
    """The key in a file, which is made with a new one where there is none, readable by its owner only.

    Two processes that look at the same moment find the same key: the first to name its file wins.
    Raises ValueError for a file without a key.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(made().private)
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    try:
        return ClubKey(path.read_text().strip())
    except ValueError as error:
        raise ValueError(f"{path} holds no key: delete it to have a new one made ({error})") from error
