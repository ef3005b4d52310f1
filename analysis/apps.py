"""The report, wired into Django."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AnalysisConfig(AppConfig):
    name = "analysis"
    verbose_name = _("analysis")

    def ready(self) -> None:
        from analysis import data, merging, page_sections, receivers  # noqa: F401 - they connect themselves
