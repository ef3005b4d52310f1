from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class HooksConfig(AppConfig):
    name = "hooks"
    verbose_name = _("event streams and webhooks")

    def ready(self) -> None:
        from hooks import data  # noqa: F401 - it declares itself
