"""`manage.py doctor`: check everything that the site needs, and print advice."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext as _

from backgammon.ops import doctor, locale
from backgammon.ops.checks_report import BAD, OK, WARN, Finding


class Command(BaseCommand):
    """Exit status 0 if no check fails, else 1. It changes nothing and may run while people play."""

    help = "Check the database, broker, workers, clocks, mail, disk, engine and settings, and suggest fixes."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        locale.activate()
        findings = []
        for finding in doctor.examine():
            findings.append(finding)
            if not options["json"]:
                self.print_finding(finding)
        counts = {state: sum(finding.state == state for finding in findings) for state in (OK, WARN, BAD)}
        if options["json"]:
            report = {"well": not counts[BAD], **counts, "findings": [finding.as_json() for finding in findings]}
            self.stdout.write(json.dumps(report, ensure_ascii=False))
        else:
            self.stdout.write(_("Passed: %(ok)s, warnings: %(warn)s, failed: %(bad)s") % counts)
        if counts[BAD]:
            raise SystemExit(1)

    def print_finding(self, finding: Finding) -> None:
        words = {OK: _("ok"), WARN: _("warn"), BAD: _("FAIL")}
        paint = {OK: self.style.SUCCESS, WARN: self.style.WARNING, BAD: self.style.ERROR}[finding.state]
        self.stdout.write(f"{paint(f'{words[finding.state]:<6}')} {finding.part:<10} {finding.fact}")
        if finding.advice:
            self.stdout.write(f"{'':<17} -> {finding.advice}")
