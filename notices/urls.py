"""Addresses of notices: what I was told, how I am told, and the way out of the mail."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from notices.views import pages, stop

urlpatterns: list[URLPattern | URLResolver] = [
    path("notices/", pages.listed, name="notices"),
    path("notices/<int:notice_id>/", pages.press, name="notice"),
    path("notices/read/", pages.all_read, name="notices-read"),
    path("notices/here/", pages.here, name="notices-here"),
    path("notices/stop/<str:token>/", stop.stop, name="notices-stop"),
    path("settings/notices/", pages.wishes, name="notice-settings"),
    path("", include("notices.push_urls")),
]
