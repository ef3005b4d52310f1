"""Reads for the pages and the API: turn rows and folded states into what a template or serializer shows."""
