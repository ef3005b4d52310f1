"""The only writers of notices, and of how people wish to be told."""

from notices.services.mail import digest_send, mails_send
from notices.services.notices import notice_read, notice_settle, notice_write, notices_forget, notices_read
from notices.services.rounds import pushes_send
from notices.services.truth import notices_check, notices_check_tables
from notices.services.wishes import door_of, mail_stop, wishes_of, wishes_save, zone_of

__all__ = [
    "digest_send",
    "door_of",
    "mail_stop",
    "mails_send",
    "notice_read",
    "notice_settle",
    "notice_write",
    "notices_check",
    "notices_check_tables",
    "notices_forget",
    "notices_read",
    "pushes_send",
    "wishes_of",
    "wishes_save",
    "zone_of",
]
