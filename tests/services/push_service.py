"""A push service on this machine that does what a browser's does, implemented from the RFCs independently.

It accepts messages for its own subscriptions (RFC 8030), refuses wrong signatures (RFC 8292), and decrypts with the
receiver's keys (RFC 8291): HKDF is written with plain HMAC here, so that nothing is shared with the code under test.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import re
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

LARGEST = 4096
DAY = 86_400


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Wrong(Exception):
    """A message that a push service refuses, with the status of the response."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


@dataclass
class Receiver:
    """The browser's side of a subscription: its key pair and its secret."""

    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def public(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def keys(self) -> dict[str, str]:
        """The keys as a browser gives them to a page."""
        return {"p256dh": b64(self.public), "auth": b64(self.secret)}

    def opened(self, body: bytes) -> bytes:
        """Decrypt a message for this receiver. Raises Wrong, or InvalidTag if it is for another."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, record = body[21 : 21 + length], body[21 + length :]
        if size < 18 or len(record) > size or length != 65:
            raise Wrong(400, "not one record with the sender's key")
        sender_key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.key.exchange(ec.ECDH(), sender_key)
        secret = _hkdf(self.secret, shared, b"WebPush: info\x00" + self.public + sender, 32)
        key = _hkdf(salt, secret, b"Content-Encoding: aes128gcm\x00", 16)
        nonce = _hkdf(salt, secret, b"Content-Encoding: nonce\x00", 12)
        text = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\x00")
        if text[-1:] != b"\x02":
            raise Wrong(400, "the record is not marked as the last")
        return text[:-1]


def _hkdf(salt: bytes, material: bytes, info: bytes, length: int) -> bytes:
    """RFC 5869 for at most 32 bytes."""
    fixed = hmac.new(salt, material, hashlib.sha256).digest()
    return hmac.new(fixed, info + b"\x01", hashlib.sha256).digest()[:length]


@dataclass(frozen=True)
class Message:
    """A received message: its headers, and the decrypted payload."""

    path: str
    headers: Mapping[str, str]
    word: dict[str, Any]
    claims: dict[str, Any]
    size: int


class PushService:
    """The running service. `answers` are the statuses of the next messages, then 201; `messages` those accepted."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.origin = f"http://127.0.0.1:{server.server_address[1]}"
        self.receivers: dict[str, tuple[Receiver, str]] = {}
        self.messages: list[Message] = []
        self.errors: list[str] = []
        self.answers: list[tuple[int, dict[str, str]]] = []
        self.calls = 0
        self.slow = 0.0
        self.accepted = threading.Condition()

    def subscribe(self, club_key: str) -> dict[str, Any]:
        """Create a subscription that only the holder of a key may send to, as `PushSubscription.toJSON` gives it."""
        path, receiver = f"/push/{b64(os.urandom(24))}", Receiver()
        self.receivers[path] = (receiver, club_key)
        return {"endpoint": self.origin + path, "expirationTime": None, "keys": receiver.keys}

    def unsubscribe(self, endpoint: str) -> None:
        del self.receivers[endpoint.removeprefix(self.origin)]

    def wait(self, count: int, *, timeout: float = 60) -> list[Message]:
        """Wait for so many messages and return them."""
        with self.accepted:
            assert self.accepted.wait_for(lambda: len(self.messages) >= count, timeout), (self.messages, self.errors)
        return list(self.messages)

    def accept(self, path: str, headers: Mapping[str, str], body: bytes) -> Message:
        """Check a message in every way that the RFCs define. Raises Wrong."""
        if path not in self.receivers:
            raise Wrong(410, "no such subscription")
        receiver, club_key = self.receivers[path]
        claims = self._signed(headers.get("Authorization", ""), club_key)
        if not re.fullmatch(r"\d+", headers.get("TTL", "")):
            raise Wrong(400, "no TTL")
        if headers.get("Content-Encoding") != "aes128gcm":
            raise Wrong(415, "another encoding")
        if headers.get("Urgency", "normal") not in ("very-low", "low", "normal", "high"):
            raise Wrong(400, "no such urgency")
        if not re.fullmatch(r"[\w-]{1,32}", headers.get("Topic", "x"), re.ASCII):
            raise Wrong(400, "a topic has 32 letters at most")
        if len(body) > LARGEST:
            raise Wrong(413, "too large")
        text = receiver.opened(body)
        return Message(path, headers, json.loads(text), claims, len(text))

    def _signed(self, authorization: str, club_key: str) -> dict[str, Any]:
        found = re.fullmatch(r"vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)", authorization)
        if found is None:
            raise Wrong(401, "no signature")
        head, body, signature, key = found.groups()
        if key != club_key:
            raise Wrong(403, "the key of another club")
        raw = unb64(signature)
        numbers = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unb64(key))
        try:
            public.verify(numbers, f"{head}.{body}".encode(), ec.ECDSA(SHA256()))
        except InvalidSignature:
            raise Wrong(401, "a false signature") from None
        header, claims = json.loads(unb64(head)), json.loads(unb64(body))
        if header != {"typ": "JWT", "alg": "ES256"} or len(raw) != 64:
            raise Wrong(401, "another kind of signature")
        if claims["aud"] != self.origin:
            raise Wrong(403, "signed for another service")
        if not time.time() < claims["exp"] <= time.time() + DAY:
            raise Wrong(403, "signed for another time")
        if not re.match(r"mailto:[^@]+@|https://", claims["sub"]):
            raise Wrong(403, "nobody to turn to")
        return dict(claims)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    service: PushService

    def do_POST(self) -> None:
        service = self.service
        body = self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep(service.slow)
        service.calls += 1
        status, more = service.answers.pop(0) if service.answers else (201, {})
        if 200 <= status < 300:
            try:
                message = service.accept(self.path, dict(self.headers), body)
            except Wrong as wrong:
                status = wrong.status
                service.errors.append(str(wrong))
            else:
                with service.accepted:
                    service.messages.append(message)
                    service.accepted.notify_all()
        self.send_response(status)
        for name, value in {"Content-Length": "0", "Location": f"{service.origin}/message/1", **more}.items():
            self.send_header(name, value)
        self.end_headers()

    def do_GET(self) -> None:
        """The target of a redirect, which no client may follow."""
        self.service.errors.append("followed a redirect")
        self.send_response(204)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Tests say by themselves what they saw."""


@contextmanager
def running() -> Iterator[PushService]:
    """Run a push service for the block."""
    handler = type("Handler", (_Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    service = PushService(server)
    handler.service = service
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
