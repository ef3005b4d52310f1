"""All URLs of the API, under /api/v1/."""

from django.urls import include, path, re_path

from accounts.api.not_found import NotFound

urlpatterns = [
    path("", include("accounts.api.urls")),
    path("", include("games.api_urls")),
    path("", include("ladders.api_urls")),
    path("", include("tournaments.api_urls")),
    path("", include("analysis.api_urls")),
    path("", include("chat.api_urls")),
    path("", include("notifications.api_urls")),
    path("", include("eventlog.api_urls")),
    re_path(r"^(?P<rest>(?s:.*))\Z", NotFound.as_view()),
]
