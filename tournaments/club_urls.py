"""Addresses of clubs that are about their tournaments; those about their members are in `accounts.clubs.urls`."""

from django.urls import path

from tournaments.views import calendars, clubs, recurring_events, reports, results_import

urlpatterns = [
    path("<slug:slug>/", clubs.club, name="club"),
    path("<slug:slug>/records/", clubs.club_records, name="club-records"),
    path("<slug:slug>/calendar.ics", calendars.club_calendar, name="club-calendar"),
    path("<slug:slug>/nights/", recurring_events.club_recurring_events, name="club-nights"),
    path("<slug:slug>/nights/new/", recurring_events.template_new, name="club-template-new"),
    path("<slug:slug>/nights/<int:template_id>/", recurring_events.template_change, name="club-template"),
    path("<slug:slug>/nights/<int:template_id>/remove/", recurring_events.template_remove, name="club-template-remove"),
    path("<slug:slug>/nights/<int:template_id>/repeat/", recurring_events.recurring_event_new, name="club-repeat"),
    path(
        "<slug:slug>/nights/repeat/<int:recurring_event_id>/",
        recurring_events.recurring_event_change,
        name="club-night",
    ),
    path("<slug:slug>/import/", results_import.club_import, name="club-import"),
    path("<slug:slug>/report/", reports.club_report, name="club-report"),
]
