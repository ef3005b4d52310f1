"""What `notices` does when two accounts become one: see accounts.merging. What was told, was told; the wishes stay."""

from __future__ import annotations

from accounts import merging

merging.moves("notices.Wishes.user", "notices.Device.user")
