"""Addresses of clubs that are about what they play; those about their people stand in `accounts.club_urls`."""

from django.urls import path

from tournaments import club_views as views

urlpatterns = [
    path("<slug:slug>/", views.club, name="club"),
    path("<slug:slug>/records/", views.club_records, name="club-records"),
    path("<slug:slug>/nights/", views.club_nights, name="club-nights"),
    path("<slug:slug>/nights/new/", views.template_new, name="club-template-new"),
    path("<slug:slug>/nights/<int:template_id>/", views.template_change, name="club-template"),
    path("<slug:slug>/nights/<int:template_id>/remove/", views.template_remove, name="club-template-remove"),
    path("<slug:slug>/nights/<int:template_id>/repeat/", views.night_repeat, name="club-repeat"),
    path("<slug:slug>/nights/repeat/<int:recurrence_id>/", views.night_act, name="club-night"),
    path("<slug:slug>/import/", views.club_import, name="club-import"),
]
