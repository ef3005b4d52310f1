"""URLs of the API for users and clubs, and of its schema."""

from django.urls import path

from accounts.api import club_requests, clubs, me, relationships, schema_views

urlpatterns = [
    path("schema/", schema_views.Schema.as_view(), name="api-schema"),
    path("docs/", schema_views.docs, name="api-docs"),
    path("me/", me.Me.as_view(), name="api-me"),
    path("me/preferences/", me.Preferences.as_view(), name="api-preferences"),
    path("me/tokens/", me.Tokens.as_view(), name="api-tokens"),
    path("me/tokens/<int:token_id>/", me.Token.as_view(), name="api-token"),
    path("me/programs/", me.Programs.as_view(), name="api-programs"),
    path("me/programs/<slug:client_id>/", me.Program.as_view(), name="api-program"),
    path("me/ties/", relationships.Relationships.as_view(), name="api-ties"),
    path("me/notes/", relationships.Notes.as_view(), name="api-notes"),
    path("players/<str:name>/ties/", relationships.RelationshipDetail.as_view(), name="api-player-ties"),
    path("players/<str:name>/ties/<slug:kind>/", relationships.RelationshipKind.as_view(), name="api-tie"),
    path("players/<str:name>/note/", relationships.Note.as_view(), name="api-note"),
    path("clubs/", clubs.Clubs.as_view(), name="api-clubs"),
    path("invitations/take/", club_requests.AcceptInvitation.as_view(), name="api-invitation-take"),
    path("clubs/<slug:slug>/", clubs.ClubDetail.as_view(), name="api-club"),
    path("clubs/<slug:slug>/members/", clubs.Members.as_view(), name="api-club-members"),
    path("clubs/<slug:slug>/members/<str:name>/", clubs.MemberDetail.as_view(), name="api-club-member"),
    path("clubs/<slug:slug>/membership/", clubs.Joining.as_view(), name="api-club-membership"),
    path("clubs/<slug:slug>/requests/", club_requests.JoinRequests.as_view(), name="api-club-requests"),
    path(
        "clubs/<slug:slug>/requests/<int:request_id>/",
        club_requests.JoinRequestDetail.as_view(),
        name="api-club-request",
    ),
    path("clubs/<slug:slug>/invitations/", club_requests.Invitations.as_view(), name="api-club-invitations"),
    path(
        "clubs/<slug:slug>/invitations/<int:invitation_id>/",
        club_requests.InvitationDetail.as_view(),
        name="api-club-invitation",
    ),
]
