"""Take a person out of the site for him, and write down first what was kept about him."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import data, exports, leaving
from accounts.errors import Refused
from accounts.models import User
from accounts.names import fold


class Command(BaseCommand):
    help = "Take a person out of the site for good: what goes and what stays is told in docs/data.md."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the name of the member or guest")
        parser.add_argument(
            "--export", metavar="FILE", help="write everything that is kept about him to a zip file first"
        )

    def handle(self, *args: Any, name: str, export: str | None, **options: Any) -> None:
        user = User.objects.filter(name_key=fold(name), left_at=None).first()
        if user is None:
            raise CommandError(f"There is nobody called {name}.")
        if export:
            Path(export).write_bytes(exports.written(user, seconds=math.inf).body)
        try:
            left = leaving.person_leave(user=user)
        except Refused as refused:
            why = "".join(f"\n- {one.text}" for one in data.hindrances(user))
            raise CommandError(f"{refused.text}{why}") from refused
        self.stdout.write(f"{user.username} has left. What stays is called {left.username}.")
