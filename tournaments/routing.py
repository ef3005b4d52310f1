"""The websocket URLs of tournaments."""

from django.urls import path

from tournaments.consumers import TournamentConsumer

websocket_urlpatterns = [path("ws/tournaments/<slug:tournament_id>/", TournamentConsumer.as_asgi())]
