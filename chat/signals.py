"""Signals that `chat` sends to the apps above it."""

from django.dispatch import Signal

#: Sent inside the transaction that posts a message, with `match_id`, `room` (`chat.rooms.Room`), `by_id` and
#: `message_id`. Receivers read the room through `chat.selectors.messages`: players never read the spectators' room.
message_posted = Signal()
