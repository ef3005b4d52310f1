"""The graph of winning chances over a match: two areas divided by White's chance, with marks for errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.charts.markup import coordinate, joined, percent, table

WIDTH, HEIGHT = 1000, 300


@dataclass(frozen=True, slots=True)
class ChanceStep:
    """White's winning chance, 0 to 1, after an action; `game` is the game number, `mark` the grade of an error."""

    chance: float
    game: int
    mark: str = ""


def winning_chances(steps: Sequence[ChanceStep], *, name: str, white: str, black: str) -> SafeString:
    """Render the graph of a match between `white` and `black`, with a line where each game starts; empty without steps.

    `name` prefixes the ids of this chart on a page. The table has the chances at the end of each game.
    """
    if not steps:
        return SafeString("")
    places = [(WIDTH * n / max(len(steps) - 1, 1), HEIGHT * (1 - step.chance)) for n, step in enumerate(steps)]
    path = "L".join(f"{coordinate(x)} {coordinate(y)}" for x, y in places)
    starts = [n for n in range(1, len(steps)) if steps[n].game != steps[n - 1].game]
    title = _("Winning chances")
    last = {step.game: step.chance for step in steps}
    description = _("%(name)s's winning chances ranged from %(low)s to %(high)s.") % {
        "name": white,
        "low": percent(min(step.chance for step in steps)),
        "high": percent(max(step.chance for step in steps)),
    }
    return format_html(
        '<figure class="chart chances"><p class="chances-name chances-above" aria-hidden="true"><bdi>{black}</bdi></p>'
        '<svg class="chances-plot" viewBox="0 0 {w} {h}" preserveAspectRatio="none" role="img"'
        ' aria-labelledby="{name}-title" aria-describedby="{name}-words">'
        '<title id="{name}-title">{title}</title><desc id="{name}-words">{description}</desc>'
        '<rect class="chances-black" width="{w}" height="{h}"/><path class="chances-white" d="{area}"/>'
        '<path class="chances-half" d="M0 {half}H{w}"/><path class="chances-game" d="{games}"/>'
        '<path class="chances-line" d="M{path}"/>{marks}</svg>'
        '<p class="chances-name" aria-hidden="true"><bdi>{white}</bdi></p>'
        '<details class="chart-more"><summary>{more}</summary>{table}</details></figure>',
        white=white,
        black=black,
        w=WIDTH,
        h=HEIGHT,
        name=name,
        title=title,
        description=description,
        area=f"M0 {HEIGHT}L{path}L{WIDTH} {HEIGHT}Z",
        half=HEIGHT // 2,
        games="".join(f"M{coordinate(places[n][0])} 0V{HEIGHT}" for n in starts),
        path=path,
        marks=joined(
            format_html('<path class="chances-mark mark-{}" d="M{} {}h.01"/>', step.mark, coordinate(x), coordinate(y))
            for step, (x, y) in zip(steps, places, strict=True)
            if step.mark
        ),
        more=_("Show as table"),
        table=table(
            title,
            [_("After game"), white, black],
            [(str(game), *(percent(share) for share in (ends, 1 - ends))) for game, ends in last.items()],
        ),
    )
