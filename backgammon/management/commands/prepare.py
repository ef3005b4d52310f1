"""`manage.py prepare`: prepare the database and static files before the processes start."""

from __future__ import annotations

import os
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from backgammon.demo import prepare
from backgammon.ops import first_owner, locale
from backgammon.site_files import command


class Command(BaseCommand):
    """It may run at any time, and must run after each upgrade."""

    help = "Apply migrations, collect static files, and create the club and its bots if they are missing."

    def handle(self, *args: Any, **options: Any) -> None:
        locale.activate()
        prepare.make_folders(settings.VAR_DIR)
        prepare.migrate()
        prepare.seed(accounts=False)
        prepare.collect_static(settings.VAR_DIR)
        if first_owner.is_needed():
            self.print_invitation()
        self.stdout.write(_("Ready."))

    def print_invitation(self) -> None:
        """Print the link for the first owner; under systemd, whose journal keeps the output, only the command."""
        if "JOURNAL_STREAM" in os.environ:
            text = _("This site has no owner yet. Run %s to get a link that creates the owner account.")
            self.stdout.write(text % command("first_owner"))
            return
        self.stdout.write(
            _("This site has no owner yet. Open this link to create the owner account (works once, for 24 hours):")
        )
        self.stdout.write(f"  {settings.SITE_URL.rstrip('/')}{first_owner.link_create()}")
