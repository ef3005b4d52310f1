"""Ladders, wired into Django."""

from django.apps import AppConfig


class LaddersConfig(AppConfig):
    name = "ladders"

    def ready(self) -> None:
        from ladders import data, merging, page_sections, receivers  # noqa: F401 - they register themselves
