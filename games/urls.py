"""Addresses of play."""

from django.urls import path

from games import files, pages, views

urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("lobby/lists/", views.lobby_lists, name="lobby-lists"),
    path("play/terms/", views.match_terms, name="match-terms"),
    path("guest/", views.guest_create, name="guest-create"),
    path("play/seek/", views.match_create, name="match-create"),
    path("match/<slug:match_id>/", views.match, name="match"),
    path("match/<slug:match_id>/join/", views.match_join, name="match-join"),
    path("match/<slug:match_id>/arrive/", views.match_arrive, name="match-arrive"),
    path("match/<slug:match_id>/ready/", views.match_ready, name="match-ready"),
    path("match/<slug:match_id>/cancel/", views.match_cancel, name="match-cancel"),
    path("match/<slug:match_id>/decline/", views.match_decline, name="match-decline"),
    path("match/<slug:match_id>/rematch/", views.match_rematch, name="match-rematch"),
    path("match/<slug:match_id>/match.<slug:kind>", files.match_file, name="match-file"),
    path("import/", files.match_import, name="match-import"),
    path("history/", views.history, name="history"),
    path("rules/", pages.rules, name="rules"),
    path("rules/<slug:page>/", pages.rules_page, name="rules-page"),
    path("rules/of/<str:ruling>/", pages.ruling, name="ruling"),
    path("position/", pages.position, name="position"),
    path("players/", views.players, name="players"),
    path("players/<str:name>/", views.player_page, name="player"),
]
