"""URLs of ladders."""

from django.urls import path

from ladders import views

CHALLENGE = "ladders/<slug:ladder_id>/challenges/<int:challenge_id>"

urlpatterns = [
    path("ladders/", views.ladder_list, name="ladders"),
    path("ladders/new/", views.ladder_new, name="ladder-new"),
    path("ladders/new/game/", views.ladder_terms, name="ladder-terms"),
    path("ladders/<slug:ladder_id>/", views.ladder, name="ladder"),
    path("ladders/<slug:ladder_id>/live/", views.ladder_live, name="ladder-live"),
    path("ladders/<slug:ladder_id>/story/", views.ladder_history, name="ladder-story"),
    path("ladders/<slug:ladder_id>/season/<int:number>/", views.ladder_season, name="ladder-season"),
    path("ladders/<slug:ladder_id>/join/", views.ladder_join, name="ladder-join"),
    path("ladders/<slug:ladder_id>/leave/", views.ladder_leave, name="ladder-leave"),
    path("ladders/<slug:ladder_id>/away/", views.ladder_away, name="ladder-away"),
    path("ladders/<slug:ladder_id>/back/", views.ladder_back, name="ladder-back"),
    path("ladders/<slug:ladder_id>/challenge/", views.challenge_make, name="ladder-challenge"),
    path(f"{CHALLENGE}/accept/", views.challenge_accept, name="challenge-accept"),
    path(f"{CHALLENGE}/decline/", views.challenge_decline, name="challenge-decline"),
    path(f"{CHALLENGE}/withdraw/", views.challenge_withdraw, name="challenge-withdraw"),
    path(f"{CHALLENGE}/decide/", views.challenge_decide, name="challenge-decide"),
    path("ladders/<slug:ladder_id>/settings/", views.ladder_settings, name="ladder-settings"),
    path("ladders/<slug:ladder_id>/close/", views.ladder_close, name="ladder-close"),
    path("ladders/<slug:ladder_id>/open/", views.ladder_open, name="ladder-open"),
    path("ladders/<slug:ladder_id>/undo/", views.ladder_undo, name="ladder-undo"),
    path("ladders/<slug:ladder_id>/redo/", views.ladder_redo, name="ladder-redo"),
    path("ladders/<slug:ladder_id>/place/", views.ladder_place, name="ladder-place"),
    path("ladders/<slug:ladder_id>/season/close/", views.season_close, name="ladder-season-close"),
]
