"""Benchmarks: they report figures and assert nothing but that the work was right."""
