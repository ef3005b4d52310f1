"""`manage.py prepare`: what a site that runs its processes itself does once before it starts them."""

from __future__ import annotations

import os
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from backgammon.demo import prepare
from backgammon.ops import owner, tongue


class Command(BaseCommand):
    """May be run at any time, and must be run after each upgrade."""

    help = "Bring the tables and the static files up to date; make sure that the club and its bots exist."

    def handle(self, *args: Any, **options: Any) -> None:
        tongue.speak()
        prepare.make_folders(settings.VAR_DIR)
        prepare.migrate()
        prepare.seed(accounts=False)
        prepare.collect_static(settings.VAR_DIR)
        if owner.is_needed():
            self.invite()
        self.stdout.write(_("Ready."))

    def invite(self) -> None:
        """The link for the first owner; not where what we say is kept in a log (systemd says that it is)."""
        if "JOURNAL_STREAM" in os.environ:
            self.stdout.write(_("Nobody looks after this site yet: manage.py first_owner prints a link for its owner."))
            return
        self.stdout.write(_("Nobody looks after this site yet. Who opens this link first does (once, within a day):"))
        self.stdout.write(f"  {settings.SITE_URL.rstrip('/')}{owner.link_new()}")
