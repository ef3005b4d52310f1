"""Compare the database rows of a match with what its two bots sent and received. Values in, breaches out.

Nothing acknowledged may be lost, nothing may be recorded twice, and no bot may have received anything untrue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any, NamedTuple

from games import replay
from games.engine import SIDES
from games.registry import ILLEGAL, RULES
from tools.faults.play.record import Record, fingerprint
from tools.services.environment import ROOT

_spec = spec_from_file_location("verify_dice", ROOT / "docs" / "verify_dice.py")
assert _spec is not None
assert _spec.loader is not None
verify_dice = module_from_spec(_spec)
_spec.loader.exec_module(verify_dice)

NEAR = 3  # rows shown before and after a breach


class Row(NamedTuple):
    """One recorded action, with the columns of `match_data.ACTION`."""

    n: int
    game: int
    actor: str
    text: str
    client_id: str | None
    asked: str
    answer: int | None
    white_ms: int | None
    black_ms: int | None


@dataclass(frozen=True)
class Rows:
    """One match as the database has it (`match_data.read_matches`)."""

    match: Mapping[str, Any]
    actions: Sequence[Row]

    @classmethod
    def read(cls, match: Mapping[str, Any]) -> Rows:
        return cls(match, [Row(*row) for row in match["actions"]])


@dataclass(frozen=True)
class Breach:
    """A violated guarantee of one match, at one version (0: the match as a whole)."""

    match_id: str
    version: int
    text: str

    def __str__(self) -> str:
        return f"{self.match_id} at {self.version}: {self.text}"


def breaches(rows: Rows, records: Sequence[Record]) -> list[Breach]:
    """Return everything that is wrong with one match. Empty: nothing was lost, doubled or misreported."""
    found = [*_sequence(rows), *_replay(rows, records), *_dice(rows, records), *_clocks(rows)]
    for record in records:
        found += [(0, f"{record.name}: {text}") for text in record.wrong]
        found += [(n, f"{record.name}: {text}") for n, text in _acts(rows, record)]
    return [Breach(rows.match["id"], n, text) for n, text in found]


Found = Iterator[tuple[int, str]]


def _sequence(rows: Rows) -> Found:
    """Actions are numbered without gaps up to the match's version, and each client id of a seat occurs once."""
    numbers = [row.n for row in rows.actions]
    for expected, n in zip(range(1, len(numbers) + 1), numbers, strict=True):
        if n != expected:
            yield expected, f"the actions are not numbered without gaps: {n} stands in the place of {expected}"
            break
    if rows.match["version"] != len(numbers):
        yield rows.match["version"], f"the match says version {rows.match['version']}, and has {len(numbers)} actions"
    ids = Counter((row.actor, row.client_id) for row in rows.actions if row.client_id)
    for (actor, client_id), times in ids.items():
        if times > 1:
            yield 0, f"{actor} {client_id} is read_matches {times} times"


def _acts(rows: Rows, record: Record) -> Found:
    """Each acknowledged act is recorded at its version; no refused act is, and none that the seat did not send."""
    side = rows.match["names"][record.name]
    seat_rows = {row.client_id: row for row in rows.actions if row.actor == side}
    for client_id, version in record.acked.items():
        action, after, _ = record.asked[client_id]
        row = seat_rows.get(client_id)
        if row is None:
            yield version, f"lost: {action} ({client_id}) was acknowledged with version {version}"
        elif (row.n, row.asked, row.answer) != (after + 1, action, version):
            yield row.n, f"{action} after {after} was acknowledged with {version}, and the record says {row}"
    for client_id, code in record.refused.items():
        if client_id in seat_rows:
            yield seat_rows[client_id].n, f"{client_id} was refused ({code}) and is read_matches"
    for row in seat_rows.values():
        if row.client_id not in record.asked or record.asked[row.client_id][0] != row.asked:
            yield row.n, f"nobody asked for this: {row}"


def _replay(rows: Rows, records: Sequence[Record]) -> Found:
    """Replaying the rows by the rules leads to the snapshot and the score, through every state that was shown."""
    match = rows.match
    state = replay.start(RULES[match["variant"]], match["length"], match["options"])
    for row in rows.actions:
        try:
            state = state.after(row.actor, row.text)
        except (replay.PlayRefused, *ILLEGAL) as error:
            yield row.n, f"the rules refuse the record: {row}: {error}"
            return
        view = state.position.view(None)
        seen = fingerprint(view["board"], view["cube"], view["dice"], state.score.view(), state.game)
        for record in records:
            if record.fingerprints.get(row.n, seen) != seen:
                yield row.n, f"{record.name} was shown another position than the record's"
            if record.actions.get(row.n, (row.actor, row.text)) != (row.actor, row.text):
                yield row.n, f"{record.name} was told {record.actions[row.n]}, the record says {row.actor}, {row.text}"
    if replay.restore(state.rules, state.options, match["snapshot"]) != state:
        yield match["version"], "the snapshot is not what the record leads to"
    points = {side: state.score.points(side) for side in SIDES}
    result = state.result or replay.Result(None, "")
    if (points, result.winner or "", result.by) != (match["points"], match["winner"], match["ended_by"]):
        yield match["version"], f"the record leads to {points}, {result}; the match says {match['points']}"
    for record in records:
        if beyond := [n for n in (*record.fingerprints, *record.actions) if n > match["version"]]:
            yield max(beyond), f"{record.name} was told of version {max(beyond)}, which does not exist"


def _dice(rows: Rows, records: Sequence[Record]) -> Found:
    """The transcript proves every roll, and every bot received the same dice for each index."""
    recorded = rows.match["transcript"]
    try:
        verify_dice.check(recorded)
    except verify_dice.Wrong as wrong:
        yield 0, "the dice are wrong at roll {}: {}".format(*wrong.args)
    rolled = [row.text for row in rows.actions if row.actor == "chance"]
    proved = ["dice {}{}".format(*roll["dice"]) for roll in recorded["rolls"]]
    if proved != rolled or rows.match["roll_index"] != len(rolled):
        yield (
            0,
            f"{rows.match['roll_index']} rolls, of which {len(rolled)} are recorded and {len(proved)} proved",
        )
    for record in records:
        for i, dice in record.rolls.items():
            if i > len(proved) or proved[i - 1] != dice:
                yield 0, f"{record.name} was told {dice} for roll {i}, which the transcript does not say"


def _clocks(rows: Rows) -> Found:
    """No reserve is negative, and only the seat that lost on time has none left."""
    for at, row in enumerate(rows.actions):
        after = rows.actions[at + 1] if at + 1 < len(rows.actions) else None
        for side, left in (("white", row.white_ms), ("black", row.black_ms)):
            flagged = any(entry is not None and entry.text == f"flag {side}" for entry in (row, after))
            if left is not None and (left < 0 or (left == 0 and not flagged)):
                yield row.n, f"{side} has {left} ms left, and no flag fell"


def describe(breach: Breach, rows: Rows, records: Sequence[Record]) -> str:
    """Return the rows and both bots' records around a breach as text."""
    at = breach.version or len(rows.actions)
    lines = [str(breach)]
    lines += [f"  row {' '.join(map(str, row))}" for row in rows.actions if abs(row.n - at) <= NEAR]
    for record in records:
        for client_id, (action, after, _) in record.asked.items():
            if abs(after + 1 - at) <= NEAR:
                outcome = record.acked.get(client_id) or record.refused.get(client_id) or "no answer"
                lines.append(f"  {record.name} asked {client_id} {action!r} after {after}: {outcome}")
        lines += [f"  {record.name} was told {n} {shown}" for n, shown in record.actions.items() if abs(n - at) <= NEAR]
    return "\n".join(lines)
