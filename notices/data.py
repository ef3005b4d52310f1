"""What `notices` keeps about a person, and how each of it goes: see accounts.data."""

from __future__ import annotations

from accounts import data
from accounts.data import OWNED, Table
from accounts.former import Leaver
from notices.models import Notice

data.keep(
    Table("notices.Notice", {"user": OWNED}, erased=("data", "url")),
    Table("notices.Wishes", {"user": OWNED}, withheld=("door",)),
    Table("notices.Device", {"user": OWNED}, withheld=("endpoint", "mark", "receiver", "auth", "club_key")),
    Table("notices.Push", {"device__user": OWNED}),
)


@data.eraser("notices.Notice.data")
def forget_names(leaver: Leaver) -> None:
    """What others were told names him who challenged, moved or declined."""
    leaver.mend(Notice.objects.exclude(user=leaver.user), "data", at=("from",))


@data.eraser("notices.Notice.url")
def forget_addresses(leaver: Leaver) -> None:
    """The address of a player's page has his name in it."""
    leaver.mend(Notice.objects.filter(url__startswith="/players/").exclude(user=leaver.user), "url")
