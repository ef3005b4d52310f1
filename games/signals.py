"""What `games` announces to the apps above it, always after the commit."""

from django.dispatch import Signal

#: Sent once for a match that is over, with `match_id`: also for one that was called off in play, which nobody won.
#: Receivers may run again after a crash: they must be idempotent.
match_finished = Signal()
