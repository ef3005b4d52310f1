"""Merging two accounts in `notifications`: see accounts.support.merge_registry. Settings and devices move along."""

from __future__ import annotations

from accounts.support import merge_registry

merge_registry.reassign_columns("notifications.NotificationPreferences.user", "notifications.PushDevice.user")
