"""Addresses of seasons and master points."""

from django.urls import path

from tournaments import season_views as views

urlpatterns = [
    path("", views.season_list, name="seasons"),
    path("<int:season_id>/", views.season, name="season"),
    path("<int:season_id>/change/", views.season_change, name="season-change"),
    path("<int:season_id>/remove/", views.season_drop, name="season-remove"),
    path("new/<slug:slug>/", views.season_new, name="season-new"),
    path("master-points/<slug:slug>/", views.club_master_points, name="club-master-points"),
]
