"""Test doubles and processes that only tests need; see tools/services for brokers, databases and whole sites."""
