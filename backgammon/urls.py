"""All URLs of the site."""

from django.contrib import admin
from django.urls import include, path

from accounts.programs.oauth_views import authorize, revoke, token

urlpatterns = [
    path("", include("backgammon.ops.urls")),
    path("", include("games.urls")),
    path("", include("ladders.urls")),
    path("", include("analysis.urls")),
    path("", include("chat.urls")),
    path("", include("notifications.urls")),
    path("", include("eventlog.urls")),
    path("tournaments/", include("tournaments.urls")),
    path("clubs/", include("accounts.clubs.urls")),
    path("clubs/", include("tournaments.club_urls")),
    path("seasons/", include("tournaments.season_urls")),
    path("weekends/", include("tournaments.weekend_urls")),
    path("", include("accounts.urls")),
    path("", include("accounts.support.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("identity/o/authorize", authorize),
    path("identity/o/api/token", token),
    path("identity/o/api/revoke", revoke),
    path("", include("allauth.idp.urls")),
    path("api/v1/", include("backgammon.api_urls")),
    path("admin/", admin.site.urls),
]

handler429 = "accounts.web.limits.too_many_requests"  # allauth's limits, answered as our own

handler404 = "backgammon.error_views.not_found"

handler500 = "backgammon.error_views.server_error"
