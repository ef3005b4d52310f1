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
