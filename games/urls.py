"""Addresses of play."""

from django.urls import path

from games import files, pages
from games.views import history, play, players

urlpatterns = [
    path("", play.lobby, name="lobby"),
    path("lobby/lists/", play.lobby_lists, name="lobby-lists"),
    path("play/terms/", play.match_terms, name="match-terms"),
    path("guest/", play.guest_create, name="guest-create"),
    path("play/seek/", play.match_create, name="match-create"),
    path("match/<slug:match_id>/", play.match, name="match"),
    path("match/<slug:match_id>/join/", play.match_join, name="match-join"),
    path("match/<slug:match_id>/arrive/", play.match_arrive, name="match-arrive"),
    path("match/<slug:match_id>/ready/", play.match_ready, name="match-ready"),
    path("match/<slug:match_id>/cancel/", play.match_cancel, name="match-cancel"),
    path("match/<slug:match_id>/decline/", play.match_decline, name="match-decline"),
    path("match/<slug:match_id>/rematch/", play.match_rematch, name="match-rematch"),
    path("match/<slug:match_id>/match.<slug:kind>", files.match_file, name="match-file"),
    path("import/", files.match_import, name="match-import"),
    path("history/", history.history, name="history"),
    path("rules/", pages.rules, name="rules"),
    path("rules/<slug:page>/", pages.rules_page, name="rules-page"),
    path("rules/of/<str:ruling>/", pages.ruling, name="ruling"),
    path("position/", pages.position, name="position"),
    path("players/", players.players, name="players"),
    path("players/<str:name>/", players.player_page, name="player"),
]
