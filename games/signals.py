"""What `games` announces to the apps above it: after the commit, unless a signal says otherwise."""

from django.dispatch import Signal

#: Sent once for a match that is over, with `match_id`: also for one that was called off in play, which nobody won.
#: Receivers may run again after a crash: they must be idempotent.
match_finished = Signal()

#: Sent inside the transaction that gives the time of an outage back, with `alive` (the last heartbeat) and `moment`:
#: what a receiver writes is committed with it, or not at all. One that raises stops it; the next heartbeat begins anew.
outage_ended = Signal()
