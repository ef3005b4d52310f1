"""The webhooks of the OpenAPI schema: what the site sends to the URL of a webhook (docs/streams.md)."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiResponse, OpenApiWebhook, extend_schema

from eventlog.kinds import KINDS, PING

MESSAGE = {
    "type": "object",
    "description": "What a webhook receives.",
    "required": ["type", "timestamp", "data"],
    "properties": {
        "type": {"type": "string", "enum": [*KINDS, PING], "description": "The kind of the event."},
        "timestamp": {"type": "string", "format": "date-time", "description": "When it happened."},
        "data": {"$ref": "#/components/schemas/Event"},
    },
}
"""Written out: spectacular has collected the components when it comes to webhooks."""
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
        request={"application/json": MESSAGE},
        responses={
            "2XX": OpenApiResponse(description="Received."),
            "410": OpenApiResponse(description="Turn this webhook off."),
        },
    ),
)
