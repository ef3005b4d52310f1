"""The addresses of the sockets."""

from django.urls import path

from games.consumers import LobbyConsumer, MatchConsumer

websocket_urlpatterns = [
    path("ws/match/<slug:match_id>/", MatchConsumer.as_asgi()),
    path("ws/lobby/", LobbyConsumer.as_asgi()),
]
