"""`manage.py demo`: run the whole site on this machine, with nothing to install or configure."""

from __future__ import annotations

from django.conf import settings

from backgammon.demo import prepare, processes
from backgammon.demo.site_command import SiteCommand
from backgammon.demo.supervisor import ProcessSpec


class Command(SiteCommand):
    help = "Run the whole site on this computer: web server, workers, scheduler and broker. Data is kept in var/."

    def prepare_static_files(self) -> None:
        prepare.collect_static(settings.VAR_DIR)

    def web_process(self, fd: int, *, env: dict[str, str]) -> ProcessSpec:
        return processes.web_process(fd, env=env)
