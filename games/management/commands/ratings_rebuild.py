"""`manage.py ratings_rebuild`: the ratings again from the log of rated matches."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games import services
from games.models import RatingPool


class Command(BaseCommand):
    """May be run at any time, also while people play: each pool is locked while it is folded."""

    help = "Add missing rated matches to the log, recalculate all ratings and fix differences."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if anything differs")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        missing = services.matches_unrated()
        if not check:
            for match_id in missing:
                services.match_rate_late(match_id=match_id)
        self.stdout.write(f"{len(missing)} rated matches without a line" + ("" if check else ", taken in"))
        wrong = len(missing)
        for pool in RatingPool.objects.order_by("variant", "pace"):
            found = services.pool_rebuild(pool_id=pool.pk, check=check)
            wrong += len(found)
            self.stdout.write(f"{pool}: {pool.matches} matches, {len(found)} differences")
            for each in found[:20]:
                row = "rating" if each.n is None else f"match {each.n}"
                self.stdout.write(f"  player {each.user_id}, {row}: {each.stored} should be {each.correct}")
        if check and wrong:
            sys.exit(1)
