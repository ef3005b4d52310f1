"""Addresses of the API: events and webhooks."""

from django.urls import path

from eventlog.api import events, stream, webhooks

urlpatterns = [
    path("events/", events.Events.as_view(), name="api-events"),
    path("events/stream/", stream.stream, name="api-events-stream"),
    path("hooks/", webhooks.Webhooks.as_view(), name="api-hooks"),
    path("hooks/<int:hook_id>/", webhooks.WebhookDetail.as_view(), name="api-hook"),
    path("hooks/<int:hook_id>/secret/", webhooks.WebhookSecret.as_view(), name="api-hook-secret"),
    path("hooks/<int:hook_id>/ping/", webhooks.WebhookPing.as_view(), name="api-hook-ping"),
    path("hooks/<int:hook_id>/deliveries/", webhooks.Deliveries.as_view(), name="api-hook-deliveries"),
    path(
        "hooks/<int:hook_id>/deliveries/<int:delivery_id>/again/",
        webhooks.DeliveryRepeat.as_view(),
        name="api-hook-redeliver",
    ),
]
