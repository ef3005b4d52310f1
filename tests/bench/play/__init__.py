"""Live play under load: many matches, many spectators, everybody coming back at once, and a flood (make bench-play)."""
