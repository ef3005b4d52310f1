"""Every address of the API, under /api/v1/."""

from django.urls import include, path, re_path

from accounts.api.nothing import Nothing

urlpatterns = [
    path("", include("accounts.api.urls")),
    path("", include("games.api_urls")),
    path("", include("tournaments.api_urls")),
    path("", include("analysis.api_urls")),
    path("", include("talk.api_urls")),
    path("", include("notices.api_urls")),
    path("", include("hooks.api_urls")),
    re_path(r"^(?P<rest>(?s:.*))\Z", Nothing.as_view()),
]
