"""URLs of clubs and their members; those of their tournaments are in `tournaments.club_urls`."""

from django.urls import path

from accounts.clubs import views

urlpatterns = [
    path("", views.club_list, name="clubs"),
    path("new/", views.club_new, name="club-new"),
    path("join/<str:token>/", views.club_invitation, name="club-invitation"),
    path("<slug:slug>/people/", views.club_people, name="club-people"),
    path("<slug:slug>/settings/", views.club_settings, name="club-settings"),
    path("<slug:slug>/office/", views.club_office, name="club-office"),
    path("<slug:slug>/join/", views.club_join, name="club-join"),
    path("<slug:slug>/ask/", views.club_ask, name="club-ask"),
    path("<slug:slug>/leave/", views.club_leave, name="club-leave"),
    path("<slug:slug>/invite/", views.club_invite, name="club-invite"),
    path("<slug:slug>/revoke/", views.club_revoke, name="club-revoke"),
    path("<slug:slug>/request/", views.club_request, name="club-request"),
    path("<slug:slug>/member/", views.club_member, name="club-member"),
]
