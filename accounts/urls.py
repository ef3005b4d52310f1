"""The URLs of `accounts` outside /clubs/, /api/ and /support/. Profiles are in `games`, with the matches they show."""

from django.urls import include, path

urlpatterns = [
    path("", include("accounts.auth.urls")),
    path("", include("accounts.users.urls")),
    path("", include("accounts.privacy.urls")),
    path("", include("accounts.relationships.urls")),
    path("", include("accounts.programs.urls")),
]
