"""Making, entering and directing a tournament. Thin: parse, call one service, answer. A refusal is a message, never an
error page; who does not direct a tournament does not see its desk.
"""
