"""Print a password reset link, for sites that send no mail."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.auth import password_reset
from accounts.models import User
from accounts.names.validation import fold


class Command(BaseCommand):
    help = "Print a one-time link to choose a new password."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the member's username or e-mail address")
        parser.add_argument("--site", default=getattr(settings, "SITE_URL", ""), help="e.g. https://club.example")

    def handle(self, *args: Any, name: str, site: str, **options: Any) -> None:
        people = User.objects.filter(is_bot=False, is_guest=False, is_active=True)
        user = people.filter(name_key=fold(name)).first() or people.filter(email__iexact=name).exclude(email="").first()
        if user is None:
            raise CommandError(f"There is no member called {name}.")
        self.stdout.write(site.rstrip("/") + password_reset.password_reset_path(user=user))
