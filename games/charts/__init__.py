"""Charts rendered on the server as SVG without scripts or inline styles, coloured by `static/css/charts.css`.

Every chart has its numbers as a table too, or is a table with drawings in its cells. Labels are HTML, so that they keep
their size on a phone while the drawing stretches. All texts and numbers are localized.
"""

from games.charts.bars import Bar, bar_table
from games.charts.expectation import ExpectationRow, expectation_table, roll_table
from games.charts.lines import Point, line_chart, sparkline
from games.charts.winning_chances import ChanceStep, winning_chances

__all__ = [
    "Bar",
    "ChanceStep",
    "ExpectationRow",
    "Point",
    "bar_table",
    "expectation_table",
    "line_chart",
    "roll_table",
    "sparkline",
    "winning_chances",
]
