"""The only writers of notifications and notification settings."""

from notifications.services.digest_mail import digest_send, digests_send
from notifications.services.expire import notifications_expire, notifications_expire_at_tables
from notifications.services.notifications import (
    notification_read,
    notification_settle,
    notification_write,
    notifications_purge,
    notifications_read,
)
from notifications.services.preferences import (
    mail_unsubscribe,
    preferences_of,
    preferences_save,
    time_zone_of,
    unsubscribe_key_of,
)
from notifications.services.push_sweep import pushes_send

__all__ = [
    "digest_send",
    "digests_send",
    "mail_unsubscribe",
    "notification_read",
    "notification_settle",
    "notification_write",
    "notifications_expire",
    "notifications_expire_at_tables",
    "notifications_purge",
    "notifications_read",
    "preferences_of",
    "preferences_save",
    "pushes_send",
    "time_zone_of",
    "unsubscribe_key_of",
]
