"""What `accounts` announces to the apps above it."""

from django.dispatch import Signal

#: Sent inside the transaction in which somebody blocks, mutes or follows another, or takes it back, with `by_id`,
#: `about_id`, `kind` (`Tie.Kind`) and `tied` (False: taken back).
ties_changed = Signal()
