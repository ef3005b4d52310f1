"""The files that carry a tournament to a venue and its results back (ruling E27, ADR 0033). Pure: no Django, no clock.

A file is one JSON object: what it is, the compressed body, and its signature by the secret of the copy. The body of the
file that goes out has that secret in it; the site that it comes from knows it, too.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import secrets
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

FileKind = Literal["out", "back"]
EventContent: TypeAlias = tuple[int, str, Mapping[str, Any]]  # its act, its kind and its data

FORMAT, VERSION = "tablero-venue", 1
MOST_BYTES = 1_000_000  # of a file
MOST_CONTENT = 16_000_000  # of its body, when it is not compressed
KINDS: tuple[FileKind, ...] = ("out", "back")
COPY_BYTES, SECRET_BYTES = 12, 32
LONGEST_COPY = 32


class Unreadable(Exception):
    """A file that is not accepted: the `code` says why (tournaments.errors)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class VenueFile:
    """A file that was read, and not yet trusted: `check` compares its signature."""

    kind: FileKind
    body: Mapping[str, Any]
    packed: str
    signature: str

    def check(self, secret: str) -> None:
        """Raises Unreadable("venue_signature") unless the file was signed with this secret."""
        if not hmac.compare_digest(self.signature.encode(), _signature(self.kind, self.packed, secret).encode()):
            raise Unreadable("venue_signature")


def new_copy() -> tuple[str, str]:
    """The id of a new copy, and its secret."""
    return secrets.token_hex(COPY_BYTES), secrets.token_hex(SECRET_BYTES)


def write(kind: FileKind, body: Mapping[str, Any], secret: str) -> bytes:
    """A signed file with this body (JSON)."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    packed = base64.b64encode(zlib.compress(text.encode(), 9)).decode()
    document = {"format": FORMAT, "version": VERSION, "kind": kind, "signature": _signature(kind, packed, secret)}
    return json.dumps({**document, "body": packed}, indent=1).encode() + b"\n"


def read(data: bytes, kind: FileKind) -> VenueFile:
    """What is in a file of this kind.

    Raises Unreadable: venue_large, venue_damaged, venue_version, venue_is_out, venue_is_back (it is the other file).
    """
    if len(data) > MOST_BYTES:
        raise Unreadable("venue_large")
    document = _json_object(data)
    if document.get("format") != FORMAT or type(document.get("version")) is not int:
        raise Unreadable("venue_damaged")
    if document["version"] != VERSION:
        raise Unreadable("venue_version")
    if document.get("kind") not in KINDS:
        raise Unreadable("venue_damaged")
    if document["kind"] != kind:
        raise Unreadable(f"venue_is_{document['kind']}")
    packed, signature = document.get("body"), document.get("signature")
    if not isinstance(packed, str) or not isinstance(signature, str) or not signature.isascii():
        raise Unreadable("venue_damaged")
    return VenueFile(kind, _json_object(_unpacked(packed)), packed, signature)


def digest(events: Iterable[EventContent]) -> str:
    """A fingerprint of events, by which both sites know that they begin alike."""
    content = [[act, kind, data] for act, kind, data in events]
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _unpacked(packed: str) -> bytes:
    try:
        inflate = zlib.decompressobj()
        content = inflate.decompress(base64.b64decode(packed, validate=True), MOST_CONTENT)
    except (binascii.Error, zlib.error, ValueError) as error:
        raise Unreadable("venue_damaged") from error
    if inflate.unconsumed_tail:
        raise Unreadable("venue_large")
    if not inflate.eof:
        raise Unreadable("venue_damaged")
    return content


def _json_object(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data.decode(), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise Unreadable("venue_damaged") from error
    if not isinstance(found, dict):
        raise Unreadable("venue_damaged")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _signature(kind: FileKind, packed: str, secret: str) -> str:
    message = f"{FORMAT}.{VERSION}.{kind}.{packed}"
    return hmac.new(secret.encode(), message.encode(), hashlib.sha256).hexdigest()
