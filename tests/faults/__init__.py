"""Processes are killed during play: nothing is lost, nothing happens twice."""
