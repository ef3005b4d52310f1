"""Notifications, notification settings, and devices for Web Push."""

from notifications.models.notifications import Notification, NotificationPreferences
from notifications.models.push import PushDevice, PushMessage

__all__ = ["Notification", "NotificationPreferences", "PushDevice", "PushMessage"]
