"""A message that only the person's browser can read: one record of `aes128gcm` (RFC 8188) with keys of RFC 8291."""

from __future__ import annotations

import base64
import binascii
import os

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
RECORD = 4096  # bytes of the one record, of which we use less
OVERHEAD = 17  # bytes of a record that are no text: the end mark and the tag
AUTH = 16  # bytes of the receiver's secret
LAST = b"\x02"


def encrypt(
    text: bytes,
    *,
    receiver: bytes,
    auth: bytes,
    key: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """The body of a push message for the browser with the public key `receiver` (65 bytes) and the secret `auth`.

    `key` and `salt` are made anew for each message; the vectors of the RFC give their own. Raises ValueError for a
    key that is no point of P-256, a secret of the wrong length, and a text that fills more than one record.
    """
    if len(auth) != AUTH:
        raise ValueError(f"the secret of a subscription has {AUTH} bytes")
    if len(text) > RECORD - OVERHEAD:
        raise ValueError("a push message has one record")
    receiver_key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, receiver)
    key = key or ec.generate_private_key(CURVE)
    salt = salt or os.urandom(16)
    sender_point = point(key.public_key())
    secret = _derived(key.exchange(ec.ECDH(), receiver_key), auth, b"WebPush: info\0" + receiver + sender_point, 32)
    content_key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(sender_point)]) + sender_point
    return head + AESGCM(content_key).encrypt(nonce, text + LAST, None)


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    """A public key as it stands in messages: 65 bytes, uncompressed."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def b64(data: bytes) -> str:
    """Base64 for addresses, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    """What `b64` was given, with padding or without. Raises ValueError."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from error


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)
