"""Addresses of the API: events and webhooks."""

from django.urls import path

from hooks.api import events, hooks, stream

urlpatterns = [
    path("events/", events.Events.as_view(), name="api-events"),
    path("events/stream/", stream.stream, name="api-events-stream"),
    path("hooks/", hooks.Hooks.as_view(), name="api-hooks"),
    path("hooks/<int:hook_id>/", hooks.OneHook.as_view(), name="api-hook"),
    path("hooks/<int:hook_id>/secret/", hooks.HookSecret.as_view(), name="api-hook-secret"),
    path("hooks/<int:hook_id>/ping/", hooks.HookPing.as_view(), name="api-hook-ping"),
    path("hooks/<int:hook_id>/deliveries/", hooks.Deliveries.as_view(), name="api-hook-deliveries"),
    path(
        "hooks/<int:hook_id>/deliveries/<int:delivery_id>/again/",
        hooks.DeliveryAgain.as_view(),
        name="api-hook-redeliver",
    ),
]
