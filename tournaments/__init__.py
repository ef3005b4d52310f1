"""Tournaments: formats, registration, rounds, results. Stands on `games`, which knows nothing of it."""
