"""Addresses of positions, trainer, error rates and fair play."""

from __future__ import annotations

from django.urls import URLPattern, path

from analysis.views import error_rates, fair_play, lessons, positions, training

urlpatterns: list[URLPattern] = [
    path("position/edit/", positions.position_edit, name="position-edit"),
    path("position/ids/", positions.position_ids, name="position-ids"),
    path("position/analyse/", positions.position_analyse, name="position-analyse"),
    path("position/answers/<int:question_id>/", positions.position_answer, name="position-answer"),
    path("learn/", lessons.lesson, name="lesson"),
    path("learn/<int:number>/", lessons.lesson, name="lesson-step"),
    path("learn/<int:number>/answer/", lessons.lesson_answer, name="lesson-answer"),
    path("train/", training.train, name="train"),
    path("train/<int:card_id>/", training.train_answer, name="train-answer"),
    path("daily/", training.daily_position, name="daily"),
    path("daily/vote/", training.daily_vote, name="daily-vote"),
    path("daily/<str:day>/", training.daily_past, name="daily-past"),
    path("players/<str:name>/errors/", error_rates.player_errors, name="player-errors"),
    path("error-rates/", error_rates.error_ladder, name="error-ladder"),
    path("error-rates/show/", error_rates.errors_show, name="errors-show"),
    path("clubs/<slug:slug>/fair-play/", fair_play.club_fair_play, name="club-fair-play"),
    path("clubs/<slug:slug>/fair-play/<str:name>/", fair_play.club_fair_play_player, name="club-fair-play-player"),
]
