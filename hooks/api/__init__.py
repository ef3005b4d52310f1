"""Events and webhooks over HTTP: pages of the log, a stream of it, and a member's webhooks."""

from accounts.api.errors import refused_with

refused_with(404, "no_hook", "no_delivery")
refused_with(403, "hook_member")
refused_with(400, "stream_after")
