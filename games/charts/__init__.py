"""Charts drawn on the server: SVG without a script and without a style, coloured by `static/css/charts.css`.

Every chart gives its numbers as a table too, or is a table whose cells carry a drawing. Labels are HTML, so that they
keep their size on a phone while the drawing stretches. All texts and numbers are in the reader's language.
"""

from games.charts.bars import Bar, bars
from games.charts.chances import Step, chances
from games.charts.gauges import Gauge, gauges, rolls
from games.charts.lines import Point, line, spark

__all__ = ["Bar", "Gauge", "Point", "Step", "bars", "chances", "gauges", "line", "rolls", "spark"]
