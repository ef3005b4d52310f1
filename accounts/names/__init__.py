"""Usernames: their form, the key by which they are unique, and names that look alike. Pure; models depend on it."""
