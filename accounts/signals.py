"""What `accounts` announces to the apps above it."""

from django.dispatch import Signal

#: Sent inside the transaction in which somebody blocks, mutes or follows another, or takes it back, with `by_id`,
#: `about_id`, `kind` (`Tie.Kind`) and `tied` (False: taken back).
ties_changed = Signal()

#: Sent inside the transaction in which somebody asks to be let into a club, with `request` (`JoinRequest`).
club_asked = Signal()

#: Sent inside the transaction in which such a wish is answered, with `request`; `said` is False where nobody answered
#: it with a word: he came in by an invitation.
club_answered = Signal()

#: Sent inside the transaction in which the support changed somebody's name, with `user_id`, `was` and `now`.
person_renamed = Signal()

#: Sent inside the transaction in which tokens of a person end before their time, with `user_id`.
tokens_ended = Signal()

#: Sent inside the transaction in which log-ins of a person end before their time, with `user_id`, `sessions` (their
#: keys) and `everywhere` (True: all he has, so that what else he let in is to go too).
log_ins_ended = Signal()
