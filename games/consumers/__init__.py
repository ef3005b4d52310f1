"""The sockets: parse a frame, call one service, answer."""

from games.consumers.base import CLOSE_NOT_FOUND, CLOSE_TOO_LARGE, CLOSE_TOO_MANY, PlayConsumer
from games.consumers.bots import BotConsumer
from games.consumers.live_boards import LiveBoardsConsumer
from games.consumers.lobby import LobbyConsumer
from games.consumers.match import MatchConsumer
from games.consumers.not_found import NotFoundConsumer

__all__ = [
    "CLOSE_NOT_FOUND",
    "CLOSE_TOO_LARGE",
    "CLOSE_TOO_MANY",
    "BotConsumer",
    "LiveBoardsConsumer",
    "LobbyConsumer",
    "MatchConsumer",
    "NotFoundConsumer",
    "PlayConsumer",
]
