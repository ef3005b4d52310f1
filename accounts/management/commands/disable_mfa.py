"""Turn off two-factor authentication, for superusers who lost their device and codes, or if SECRET_KEY was lost."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.errors import Refused
from accounts.models import User
from accounts.names.validation import fold
from accounts.support.services import mfa_remove_unrecorded


class Command(BaseCommand):
    help = "Turn off two-factor authentication for an account and end all its sessions."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the member's username")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        user = User.objects.filter(is_bot=False, is_guest=False, name_key=fold(name)).first()
        if user is None:
            raise CommandError(f"There is no member called {name}.")
        try:
            mfa_remove_unrecorded(about=user)
        except Refused as refused:
            raise CommandError(refused.text) from refused
        self.stdout.write(f"{user.username} signs in with the password alone from now on.")
