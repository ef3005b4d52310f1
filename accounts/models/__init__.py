"""People, the clubs they belong to, and what they decide about one another."""

from accounts.models.clubs import Club, ClubEvent, Invitation, JoinRequest, Membership, new_token
from accounts.models.data import DataExport
from accounts.models.people import BotToken, User
from accounts.models.ties import PlayerNote, Tie

__all__ = [
    "BotToken",
    "Club",
    "ClubEvent",
    "DataExport",
    "Invitation",
    "JoinRequest",
    "Membership",
    "PlayerNote",
    "Tie",
    "User",
    "new_token",
]
