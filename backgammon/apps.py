"""The app configuration: it loads Celery when Django is ready, so that `import backgammon.rules` loads neither."""

from django.apps import AppConfig


class TableroConfig(AppConfig):
    name = "backgammon"

    def ready(self) -> None:
        from backgammon import celery  # noqa: F401  (registers the app that `shared_task` finds)
        from backgammon.ops import data_policy, startup  # noqa: F401 - data_policy registers itself

        startup.set_up()
