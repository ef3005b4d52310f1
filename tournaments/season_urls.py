"""Addresses of seasons and master points."""

from django.urls import path

from tournaments.views import seasons

urlpatterns = [
    path("", seasons.season_list, name="seasons"),
    path("<int:season_id>/", seasons.season, name="season"),
    path("<int:season_id>/change/", seasons.season_change, name="season-change"),
    path("<int:season_id>/remove/", seasons.season_delete, name="season-remove"),
    path("new/<slug:slug>/", seasons.season_new, name="season-new"),
    path("master-points/<slug:slug>/", seasons.club_master_points, name="club-master-points"),
]
