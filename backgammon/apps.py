"""Loads Celery when Django is ready, and never before: `import backgammon.rules` stays free of both."""

from django.apps import AppConfig


class TableroConfig(AppConfig):
    name = "backgammon"

    def ready(self) -> None:
        from backgammon import celery  # noqa: F401  (registers the app that `shared_task` finds)
        from backgammon.ops import data, install  # noqa: F401 - data declares itself

        install.everything()
