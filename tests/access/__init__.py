"""The access matrix: every URL, method and socket frame x every actor (docs/access.md)."""
