"""Benchmarks: they print figures, and assert only that the measured work was correct."""
