"""The webhooks of the OpenAPI schema: what the site sends to the URL of a webhook (docs/streams.md)."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse, OpenApiWebhook, extend_schema
from rest_framework import serializers

from eventlog.api.events import EventSerializer
from eventlog.kinds import KINDS, PING


class WebhookMessageSerializer(serializers.Serializer[Any]):
    """What a webhook receives."""

    type = serializers.ChoiceField(choices=[*KINDS, PING], help_text="The kind of the event.")
    timestamp = serializers.DateTimeField(help_text="When it happened.")
    data = EventSerializer(help_text="The event, as in the pages of the log.")  # type: ignore[assignment]


EVENT = OpenApiWebhook(
    name="event",
    decorator=extend_schema(
        summary="An event that the webhook's owner may see.",
        description=(
            "Sent to the URL of a webhook until it is answered by 2xx. The headers are those of Standard Webhooks: "
            "`webhook-id` (the same for each try of one delivery), `webhook-timestamp` (seconds since 1970; refuse "
            "what is older than five minutes) and `webhook-signature` (`v1,` and the HMAC-SHA256 of id, timestamp and "
            "body, in base64)."
        ),
        tags=["hooks"],
        request={"application/json": WebhookMessageSerializer},
        responses={
            "2XX": OpenApiResponse(description="Received."),
            "410": OpenApiResponse(description="Turn this webhook off."),
        },
    ),
)
