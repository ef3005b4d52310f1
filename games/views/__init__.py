"""The pages of play, ratings and history. Each view parses the request, calls one service or selector, and renders.

A refusal becomes a message, never an error page.
"""
