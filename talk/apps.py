from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TalkConfig(AppConfig):
    name = "talk"
    verbose_name = _("talk")

    def ready(self) -> None:
        from talk import data, merging, receivers, support  # noqa: F401 - they connect themselves
