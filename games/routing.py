"""The addresses of the sockets."""

from django.urls import path, re_path

from games.consumers import BotConsumer, LobbyConsumer, MatchConsumer, NowhereConsumer, WallConsumer

websocket_urlpatterns = [
    path("ws/match/<slug:match_id>/", MatchConsumer.as_asgi()),
    path("ws/lobby/", LobbyConsumer.as_asgi()),
    path("ws/wall/", WallConsumer.as_asgi()),
]
bot_urlpatterns = [
    path("ws/bot/", BotConsumer.as_asgi()),
]
nowhere = [re_path(r"", NowhereConsumer.as_asgi())]  # behind all others
