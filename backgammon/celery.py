"""The Celery application: `celery -A backgammon.celery worker -Q clocks,tablero`, and the beat that drives it."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backgammon.settings")

app = Celery("tablero")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.set_default()
app.autodiscover_tasks()
