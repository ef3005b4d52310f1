"""Addresses of the API that are about people and clubs, and about the API itself."""

from django.urls import path

from accounts.api import clubs, described, me, offices, ties

urlpatterns = [
    path("schema/", described.Schema.as_view(), name="api-schema"),
    path("docs/", described.docs, name="api-docs"),
    path("me/", me.Me.as_view(), name="api-me"),
    path("me/preferences/", me.Preferences.as_view(), name="api-preferences"),
    path("me/tokens/", me.Tokens.as_view(), name="api-tokens"),
    path("me/tokens/<int:token_id>/", me.Token.as_view(), name="api-token"),
    path("me/programs/", me.Programs.as_view(), name="api-programs"),
    path("me/programs/<slug:client_id>/", me.Program.as_view(), name="api-program"),
    path("me/ties/", ties.Ties.as_view(), name="api-ties"),
    path("me/notes/", ties.Notes.as_view(), name="api-notes"),
    path("players/<str:name>/ties/", ties.About.as_view(), name="api-player-ties"),
    path("players/<str:name>/ties/<slug:kind>/", ties.OneTie.as_view(), name="api-tie"),
    path("players/<str:name>/note/", ties.Note.as_view(), name="api-note"),
    path("clubs/", clubs.Clubs.as_view(), name="api-clubs"),
    path("invitations/take/", offices.TakeInvitation.as_view(), name="api-invitation-take"),
    path("clubs/<slug:slug>/", clubs.OneClub.as_view(), name="api-club"),
    path("clubs/<slug:slug>/members/", clubs.Members.as_view(), name="api-club-members"),
    path("clubs/<slug:slug>/members/<str:name>/", clubs.OneMember.as_view(), name="api-club-member"),
    path("clubs/<slug:slug>/membership/", clubs.Joining.as_view(), name="api-club-membership"),
    path("clubs/<slug:slug>/requests/", offices.Requests.as_view(), name="api-club-requests"),
    path("clubs/<slug:slug>/requests/<int:request_id>/", offices.OneRequest.as_view(), name="api-club-request"),
    path("clubs/<slug:slug>/invitations/", offices.Invitations.as_view(), name="api-club-invitations"),
    path(
        "clubs/<slug:slug>/invitations/<int:invitation_id>/",
        offices.OneInvitation.as_view(),
        name="api-club-invitation",
    ),
]
