"""What somebody was told: a notice that is written, or said anew, is an event for its reader's programs."""

from __future__ import annotations

from hooks.kinds import USER, topic
from hooks.models import Event
from hooks.services.found import SLACK, Found, Look, Watch
from notices.models import Notice

NAMING = "/players/"
"""Addresses that have a name in them; the notice itself has it."""
MOST = 1000


def look(watch: Watch) -> Look:
    """The notices of listeners since the last look, and a little before it: what is in the log already is left out."""
    if not watch.users:
        return Look()
    rows = Notice.objects.filter(user__in=watch.users, shown=True, at__gte=watch.looked - SLACK).order_by("at", "pk")
    found = []
    for notice in rows[:MOST]:
        to = topic(USER, notice.user_id)
        if notice.at < watch.topics[to]:
            continue
        key = f"notice:{notice.pk}:{int(notice.at.timestamp() * 1_000_000)}"
        url = "" if notice.url.startswith(NAMING) else notice.url
        data = {"kind": notice.kind, "url": url}
        found.append(Found(key, "notice", f"notice:{notice.pk}", notice.at, frozenset({to}), data))
    told = set(Event.objects.filter(key__in=[one.key for one in found]).values_list("key", flat=True))
    return Look(found=[one for one in found if one.key not in told])
