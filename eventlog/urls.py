"""Addresses of a member's webhooks."""

from __future__ import annotations

from django.urls import path

from eventlog.views import webhooks

urlpatterns = [
    path("settings/hooks/", webhooks.webhooks, name="hooks"),
    path("settings/hooks/<int:hook_id>/", webhooks.webhook, name="hook"),
    path("settings/hooks/<int:hook_id>/switch/", webhooks.hook_switch, name="hook-switch"),
    path("settings/hooks/<int:hook_id>/secret/", webhooks.hook_secret, name="hook-secret"),
    path("settings/hooks/<int:hook_id>/try/", webhooks.hook_try, name="hook-try"),
    path("settings/hooks/<int:hook_id>/remove/", webhooks.hook_remove, name="hook-remove"),
    path(
        "settings/hooks/<int:hook_id>/deliveries/<int:delivery_id>/again/",
        webhooks.delivery_resend,
        name="hook-redeliver",
    ),
]
