"""The rules of ladders: values in, values out. A ladder is the fold of its events (rulings L1 to L12).

`apply` moves the players of one order; `fold` keeps everything else beside it (points, immunity, vacations, who has
challenged whom); `may_challenge` answers who may challenge whom. Players are any hashable values; time is passed in.
"""

from ladders.rules.config import FIELDS, KINDS, BadConfig, Config
from ladders.rules.eligibility import may_challenge, next_on_hill, reach
from ladders.rules.fold import UNDOABLE, OpenChallenge, Row, State, fold, freezes_at, next_due, step, undone
from ladders.rules.order import apply
from ladders.rules.snapshot import dump, load

__all__ = [
    "FIELDS",
    "KINDS",
    "UNDOABLE",
    "BadConfig",
    "Config",
    "OpenChallenge",
    "Row",
    "State",
    "apply",
    "dump",
    "fold",
    "freezes_at",
    "load",
    "may_challenge",
    "next_due",
    "next_on_hill",
    "reach",
    "step",
    "undone",
]
