"""The addresses of the API of the talk, under /api/v1/."""

from django.urls import path

from talk import api

urlpatterns = [
    path("matches/<slug:match_id>/talk/", api.Talk.as_view(), name="api-talk"),
    path("me/talk/", api.TalkWishes.as_view(), name="api-talk-wishes"),
]
