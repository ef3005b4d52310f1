"""The secret of the server's dice: one chain for each match (bgdice/1), which never leaves the server."""

from __future__ import annotations

from django.db import models

from games.models.match import Match


class DiceSecret(models.Model):
    """The server's chain of one match: its seed, and the checkpoints that make each element cheap to find.

    `marks` are as secret as the seed. They are emptied when the match is over; the elements that were shown stand in
    the actions.
    """

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="dice_secret")
    length = models.PositiveIntegerField()
    seed = models.BinaryField(max_length=32)
    marks = models.BinaryField()

    def __str__(self) -> str:
        return self.match_id
