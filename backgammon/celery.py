"""The Celery application: the queues of its tasks, and the timetable of beat.

`celery -A backgammon.celery worker -Q clocks,tablero` runs a worker, `celery -A backgammon.celery beat` the timetable.
"""

import os
from typing import Any

from celery import Celery
from celery.concurrency import get_implementation
from celery.signals import worker_init
from django.urls import get_resolver

from backgammon import celery_transport
from backgammon.celery_beat import interval

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backgammon.settings")
# Django's checks load every view and template: a second of each worker's start and 40 MB of its memory, to repeat what
# `manage.py check` says.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

MINUTE, HOUR = 60.0, 3600.0

DEFAULT_QUEUE = "tablero"
ROUTES = {
    "games.tasks.bot_*": {"queue": "bots"},
    "games.tasks.sweep_*": {"queue": "clocks"},
    "analysis.tasks.sweep_*": {"queue": DEFAULT_QUEUE},
    "analysis.tasks.*": {"queue": "analysis"},
}


def every(seconds: float, task: str, *, expires: float, **kwargs: Any) -> dict[str, Any]:
    """Return an entry of the timetable. A run that no worker has begun after `expires` seconds is dropped."""
    return {"task": task, "schedule": interval(seconds), "kwargs": kwargs, "options": {"expires": expires}}


BEAT_SCHEDULE = {
    # Play
    "flags": every(1, "games.tasks.sweep_flags", expires=2),
    "bots": every(2, "games.tasks.sweep_bots", expires=2),
    "reminders": every(MINUTE, "games.tasks.sweep_reminders", expires=60),
    "archives": every(30, "games.tasks.sweep_archives", expires=30),
    "recent-facts": every(30, "games.tasks.facts_sweep", expires=30, days=1),
    "all-facts": every(HOUR, "games.tasks.facts_sweep", expires=600),
    # Competitions
    "ladders": every(10, "ladders.tasks.sweep_ladders", expires=10),
    "tournaments": every(5, "tournaments.tasks.sweep_tournaments", expires=5),
    "recurring-events": every(20, "tournaments.tasks.sweep_recurring_events", expires=20),
    # Analysis
    "reports": every(15, "analysis.tasks.sweep_reports", expires=15),
    "questions": every(10, "analysis.tasks.sweep_questions", expires=10),
    "tallies": every(MINUTE, "analysis.tasks.sweep_tallies", expires=60),
    "daily-puzzle": every(5 * MINUTE, "analysis.tasks.pick_daily_puzzle", expires=300),
    "old-answers": every(6 * HOUR, "analysis.tasks.sweep_answers", expires=3600),
    # Accounts
    "emails": every(3, "accounts.tasks.sweep_mail_queue", expires=3),
    "data-exports": every(30, "accounts.tasks.sweep_data_exports", expires=30),
    "bans": every(30, "accounts.tasks.sweep_bans", expires=30),
    "expired-access": every(HOUR, "accounts.tasks.sweep_sessions", expires=600),
    # Notifications
    "notification-pushes": every(3, "notifications.tasks.sweep_pushes", expires=3),
    "notification-emails": every(5, "notifications.tasks.sweep_mails", expires=5),
    "expired-notifications": every(5, "notifications.tasks.sweep_expired", expires=5),
    "old-notifications": every(HOUR, "notifications.tasks.sweep_old", expires=600),
    # Events and webhooks
    "events": every(1, "eventlog.tasks.sweep_events", expires=2),
    "deliveries": every(2, "eventlog.tasks.sweep_deliveries", expires=2),
    "old-events": every(HOUR, "eventlog.tasks.sweep_old", expires=600),
}

celery_transport.install()
app = Celery("tablero")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(task_default_queue=DEFAULT_QUEUE, task_routes=ROUTES, beat_schedule=BEAT_SCHEDULE)
app.conf.beat_scheduler = "backgammon.celery_beat:SteadyScheduler"
app.set_default()
app.autodiscover_tasks()


@worker_init.connect
def load_urls(sender: Any, **_: Any) -> None:
    """Load all views before a worker's threads start: tasks name URLs, and threads must not import them at once."""
    if get_implementation(sender.pool_cls) is get_implementation("threads"):
        get_resolver().url_patterns  # noqa: B018
