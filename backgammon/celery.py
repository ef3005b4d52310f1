"""The Celery application: `celery -A backgammon.celery worker -Q clocks,tablero`, and the beat that drives it."""

import os
from typing import Any

from celery import Celery
from celery.concurrency import get_implementation
from celery.signals import worker_init
from django.urls import get_resolver

from backgammon import transport

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backgammon.settings")
# Django's checks load every view and template there is: a second of each worker's start and 40 MB of its memory, to say
# again what `manage.py check` says.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

transport.install()
app = Celery("tablero")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.set_default()
app.autodiscover_tasks()


@worker_init.connect
def load_pages(sender: Any, **_: Any) -> None:
    """Tasks that run in threads name addresses of pages: these are loaded before, not by several threads at once."""
    if get_implementation(sender.pool_cls) is get_implementation("threads"):
        get_resolver().url_patterns  # noqa: B018
