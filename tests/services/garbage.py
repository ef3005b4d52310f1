"""What is loaded need not be looked through for garbage again and again, while thousands of pages are made."""

from __future__ import annotations

import gc


def set_aside() -> None:
    """As `backgammon.asgi` does it on a real site."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 100)
