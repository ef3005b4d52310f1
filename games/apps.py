from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from games import data, merging, receivers, support_sections  # noqa: F401 - they register themselves
        from games.connections import sign_outs  # noqa: F401
