"""URLs of the notifications API, under /api/v1/."""

from django.urls import path

from notifications import api

urlpatterns = [
    path("notices/", api.Notifications.as_view(), name="api-notices"),
    path("me/notices/", api.NotificationPreferencesView.as_view(), name="api-notice-wishes"),
    path("notices/read/", api.NotificationsRead.as_view(), name="api-notices-read"),
    path("notices/<int:notice_id>/read/", api.NotificationRead.as_view(), name="api-notice-read"),
]
