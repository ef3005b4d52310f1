"""QR codes of links."""

from __future__ import annotations

import re

from accounts.web.qr_code import qr_path


def test_a_qr_code_is_square_and_contains_only_a_path() -> None:
    size, path = qr_path("https://club.example/match/abcdefghjk/")
    assert size > 25
    assert re.fullmatch(r"(M\d+ \d+h1v1h-1z)+", path)
