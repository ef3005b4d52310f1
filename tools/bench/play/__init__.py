"""Live play under load: many matches, many spectators, mass reconnects, and a flood (make bench-play)."""
