"""What `games` announces to the apps above it, always after the commit."""

from django.dispatch import Signal

#: Sent once for a finished match, with `match_id`. Receivers may run again after a crash: they must be idempotent.
match_finished = Signal()
