"""The pages of tournaments, clubs and seasons. Thin: parse, call one service or selector, answer.

A refusal is a message, never an error page. The desk of a tournament is shown to its directors only.
"""
