"""Preset answers in correspondence play."""
