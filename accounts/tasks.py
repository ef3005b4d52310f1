"""Background tasks of `accounts`. Every task takes ids only, and may run zero or many times."""

from __future__ import annotations

from celery import shared_task

from accounts.auth import mail_queue
from accounts.auth import services as auth_services
from accounts.closures import services as closures
from accounts.privacy import archive
from accounts.privacy import services as privacy
from accounts.programs import oauth_grants


@shared_task
def data_export_write(export_id: int) -> None:
    """Work for a second on a data export; the rest is a new task, so that nothing waits for a long one."""
    export = privacy.export_claim(export_id=export_id)
    if export is None:
        return
    try:
        made = archive.write_archive(export.user, bytes(export.body or b""))
    except Exception:
        privacy.export_fail(export_id=export_id)
        raise
    privacy.export_save(export=export, made=made)


@shared_task
def sweep_data_exports() -> int:
    """Delete archives that are a week old, and continue those that lost their worker."""
    return privacy.exports_sweep()


@shared_task
def sweep_mail_queue() -> int:
    """Send account e-mail that is due."""
    return mail_queue.queued_emails_send()


@shared_task
def sweep_bans() -> int:
    """Open the accounts whose bans have expired."""
    return closures.bans_sweep()


@shared_task
def sweep_sessions() -> int:
    """End sessions that are a year old, and delete expired sessions and tokens."""
    return auth_services.sessions_sweep() + oauth_grants.grants_sweep()
