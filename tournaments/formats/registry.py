"""All formats, by key: the only place that names them."""

from __future__ import annotations

from collections.abc import Mapping

from tournaments.formats.arena import Arena
from tournaments.formats.core import Format
from tournaments.formats.double import Double
from tournaments.formats.exhibition import Exhibition
from tournaments.formats.groups import Groups
from tournaments.formats.knockout import Knockout
from tournaments.formats.league import League
from tournaments.formats.losses import Losses
from tournaments.formats.round_robin import RoundRobin
from tournaments.formats.swiss import Swiss

FORMATS: Mapping[str, Format] = {
    each.key: each
    for each in (
        Knockout(),
        Double(),
        Swiss(),
        RoundRobin(),
        Groups(),
        League(),
        Losses(),
        Arena(),
        Exhibition(),
    )
}
