"""Addresses of a member's webhooks."""

from __future__ import annotations

from django.urls import path

from hooks.views import pages

urlpatterns = [
    path("settings/hooks/", pages.hooks, name="hooks"),
    path("settings/hooks/<int:hook_id>/", pages.hook, name="hook"),
    path("settings/hooks/<int:hook_id>/switch/", pages.hook_switch, name="hook-switch"),
    path("settings/hooks/<int:hook_id>/secret/", pages.hook_secret, name="hook-secret"),
    path("settings/hooks/<int:hook_id>/try/", pages.hook_try, name="hook-try"),
    path("settings/hooks/<int:hook_id>/remove/", pages.hook_remove, name="hook-remove"),
    path(
        "settings/hooks/<int:hook_id>/deliveries/<int:delivery_id>/again/", pages.delivery_again, name="hook-redeliver"
    ),
]
