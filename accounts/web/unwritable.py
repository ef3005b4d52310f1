"""Errors that say: the database or the disk cannot be written now. Nothing was changed, and later it will work again.

A disk that is full or read-only, a quota, a standby database, a broken disk. Everything else a database raises is a bug
or a lost connection.
"""

from __future__ import annotations

import errno

ERRNOS = frozenset({errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EFBIG, errno.EIO})
SQLITE_CODES = frozenset({8, 10, 13, 14})  # READONLY, IOERR, FULL, CANTOPEN, without their extension in the higher bits
SQL_STATES = frozenset({"53100", "25006", "58030"})  # disk_full, read_only_sql_transaction, io_error


def is_unwritable(error: BaseException | None) -> bool:
    """Whether this error, or one that it follows from, is such a one."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if _says_so(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _says_so(error: BaseException) -> bool:
    if isinstance(error, OSError):
        return error.errno in ERRNOS
    sqlite_code: int = getattr(error, "sqlite_errorcode", 0)  # the drivers' own: no import of a driver that is not used
    return sqlite_code & 0xFF in SQLITE_CODES or getattr(error, "sqlstate", None) in SQL_STATES
