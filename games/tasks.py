"""Celery tasks: deadlines, reminders, the moves of bots, statistics and archives.

Every task takes ids only, may run zero or many times, and has its effect once: the rows drive the work.
"""

from __future__ import annotations

import logging
from datetime import timedelta

from celery import shared_task

from games import services
from games.database import now
from games.errors import Refused
from games.selectors import exports, match_state
from games.services import outage

log = logging.getLogger(__name__)

LOOK_AHEAD = timedelta(seconds=2)
AFTER_DEADLINE = outage.BEAT_PERIOD * 1.2  # by then a heartbeat says that the site served at the deadline
BOT_PATIENCE = timedelta(seconds=6)
FACTS_AT_ONCE = 50


@shared_task
def sweep_flags() -> int:
    """Carry out the deadlines that have passed, and put those of the next two seconds on the queue for their moment."""
    moment = now()
    if not outage.site_is_alive(moment):
        return 0  # nobody can act: no flag falls, and the time is given back
    due = match_state.deadlines(before=moment + LOOK_AHEAD)
    for match_id, flag_at in due:
        if flag_at <= moment:
            try:
                match_touch(match_id)
            except Exception:  # one broken match must not stop the clocks of the others
                log.exception("deadline of %s", match_id)
        else:
            wait = (flag_at - moment + AFTER_DEADLINE).total_seconds()
            match_touch.apply_async((match_id,), countdown=wait, queue="clocks")
    return len(due)


@shared_task
def sweep_reminders() -> int:
    """Remind the players whose turn by correspondence ends within a day."""
    return services.reminders_send()


@shared_task
def match_touch(match_id: str) -> None:
    """Carry out the passed deadline of one match, if it still has one."""
    if not outage.site_is_alive(now()):
        return
    try:
        services.match_touch(match_id=match_id)
    except Refused as refusal:
        log.info("deadline of %s: %s", match_id, refusal.code)


@shared_task
def archive_write(export_id: int) -> None:
    """Write a slice of a player's archive; the rest is a new task, so that no deadline waits for a long one."""
    export = services.archive_claim(export_id=export_id)
    if export is None:
        return
    try:
        part = exports.write_archive(export.user, bytes(export.body or b""))
    except Exception:
        services.archive_fail(export_id=export_id)
        raise
    services.archive_save(export=export, body=part.body, done=part.done, finished=part.finished)


@shared_task
def facts_make(match_id: str) -> None:
    """Count a finished match."""
    services.facts_make(match_id=match_id)


@shared_task
def facts_sweep(days: int | None = None) -> int:
    """Enqueue the counting of finished matches (of the last `days`) without facts. Not on the queue of the clocks."""
    missing = services.facts_missing(days=days, most=FACTS_AT_ONCE)
    for match_id in missing:
        facts_make.apply_async((match_id,), expires=30)
    return len(missing)


@shared_task
def sweep_archives() -> int:
    """Delete archives that are a week old, and go on with those whose worker was lost."""
    return services.archives_sweep()


@shared_task
def sweep_bots() -> int:
    """Call the bots again whose call was lost (a dead worker, a flushed queue)."""
    waiting = services.bots_claim(patience=BOT_PATIENCE)
    for match_id in waiting:
        bot_act.apply_async((match_id,), queue="bots", expires=30)
    return len(waiting)


@shared_task(time_limit=30)
def bot_act(match_id: str) -> None:
    """One action of the bot in this match, if it is its turn; called too early, it asks to be called again."""
    if (wait := services.bot_act(match_id=match_id)) is not None:
        bot_act.apply_async((match_id,), countdown=wait, queue="bots", expires=30)
