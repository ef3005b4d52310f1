"""A league: divisions by strength, each a round robin, with promotion and relegation at the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .bracket import all_settled, check_size
from .core import Config, Entrant, History, Invalid, Pairing, Round, Standing, cached_on_history
from .round_robin import MOST, check_table, table_pairings, table_standings


class League:
    """The league format. Sections `division-1` (the highest), `division-2` ..."""

    key = "league"
    sections = "cross"
    takes_bye_requests = False
    at_once = False
    pairs_free_players = False
    needs_accounts = False

    def check(self, config: Config, entrants: int) -> None:
        """Raises Invalid: too_few, too_many, divisions (of 2 to 128), moving (up to half of a division), legs, rounds,
        tie_breaks.
        """
        check_size(entrants)
        least, most = -(-entrants // MOST), entrants // 2
        if not least <= config.divisions <= most:
            raise Invalid("divisions", divisions=config.divisions, least=least, most=most)
        most = entrants // config.divisions // 2
        if config.divisions > 1 and not 0 <= config.moving <= most:
            raise Invalid("moving", moving=config.moving, least=0, most=most)
        check_table(config, -(-entrants // config.divisions))

    @cached_on_history
    def pairings(self, config: Config, history: History) -> tuple[Pairing, ...]:
        return tuple(
            pairing
            for section, division in _divisions(config, history).items()
            for pairing in table_pairings(section, division, config, history)
        )

    def next_round(self, config: Config, history: History) -> Round | None:
        return None

    def standings(self, config: Config, history: History) -> tuple[Standing, ...]:
        """The tables of the divisions from the highest; of those fully played, with who is promoted and relegated."""
        tables: list[Standing] = []
        played: dict[str, list[Pairing]] = {}
        for pairing in self.pairings(config, history):
            played.setdefault(pairing.section, []).append(pairing)
        for number, (section, division) in enumerate(_divisions(config, history).items(), start=1):
            pairings = tuple(played[section])
            lines = table_standings(pairings, division, config, history)
            if all_settled(pairings):
                lines = _moved(lines, config, highest=number == 1, lowest=number == config.divisions)
            tables += lines
        return tuple(tables)

    def over(self, config: Config, history: History) -> bool:
        return all_settled(self.pairings(config, history))


def _divisions(config: Config, history: History) -> Mapping[str, list[Entrant]]:
    """The divisions by section, of equal size, except that the remainder makes the highest ones larger by one."""
    size, remainder = divmod(len(history.order), config.divisions)
    divisions: dict[str, list[Entrant]] = {}
    start = 0
    for number in range(1, config.divisions + 1):
        stop = start + size + (number <= remainder)
        divisions[f"division-{number}"] = list(history.order[start:stop])
        start = stop
    return divisions


def _moved(lines: tuple[Standing, ...], config: Config, *, highest: bool, lowest: bool) -> tuple[Standing, ...]:
    """The lines with notes of promotion and relegation: of entrants on a level, the one drawn first is the better.

    An entrant who has withdrawn is not moved: the next one is promoted instead; among the last, their place is one of
    those that are relegated.
    """
    promoted: list[Entrant] = []
    relegated: list[Entrant] = []
    if not highest:
        promoted = [line.entrant for line in lines if line.note != "out"][: config.moving]
    if not lowest and config.moving:
        relegated = [line.entrant for line in lines[-config.moving :] if line.note != "out"]
    return tuple(
        replace(line, note="promoted")
        if line.entrant in promoted
        else replace(line, note="relegated")
        if line.entrant in relegated and line.entrant not in promoted
        else line
        for line in lines
    )
