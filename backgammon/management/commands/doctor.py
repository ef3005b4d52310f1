"""`manage.py doctor`: a look at everything that the site needs, with advice."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext as _

from backgammon.ops import doctor, tongue
from backgammon.ops.findings import BAD, OK, WARN, Finding


class Command(BaseCommand):
    """Exit 0 when nothing is bad, 1 when something is. It changes nothing, and may be asked while people play."""

    help = "Look at database, broker, workers, clocks, mail, disk, engine and settings; say what to do."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")

    def handle(self, *args: Any, **options: Any) -> None:
        tongue.speak()
        found = []
        for finding in doctor.look():
            found.append(finding)
            if not options["json"]:
                self.say(finding)
        counts = {state: sum(finding.state == state for finding in found) for state in (OK, WARN, BAD)}
        if options["json"]:
            report = {"well": not counts[BAD], **counts, "findings": [finding.as_json() for finding in found]}
            self.stdout.write(json.dumps(report, ensure_ascii=False))
        else:
            self.stdout.write(_("%(ok)s ok, %(warn)s to look at, %(bad)s bad") % counts)
        if counts[BAD]:
            raise SystemExit(1)

    def say(self, finding: Finding) -> None:
        words = {OK: _("ok"), WARN: _("look"), BAD: _("BAD")}
        paint = {OK: self.style.SUCCESS, WARN: self.style.WARNING, BAD: self.style.ERROR}[finding.state]
        self.stdout.write(f"{paint(f'{words[finding.state]:<6}')} {finding.part:<10} {finding.fact}")
        if finding.advice:
            self.stdout.write(f"{'':<17} -> {finding.advice}")
