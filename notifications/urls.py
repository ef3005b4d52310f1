"""URLs of notifications, notification settings and unsubscribing."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from notifications.views import notifications, unsubscribe

urlpatterns: list[URLPattern | URLResolver] = [
    path("notices/", notifications.listed, name="notices"),
    path("notices/<int:notice_id>/", notifications.notification_open, name="notice"),
    path("notices/read/", notifications.all_read, name="notices-read"),
    path("notices/here/", notifications.read_here, name="notices-here"),
    path("notices/stop/<str:token>/", unsubscribe.unsubscribe, name="notices-stop"),
    path("settings/notices/", notifications.preferences, name="notice-settings"),
    path("", include("notifications.push_urls")),
]
