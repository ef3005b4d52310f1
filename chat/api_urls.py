"""URLs of the chat API, under /api/v1/."""

from django.urls import path

from chat import api

urlpatterns = [
    path("matches/<slug:match_id>/talk/", api.Chat.as_view(), name="api-talk"),
    path("me/talk/", api.ChatPreferencesView.as_view(), name="api-talk-wishes"),
]
