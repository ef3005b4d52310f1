"""The address of the socket of events. Programs come without an Origin and without a session."""

from django.urls import path

from eventlog.consumers import EventsConsumer

websocket_urlpatterns = [
    path("ws/events/", EventsConsumer.as_asgi()),
]
