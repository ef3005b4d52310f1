"""The personal data that `notifications` keeps, and how it is deleted: see accounts.privacy.registry."""

from __future__ import annotations

from accounts.privacy import registry as data_registry
from accounts.privacy.anonymize import Anonymizer
from accounts.privacy.registry import OWNED, Table
from notifications.models import Notification

data_registry.register_tables(
    Table("notifications.Notification", {"user": OWNED}, erased=("data", "url")),
    Table("notifications.NotificationPreferences", {"user": OWNED}, withheld=("door",)),
    Table("notifications.PushDevice", {"user": OWNED}, withheld=("endpoint", "mark", "receiver", "auth", "club_key")),
    Table("notifications.PushMessage", {"device__user": OWNED}),
)


@data_registry.eraser("notifications.Notification.data")
def forget_names(anonymizer: Anonymizer) -> None:
    """Remove the user's name from notifications to others."""
    anonymizer.anonymize_column(Notification.objects.exclude(user=anonymizer.user), "data", keys=("from",))


@data_registry.eraser("notifications.Notification.url")
def forget_addresses(anonymizer: Anonymizer) -> None:
    """Remove links to the user's page, whose address holds their name."""
    anonymizer.anonymize_column(
        Notification.objects.filter(url__startswith="/players/").exclude(user=anonymizer.user), "url"
    )
