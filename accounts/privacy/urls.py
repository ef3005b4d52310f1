"""URLs of data exports and the deletion of an account."""

from django.urls import path

from accounts.privacy import views

urlpatterns = [
    path("settings/data/", views.export_page, name="data"),
    path("settings/data/ask/", views.export_request, name="data-ask"),
    path("settings/data/<int:export_id>/", views.export_download, name="data-file"),
    path("settings/leave/", views.account_delete, name="leave"),
]
