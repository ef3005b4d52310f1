"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path
from django.views.i18n import JavaScriptCatalog

from accounts.clients import authorize, exchange, hand_back

urlpatterns = [
    path("", include("backgammon.ops.urls")),
    path("", include("games.urls")),
    path("", include("analysis.urls")),
    path("", include("talk.urls")),
    path("", include("notices.urls")),
    path("", include("hooks.urls")),
    path("tournaments/", include("tournaments.urls")),
    path("clubs/", include("accounts.club_urls")),
    path("clubs/", include("tournaments.club_urls")),
    path("seasons/", include("tournaments.season_urls")),
    path("", include("accounts.urls")),
    path("", include("accounts.support.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("identity/o/authorize", authorize),
    path("identity/o/api/token", exchange),
    path("identity/o/api/revoke", hand_back),
    path("", include("allauth.idp.urls")),
    path("api/v1/", include("backgammon.api_urls")),
    path("jsi18n/", JavaScriptCatalog.as_view(domain="djangojs"), name="jsi18n"),
    path("admin/", admin.site.urls),
]

handler429 = "accounts.limits.too_many"  # allauth's limits, answered as our own

handler404 = "backgammon.lost.not_found"
