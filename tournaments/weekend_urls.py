"""Addresses of weekends, below /weekends/."""

from django.urls import path

from tournaments.views import calendars, weekends

WEEKEND = "<slug:weekend_id>"
DESK = f"{WEEKEND}/desk"

urlpatterns = [
    path("new/<slug:slug>/", weekends.weekend_new, name="weekend-new"),
    path(f"{WEEKEND}/", weekends.weekend, name="weekend"),
    path(f"{WEEKEND}/live/", weekends.weekend_live, name="weekend-live"),
    path(f"{WEEKEND}/calendar.ics", calendars.weekend_calendar, name="weekend-calendar"),
    path(f"{DESK}/", weekends.desk, name="weekend-desk"),
    path(f"{DESK}/change/", weekends.weekend_change, name="weekend-change"),
    path(f"{DESK}/tournaments/", weekends.weekend_tournaments, name="weekend-tournaments"),
    path(f"{DESK}/publish/", weekends.weekend_publish, name="weekend-publish"),
    path(f"{DESK}/remove/", weekends.weekend_remove, name="weekend-remove"),
]
