"""Reads for the pages of tournaments: rows and folded states made into what a template shows."""
