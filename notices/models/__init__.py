"""What people are told, how they wish to be told, and the devices that they are told on."""

from notices.models.notices import Notice, Wishes
from notices.models.push import Device, Push

__all__ = ["Device", "Notice", "Push", "Wishes"]
