"""Signals from `games` to the apps above it: sent after the commit, unless stated otherwise."""

from django.dispatch import Signal

#: Sent about a user whom a block keeps from watching a match that is not over, with `match_id` and `user_id`: a
#: receiver returns True if the user directs that match (as a director of its tournament), and so may watch it.
match_director_asked = Signal()

#: Sent about an arranged match, with `match_id`: the app that arranged it may return the club whose directors correct
#: its winner by `result_correct`. None: its winner is corrected where it was arranged.
correcting_club_asked = Signal()

#: Sent once for a match that is over, with `match_id`: also for one that was called off in play, without a winner.
#: Receivers may run again after a crash: they must be idempotent.
match_finished = Signal()

#: Sent inside the transaction in which `by` blocks `other` (users), before `games` ends what is open between the two:
#: an app that locks its own rows before those of matches ends its part here.
pair_blocked = Signal()

#: Sent inside the transaction that gives the time of an outage back, with `alive` (the last heartbeat) and `moment`:
#: what a receiver writes is committed with it, or not at all. One that raises stops it; the next heartbeat begins anew.
outage_ended = Signal()

#: Sent inside the transaction that notifies a user, with `user_id` and `message` (the one that their open pages get
#: after the commit): what a receiver writes is committed with it.
user_notified = Signal()

#: Sent when a page of `user_id` asks for what it missed since a moment (`since`), after a gap and with every heartbeat.
#: A receiver returns the list of messages for that page.
missed_events_asked = Signal()
