from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NoticesConfig(AppConfig):
    name = "notices"
    verbose_name = _("notices")

    def ready(self) -> None:
        from notices import (  # noqa: F401 - they connect themselves
            club_receivers,
            data,
            merging,
            push_receivers,
            receivers,
            support_receivers,
        )
