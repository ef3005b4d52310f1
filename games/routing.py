"""The addresses of the sockets."""

from django.urls import path

from games.consumers import BotConsumer, LobbyConsumer, MatchConsumer, WallConsumer

websocket_urlpatterns = [
    path("ws/match/<slug:match_id>/", MatchConsumer.as_asgi()),
    path("ws/lobby/", LobbyConsumer.as_asgi()),
    path("ws/wall/", WallConsumer.as_asgi()),
]
bot_urlpatterns = [
    path("ws/bot/", BotConsumer.as_asgi()),
]
