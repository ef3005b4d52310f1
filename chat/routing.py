"""URLs of the chat sockets."""

from django.urls import path

from chat.consumers import ChatConsumer

websocket_urlpatterns = [
    path("ws/talk/<slug:match_id>/", ChatConsumer.as_asgi()),
]
