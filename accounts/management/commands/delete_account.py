"""Delete an account, after an optional export of its data."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.errors import Refused
from accounts.models import User
from accounts.names.validation import fold
from accounts.privacy import archive
from accounts.privacy import registry as data_registry
from accounts.privacy import services as deletion


class Command(BaseCommand):
    help = "Delete an account. docs/data.md lists what is deleted and what is kept."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the username of the member or guest")
        parser.add_argument("--export", metavar="FILE", help="first export the account's data to a zip file")

    def handle(self, *args: Any, name: str, export: str | None, **options: Any) -> None:
        user = User.objects.filter(name_key=fold(name), left_at=None).first()
        if user is None:
            raise CommandError(f"There is no account called {name}.")
        if export:
            Path(export).write_bytes(archive.write_archive(user, seconds=math.inf).body)
        try:
            deleted = deletion.account_delete(user=user)
        except Refused as refused:
            reasons = "".join(f"\n- {blocker.text}" for blocker in data_registry.deletion_blockers(user))
            raise CommandError(f"{refused.text}{reasons}") from refused
        self.stdout.write(f"{user.username} has been deleted. Their matches now show {deleted.username}.")
