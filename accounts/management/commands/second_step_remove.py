"""For who lost his device and his codes on paper, and has nobody above him who could help; or where a key was lost."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.errors import Refused
from accounts.models import User
from accounts.names import fold
from accounts.support.services import second_step_lost


class Command(BaseCommand):
    help = "Take the second step of a member's log-in away; every log-in of his ends."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the member's name")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        user = User.objects.filter(is_bot=False, is_guest=False, name_key=fold(name)).first()
        if user is None:
            raise CommandError(f"There is no member called {name}.")
        try:
            second_step_lost(about=user)
        except Refused as refused:
            raise CommandError(refused.text) from refused
        self.stdout.write(f"{user.username} logs in with the password alone from now on.")
