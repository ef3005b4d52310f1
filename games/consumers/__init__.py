"""The sockets: parse, call one service, answer."""

from games.consumers.base import (
    CLOSE_NOT_FOUND,
    CLOSE_TOO_LARGE,
    CLOSE_TOO_MANY,
    LONGEST_FRAME,
    PlayConsumer,
)
from games.consumers.bots import BotConsumer
from games.consumers.lobby import LobbyConsumer
from games.consumers.match import MatchConsumer
from games.consumers.nowhere import NowhereConsumer
from games.consumers.wall import WallConsumer

__all__ = [
    "CLOSE_NOT_FOUND",
    "CLOSE_TOO_LARGE",
    "CLOSE_TOO_MANY",
    "LONGEST_FRAME",
    "BotConsumer",
    "LobbyConsumer",
    "MatchConsumer",
    "NowhereConsumer",
    "PlayConsumer",
    "WallConsumer",
]
