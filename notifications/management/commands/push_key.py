"""`manage.py push_key`: a new key for the environment of a site whose processes share no `var/`."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from notifications.push import vapid_key


class Command(BaseCommand):
    help = "Print a new VAPID_PRIVATE_KEY. Nothing is saved; devices added with another key stop getting notifications."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"VAPID_PRIVATE_KEY={vapid_key.generate_key().private}")
