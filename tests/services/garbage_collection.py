"""Exclude loaded modules from garbage collection, since thousands of pages are rendered."""

from __future__ import annotations

import gc


def pause() -> None:
    """Collect nothing while modules are loaded and tests are found: nearly all of it stays."""
    gc.disable()


def set_aside() -> None:
    """Freeze what is loaded, as `backgammon.asgi` does."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(10_000, 20, 100)
