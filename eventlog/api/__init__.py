"""Events and webhooks over HTTP: pages of the log, a stream of it, and a member's webhooks."""

from accounts.api.errors import register_statuses

register_statuses(404, "no_hook", "no_delivery")
register_statuses(403, "hook_member")
register_statuses(400, "stream_after")
