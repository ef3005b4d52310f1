"""Ladders in words: their kinds, their rules in plain sentences, what happened, and why one may not challenge."""

from games.ladder_words.events import SENTENCES, Names, moves, number, players_in, sentence
from games.ladder_words.names import ANYBODY, KIND_FACTS, SHORT, SILENT, kind, place_list, score
from games.ladder_words.rules import rules

__all__ = [
    "ANYBODY",
    "KIND_FACTS",
    "SENTENCES",
    "SHORT",
    "SILENT",
    "Names",
    "kind",
    "moves",
    "number",
    "place_list",
    "players_in",
    "rules",
    "score",
    "sentence",
]
