"""A new link for the first owner of a site."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.errors import Refused
from backgammon.ops import owner, tongue


class Command(BaseCommand):
    """Exit 1 when the site has an owner already."""

    help = (
        "Print a link with which the first owner of this site chooses a name and a password; the last one is void then."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--site", default=settings.SITE_URL, help="e.g. https://club.example (default: SITE_URL)")

    def handle(self, *args: Any, site: str, **options: Any) -> None:
        tongue.speak()
        try:
            self.stdout.write(site.rstrip("/") + owner.link_new())
        except Refused as refusal:
            raise CommandError(refusal.text) from refusal
