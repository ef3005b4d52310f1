"""Addresses of weekends, below /weekends/."""

from django.urls import path

from tournaments.views import calendars, weekend_people, weekend_records, weekends

WEEKEND = "<slug:weekend_id>"
DESK = f"{WEEKEND}/desk"

urlpatterns = [
    path("new/<slug:slug>/", weekends.weekend_new, name="weekend-new"),
    path(f"{WEEKEND}/", weekends.weekend, name="weekend"),
    path(f"{WEEKEND}/live/", weekends.weekend_live, name="weekend-live"),
    path(f"{WEEKEND}/calendar.ics", calendars.weekend_calendar, name="weekend-calendar"),
    path(f"{WEEKEND}/prizes/", weekend_people.weekend_prizes, name="weekend-prizes"),
    path(f"{DESK}/", weekends.desk, name="weekend-desk"),
    path(f"{DESK}/change/", weekends.weekend_change, name="weekend-change"),
    path(f"{DESK}/tournaments/", weekends.weekend_tournaments, name="weekend-tournaments"),
    path(f"{DESK}/publish/", weekends.weekend_publish, name="weekend-publish"),
    path(f"{DESK}/remove/", weekends.weekend_remove, name="weekend-remove"),
    path(f"{DESK}/people/", weekend_people.weekend_people, name="weekend-people"),
    path(f"{DESK}/people/add/", weekend_people.weekend_person_add, name="weekend-person-add"),
    path(f"{DESK}/boards/", weekend_people.weekend_boards, name="weekend-boards"),
    path(f"{DESK}/fees/", weekend_people.weekend_fees, name="weekend-fees"),
    path(f"{DESK}/fees/paid/", weekend_people.weekend_paid, name="weekend-paid"),
    path(f"{DESK}/records/", weekend_records.weekend_records, name="weekend-records"),
]
