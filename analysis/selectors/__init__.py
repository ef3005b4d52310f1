"""Reads of the analysis."""
