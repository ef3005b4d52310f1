"""The pages of play, ratings, ladders and history. Thin: parse, call one service or selector, show.

A refusal is a message, never an error page.
"""
