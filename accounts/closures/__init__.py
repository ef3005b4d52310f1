"""Closed accounts: why an account is closed and until when, bans, and reopening."""
