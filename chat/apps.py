from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ChatConfig(AppConfig):
    name = "chat"
    verbose_name = _("chat")

    def ready(self) -> None:
        from chat import data, merging, receivers, support_sections  # noqa: F401 - they connect themselves
