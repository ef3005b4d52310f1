"""Mutation testing: changes a line, and the tests of its module must notice (docs/adr/0023)."""
