"""The open files of a process, connections included: shells and service managers often allow only 1,024 of them."""

from __future__ import annotations

import resource
from contextlib import suppress

ENOUGH = 65_536
"""More are not asked for: hard limits may be a thousand million, and some libraries walk through all descriptors."""


def raise_limit() -> None:
    """Raise the soft limit of this process, and of the children that it starts later, to the hard one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ENOUGH if hard == resource.RLIM_INFINITY else min(hard, ENOUGH)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):  # macOS allows less than its hard limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
