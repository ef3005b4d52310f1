"""Addresses of tournaments."""

from django.urls import path

from tournaments import views
from tournaments.desk_views import desk, making, players

urlpatterns = [
    path("", views.tournaments, name="tournaments"),
    path("new/", making.tournament_new, name="tournament-new"),
    path("new/game/", making.tournament_terms, name="tournament-terms"),
    path("<slug:tournament_id>/", views.tournament, name="tournament"),
    path("<slug:tournament_id>/live/", views.live, name="tournament-live"),
    path("<slug:tournament_id>/draw.json", views.draw_json, name="tournament-draw"),
    path("<slug:tournament_id>/enter/", players.tournament_enter, name="tournament-enter"),
    path("<slug:tournament_id>/leave/", players.tournament_leave, name="tournament-leave"),
    path("<slug:tournament_id>/here/", players.tournament_here, name="tournament-here"),
    path("<slug:tournament_id>/report/", players.tournament_report, name="tournament-report"),
    path("<slug:tournament_id>/confirm/", players.tournament_confirm, name="tournament-confirm"),
    path("<slug:tournament_id>/dispute/", players.tournament_dispute, name="tournament-dispute"),
    path("<slug:tournament_id>/desk/", desk.desk, name="tournament-desk"),
    path("<slug:tournament_id>/desk/entrants/add/", desk.desk_entrant_add, name="desk-entrant-add"),
    path("<slug:tournament_id>/desk/entrants/", desk.desk_entrant, name="desk-entrant"),
    path("<slug:tournament_id>/desk/seeds/", desk.desk_seeds, name="desk-seeds"),
    path("<slug:tournament_id>/desk/draw/", desk.desk_draw, name="desk-draw"),
    path("<slug:tournament_id>/desk/start/", desk.desk_start, name="desk-start"),
    path("<slug:tournament_id>/desk/cancel/", desk.desk_cancel, name="desk-cancel"),
    path("<slug:tournament_id>/desk/round/", desk.desk_round, name="desk-round"),
    path("<slug:tournament_id>/desk/result/", desk.desk_result, name="desk-result"),
    path("<slug:tournament_id>/desk/pause/", desk.desk_pause, name="desk-pause"),
    path("<slug:tournament_id>/desk/alert/", desk.desk_alert, name="desk-alert"),
    path("<slug:tournament_id>/desk/announce/", desk.desk_announce, name="desk-announce"),
    path("<slug:tournament_id>/desk/director/", desk.desk_director, name="desk-director"),
    path("<slug:tournament_id>/desk/settings/", making.desk_settings, name="desk-settings"),
]
