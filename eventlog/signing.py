"""The signature of what is sent to webhooks, as Standard Webhooks has it (docs/streams.md). Pure.

Three headers: ``webhook-id``, the same at every try; ``webhook-timestamp``, the second of this try; and
``webhook-signature``, ``v1,`` and the base64 of HMAC-SHA256 over ``id.timestamp.body`` with the bytes of the secret.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

PREFIX = "whsec_"
BYTES = 24


def secret_make() -> str:
    """A new secret: ``whsec_`` and 24 bytes of chance in base64."""
    return PREFIX + base64.b64encode(secrets.token_bytes(BYTES)).decode()


def headers(secret: str, *, message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """The three headers of a message."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    seal = hmac.new(key, f"{message_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{base64.b64encode(seal).decode()}",
    }
