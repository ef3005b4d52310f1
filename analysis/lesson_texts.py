"""The words of the first lesson: what each step shows, what it asks, and what is said of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class StepText:
    """`task` is asked; `praise` follows the right decision, `nudge` a legal one that misses the task."""

    title: Promise
    explanation: Promise
    task: Promise
    praise: Promise
    nudge: Promise | None = None


TEXTS: Mapping[str, StepText] = {
    "move": StepText(
        _("Move your checkers"),
        _(
            "You have the white checkers. They travel from the 24-point at the top right, along the top to the left, "
            "and back along the bottom to your home board at the bottom right. Each die is one move: you may move two "
            "checkers, or one checker twice. A point with two or more black checkers is closed to you."
        ),
        _("Play 6-3 any way you like: click a checker, and it moves by the first die."),
        _("That's a move. Click the dice to swap which one is used first."),
    ),
    "point": StepText(
        _("Make a point"),
        _(
            "Two or more of your checkers on a point make it yours: your opponent can't land there. A single checker "
            "is a blot and can be hit."
        ),
        _("Play 3-1 so that you make a new point."),
        _("You made your 5-point, one of the best on the board: it blocks your opponent and is safe to land on."),
        _("That's legal, but it makes no new point. Undo and use both dice on the same point."),
    ),
    "doubles": StepText(
        _("Roll a double"),
        _("When both dice show the same number, you play it four times."),
        _("Play all four fours."),
        _("Four moves with one roll. Doubles turn games around."),
    ),
    "hit": StepText(
        _("Hit a blot"),
        _(
            "Land on a single black checker and it is hit: it goes to the bar in the middle, and has to start again "
            "from your home board."
        ),
        _("Hit the black blot on your 5-point."),
        _("Hit. Your opponent has lost 20 pips and must enter before they can move anything else."),
        _("That's legal, but nothing was hit. Undo and land on the black blot."),
    ),
    "bar": StepText(
        _("Come in from the bar"),
        _(
            "One of your checkers has been hit. It enters your opponent's home board, at the top right: a 4 enters on "
            "the 21-point, a 2 on the 23-point. Until it is in, you may move nothing else. If both points are closed, "
            "you lose your turn."
        ),
        _("Enter with one die, and play the other as you like."),
        _("You're back in the game."),
    ),
    "home": StepText(
        _("Bring everybody home"),
        _("When all your checkers are in your home board, points 1 to 6, you may start to take them off."),
        _("Bring the last two checkers home with this 6-5."),
        _("All home. From now on you can bear off."),
        _("That's legal, but a checker is still outside. Undo and bring both home."),
    ),
    "off": StepText(
        _("Bear off"),
        _("A 6 takes a checker off the 6-point, a 4 one off the 4-point. Whoever has taken off all 15 first wins."),
        _("Take two checkers off."),
        _("Two off, thirteen to go."),
        _("That's legal, but slower. Undo and take a checker off with each die."),
    ),
    "gap": StepText(
        _("Bear off from the highest point"),
        _("If nobody is on the point of the die or above, the die takes a checker off your highest point instead."),
        _("Play 6-5. No checker is on your 6-point."),
        _("Both came off the 5-point. Wins count double, a gammon, if your opponent has taken none off by then."),
    ),
    "double": StepText(
        _("Double"),
        _(
            "Before you roll, you may double the stakes of the game. Your opponent takes and owns the cube, or drops "
            "and loses the game at the old stakes. It is worth it when you are clearly ahead."
        ),
        _("You lead this race by far. Double or roll?"),
        _("Right: you win most games from here, so play for more."),
        _("You may roll, but you're far ahead: make your opponent pay to play on."),
    ),
    "take": StepText(
        _("Take or drop"),
        _("You are doubled. To drop costs 1 point for certain. Take if you win about one game in four or more."),
        _("The game has only begun. Take or drop?"),
        _("Right: at the start the chances are nearly even. And now the cube is yours: only you may double next."),
        _("Dropping loses a point at once, though you would win nearly half of these games. Take."),
    ),
}
