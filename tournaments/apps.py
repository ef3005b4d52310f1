"""The Django app of tournaments."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("tournaments")

    def ready(self) -> None:
        from tournaments import data, merging, page_sections, receivers  # noqa: F401 - they connect themselves
