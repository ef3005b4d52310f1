"""`manage.py prepare`: what a site that runs its processes itself does once before it starts them."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from backgammon.demo import prepare


class Command(BaseCommand):
    """May be run at any time, and must be run after each upgrade."""

    help = "Bring the tables and the static files up to date; make sure that the club and its bots exist."

    def handle(self, *args: Any, **options: Any) -> None:
        prepare.make_folders(settings.VAR_DIR)
        prepare.migrate()
        prepare.seed(accounts=False)
        prepare.collect_static(settings.VAR_DIR)
        self.stdout.write("Ready.")
