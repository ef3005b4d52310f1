"""The numbers of the statistics pages, made again from the recorded actions."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games import services

PROGRESS_STEP = 500


class Command(BaseCommand):
    help = "Recalculate the statistics of all players from their finished matches."

    def handle(self, *args: Any, **options: Any) -> None:
        counted = services.statistics_rebuild(progress=self.progress)
        self.stdout.write(f"{counted} matches counted.")

    def progress(self, done: int, total: int) -> None:
        if done % PROGRESS_STEP == 0:
            self.stdout.write(f"{done} of {total}")
