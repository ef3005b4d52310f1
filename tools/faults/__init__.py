"""Fault injection: whole sites whose processes and network are broken while bots play."""
