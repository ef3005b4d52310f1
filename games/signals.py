"""What `games` announces to the apps above it: after the commit, unless a signal says otherwise."""

from django.dispatch import Signal

#: Asked of the apps above about somebody whom a block keeps from a match that is not over, with `match_id` and
#: `user_id`: a receiver answers True where it is his duty to look after that match (he directs its tournament).
duty_asked = Signal()

#: Sent once for a match that is over, with `match_id`: also for one that was called off in play, which nobody won.
#: Receivers may run again after a crash: they must be idempotent.
match_finished = Signal()

#: Sent inside the transaction that gives the time of an outage back, with `alive` (the last heartbeat) and `moment`:
#: what a receiver writes is committed with it, or not at all. One that raises stops it; the next heartbeat begins anew.
outage_ended = Signal()

#: Sent inside the transaction of what there is to say to one person, with `user_id` and `message` (the same that his
#: open pages get after the commit): what a receiver writes is committed with it.
person_told = Signal()

#: Sent when a page of `user_id` asks what it missed since a moment (`since`), after a gap and with every heartbeat. A
#: word that a receiver returns is said to that page; None says nothing.
caught_up = Signal()
