"""The site's VAPID key: created once, kept private, and signed for one service at a time."""

from __future__ import annotations

import json
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from notifications.push import vapid_key
from notifications.push.encryption import unb64

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


def test_a_key_is_created_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "var" / "vapid_key"
    first = vapid_key.load_or_create_key(path)
    assert vapid_key.load_or_create_key(path) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["vapid_key"]
    assert vapid_key.generate_key() != vapid_key.generate_key()


def test_the_public_key_is_a_point_that_browsers_accept() -> None:
    public = unb64(vapid_key.generate_key().public)
    assert (len(public), public[0]) == (65, 4)


@pytest.mark.parametrize("text", ["", "abc", "A" * 43, "not base64 at all"])
def test_a_file_without_a_key_gives_a_helpful_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "vapid_key"
    path.write_text(text)
    with pytest.raises(ValueError, match="delete it to have a new key made"):
        vapid_key.load_or_create_key(path)


def test_a_signature_names_the_service_the_sender_and_a_half_day_expiry() -> None:
    key = vapid_key.generate_key()
    header = key.authorization("https://push.example", subject="mailto:dora@club.example", now=NOW)
    scheme, _, rest = header.partition(" ")
    token, _, public = rest.partition(",k=")
    claims = json.loads(unb64(token.removeprefix("t=").split(".")[1]))
    assert (scheme, public) == ("vapid", key.public)
    assert claims == {
        "aud": "https://push.example",
        "exp": int(NOW.timestamp()) + 12 * 3600,
        "sub": "mailto:dora@club.example",
    }
