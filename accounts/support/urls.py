"""URLs of the support pages."""

from django.urls import path

from accounts.support import views

urlpatterns = [
    path("support/", views.search, name="support"),
    path("support/find/", views.find_by_email, name="support-find"),
    path("support/record/", views.record, name="support-record"),
    path("support/people/<int:user_id>/", views.person, name="support-person"),
    path("support/people/<int:user_id>/merge/", views.merge, name="support-merge"),
    path("support/people/<int:user_id>/<slug:kind>/", views.act, name="support-act"),
]
