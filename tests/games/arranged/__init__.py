"""Matches that a tournament sets for two players."""
