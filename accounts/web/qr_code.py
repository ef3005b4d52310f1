"""QR codes as SVG paths."""

from __future__ import annotations

from functools import lru_cache

import qrcode

QUIET = 2
"""Light modules around a code; scanners need some, and the paper or the card around it is light, too."""


@lru_cache(maxsize=256)
def qr_path(text: str) -> tuple[int, str]:
    """A QR code: how many modules its side has, and the dark ones as the path of an SVG."""
    code = qrcode.QRCode(border=QUIET)
    code.add_data(text)
    rows = code.get_matrix()
    dark = ((x, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell)
    return len(rows), "".join(f"M{x} {y}h1v1h-1z" for x, y in dark)
