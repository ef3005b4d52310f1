"""The tables of what programs hear."""

from hooks.models.events import Clerk, Ear, Event, Heard, Mark
from hooks.models.hooks import Delivery, Hook

__all__ = ["Clerk", "Delivery", "Ear", "Event", "Heard", "Hook", "Mark"]
