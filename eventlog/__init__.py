"""The event log for other software: its events, streams of them, and delivery to webhooks (docs/streams.md)."""
