"""People, the clubs they belong to, and what they decide about one another."""

from accounts.models.clubs import Club, ClubEvent, Invitation, JoinRequest, Membership, new_token
from accounts.models.data import DataExport
from accounts.models.people import BotToken, User
from accounts.models.programs import Admission, PersonalToken, Spent
from accounts.models.support import Ban, FormerName, Merged, SupportAct
from accounts.models.ties import PlayerNote, Tie
from accounts.models.visits import Letter, LogIn

__all__ = [
    "Admission",
    "Ban",
    "BotToken",
    "Club",
    "ClubEvent",
    "DataExport",
    "FormerName",
    "Invitation",
    "JoinRequest",
    "Letter",
    "LogIn",
    "Membership",
    "Merged",
    "PersonalToken",
    "PlayerNote",
    "Spent",
    "SupportAct",
    "Tie",
    "User",
    "new_token",
]
