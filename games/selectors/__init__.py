"""Reads: `lists` for the pages (lobby, history, profiles), `table` for one match as a viewer may see it."""
