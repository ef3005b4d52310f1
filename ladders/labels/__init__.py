"""Texts of ladders: names of kinds, the rules in sentences, events in sentences, and why one may not challenge."""

from ladders.labels.event_sentences import SENTENCES, Names, moves, number, players_in, sentence
from ladders.labels.names import (
    BLOCKS_ALL_CHALLENGES,
    KIND_DESCRIPTIONS,
    SHORT_REASONS,
    UNSAID_REASONS,
    kind,
    place_list,
    score,
)
from ladders.labels.rule_sentences import rules

__all__ = [
    "BLOCKS_ALL_CHALLENGES",
    "KIND_DESCRIPTIONS",
    "SENTENCES",
    "SHORT_REASONS",
    "UNSAID_REASONS",
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
