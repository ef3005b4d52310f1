"""Relationships between users: following, muting, blocking, and private notes."""
