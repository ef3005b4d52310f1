"""The rules of ladders: values in, values out. A ladder is the fold of its events (rulings L1 to L12).

`apply` moves the players of one order; `fold` keeps everything else beside it (points, immunity, vacations, who has
called whom); `may_challenge` answers who may call whom. Players are any hashable values; time is passed in.
"""

from games.ladders.calling import may_challenge, next_on_hill, reach
from games.ladders.config import FIELDS, KINDS, BadConfig, Config
from games.ladders.fold import UNDOABLE, Call, Row, State, fold, freezes_at, next_due, step, undone
from games.ladders.order import apply
from games.ladders.snapshot import dump, load

__all__ = [
    "FIELDS",
    "KINDS",
    "UNDOABLE",
    "BadConfig",
    "Call",
    "Config",
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
