from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotificationsConfig(AppConfig):
    name = "notifications"
    verbose_name = _("notifications")

    def ready(self) -> None:
        from notifications import (  # noqa: F401 - they connect themselves
            club_receivers,
            data,
            merging,
            push_receivers,
            receivers,
            support_receivers,
        )
