"""`manage.py first_owner`: print a new link that creates the first owner of a site."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.errors import Refused
from backgammon.ops import first_owner, locale


class Command(BaseCommand):
    """Exit status 1 if the site has an owner already."""

    help = (
        "Print a link with which the first owner of this site chooses a name and a password; the last one is void then."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--site", default=settings.SITE_URL, help="e.g. https://club.example (default: SITE_URL)")

    def handle(self, *args: Any, site: str, **options: Any) -> None:
        locale.activate()
        try:
            self.stdout.write(site.rstrip("/") + first_owner.link_create())
        except Refused as refusal:
            raise CommandError(refusal.text) from refusal
