from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EventLogConfig(AppConfig):
    name = "eventlog"
    verbose_name = _("event log, streams and webhooks")

    def ready(self) -> None:
        from eventlog import data  # noqa: F401 - it declares itself
