"""What programs hear: the log of events, streams of it, and its delivery to addresses of members (docs/streams.md)."""
