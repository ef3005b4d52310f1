"""Addresses of tournaments."""

from django.urls import path

from tournaments import desk_views as desk
from tournaments import views

urlpatterns = [
    path("", views.tournaments, name="tournaments"),
    path("new/", desk.tournament_new, name="tournament-new"),
    path("new/game/", desk.tournament_terms, name="tournament-terms"),
    path("<slug:tournament_id>/", views.tournament, name="tournament"),
    path("<slug:tournament_id>/live/", views.live, name="tournament-live"),
    path("<slug:tournament_id>/draw.json", views.draw_json, name="tournament-draw"),
    path("<slug:tournament_id>/enter/", desk.tournament_enter, name="tournament-enter"),
    path("<slug:tournament_id>/leave/", desk.tournament_leave, name="tournament-leave"),
    path("<slug:tournament_id>/here/", desk.tournament_here, name="tournament-here"),
    path("<slug:tournament_id>/report/", desk.tournament_report, name="tournament-report"),
    path("<slug:tournament_id>/confirm/", desk.tournament_confirm, name="tournament-confirm"),
    path("<slug:tournament_id>/dispute/", desk.tournament_dispute, name="tournament-dispute"),
    path("<slug:tournament_id>/desk/", desk.desk, name="tournament-desk"),
    path("<slug:tournament_id>/desk/entrants/add/", desk.desk_entrant_add, name="desk-entrant-add"),
    path("<slug:tournament_id>/desk/entrants/", desk.desk_entrant, name="desk-entrant"),
    path("<slug:tournament_id>/desk/seeds/", desk.desk_seeds, name="desk-seeds"),
    path("<slug:tournament_id>/desk/draw/", desk.desk_draw, name="desk-draw"),
    path("<slug:tournament_id>/desk/start/", desk.desk_start, name="desk-start"),
    path("<slug:tournament_id>/desk/cancel/", desk.desk_cancel, name="desk-cancel"),
    path("<slug:tournament_id>/desk/round/", desk.desk_round, name="desk-round"),
    path("<slug:tournament_id>/desk/result/", desk.desk_result, name="desk-result"),
    path("<slug:tournament_id>/desk/alert/", desk.desk_alert, name="desk-alert"),
    path("<slug:tournament_id>/desk/announce/", desk.desk_announce, name="desk-announce"),
    path("<slug:tournament_id>/desk/director/", desk.desk_director, name="desk-director"),
    path("<slug:tournament_id>/desk/settings/", desk.desk_settings, name="desk-settings"),
]
