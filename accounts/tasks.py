"""What happens to people's data without anybody's click. Every task takes ids only, and may run zero or many times."""

from __future__ import annotations

from celery import shared_task

from accounts import admissions, bans, exports, letters, log_ins


@shared_task
def data_write(export_id: int) -> None:
    """A second's work on somebody's archive; the rest is a new task, so that nothing waits for a long one."""
    export = exports.export_claim(export_id=export_id)
    if export is None:
        return
    try:
        made = exports.written(export.user, bytes(export.body or b""))
    except Exception:
        exports.export_fail(export_id=export_id)
        raise
    exports.export_save(export=export, made=made)


@shared_task
def sweep_data() -> int:
    """Delete archives that are a week old, and go on with those whose worker is gone."""
    return exports.exports_sweep()


@shared_task
def sweep_letters() -> int:
    """Send the mail of the doors that is due."""
    return letters.letters_send()


@shared_task
def sweep_bans() -> int:
    """Open the accounts whose bans are over."""
    return bans.bans_sweep()


@shared_task
def sweep_doors() -> int:
    """End the log-ins that are a year old, and forget sessions and tokens whose time is over."""
    return log_ins.log_ins_sweep() + admissions.admissions_sweep()
