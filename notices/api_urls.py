"""The addresses of the API of notices, under /api/v1/."""

from django.urls import path

from notices import api

urlpatterns = [
    path("notices/", api.Notices.as_view(), name="api-notices"),
    path("me/notices/", api.NoticeWishes.as_view(), name="api-notice-wishes"),
    path("notices/read/", api.NoticesRead.as_view(), name="api-notices-read"),
    path("notices/<int:notice_id>/read/", api.NoticeRead.as_view(), name="api-notice-read"),
]
