from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from games import data, log_outs, merging, receivers, support  # noqa: F401 - they connect themselves
