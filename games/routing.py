"""URLs of the sockets."""

from django.urls import path, re_path

from games.consumers import BotConsumer, LiveBoardsConsumer, LobbyConsumer, MatchConsumer, NotFoundConsumer

websocket_urlpatterns = [
    path("ws/match/<slug:match_id>/", MatchConsumer.as_asgi()),
    path("ws/lobby/", LobbyConsumer.as_asgi()),
    path("ws/wall/", LiveBoardsConsumer.as_asgi()),
]
bot_urlpatterns = [
    path("ws/bot/", BotConsumer.as_asgi()),
]
not_found = [re_path(r"", NotFoundConsumer.as_asgi())]  # behind all others
