"""The models of `accounts`: users, clubs, relationships, sessions, API access, data exports and support."""

from accounts.models.clubs import Club, ClubEvent, Invitation, JoinRequest, Membership, new_invitation_token
from accounts.models.exports import DataExport
from accounts.models.programs import OAuthGrant, PersonalToken, UsedOAuthToken
from accounts.models.relationships import PlayerNote, Relationship
from accounts.models.sessions import ActiveSession, QueuedEmail
from accounts.models.support import Ban, FormerName, MergedAccount, SupportAct
from accounts.models.users import APPEARANCE, FEDERATION_NUMBER, LONGEST_FEDERATION_NUMBER, BotToken, User

__all__ = [
    "APPEARANCE",
    "FEDERATION_NUMBER",
    "LONGEST_FEDERATION_NUMBER",
    "ActiveSession",
    "Ban",
    "BotToken",
    "Club",
    "ClubEvent",
    "DataExport",
    "FormerName",
    "Invitation",
    "JoinRequest",
    "Membership",
    "MergedAccount",
    "OAuthGrant",
    "PersonalToken",
    "PlayerNote",
    "QueuedEmail",
    "Relationship",
    "SupportAct",
    "UsedOAuthToken",
    "User",
    "new_invitation_token",
]
