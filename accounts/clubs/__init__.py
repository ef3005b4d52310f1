"""Clubs: their pages and settings, members and roles, invitations and join requests."""
