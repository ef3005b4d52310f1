"""The addresses of the sockets of talk."""

from django.urls import path

from talk.consumers import TalkConsumer

websocket_urlpatterns = [
    path("ws/talk/<slug:match_id>/", TalkConsumer.as_asgi()),
]
