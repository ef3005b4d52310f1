"""What `talk` announces to the apps above it."""

from django.dispatch import Signal

#: Sent inside the transaction in which somebody says something, with `match_id`, `room` (`talk.rooms.Room`), `by_id`
#: and `message_id`. Who hears of it reads the room by `talk.selectors.rooms`: a player never hears of the watchers'.
said = Signal()
