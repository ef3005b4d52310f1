"""The forms of a team and of its line-up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from accounts.models import Club, User
from accounts.names.validation import fold
from tournaments import teams
from tournaments.errors import Refused
from tournaments.forms.roster import member_by_name
from tournaments.selectors.teams import TeamPage
from tournaments.services.entries import LONGEST_NAME
from tournaments.services.teams import TeamPlayer

# The field that shows a refusal, by its code; all other refusals stand above the form.
FIELD_BY_REFUSAL = {
    "no_name": "name",
    "team_name": "name",
    "team_club": "club",
    "team_small": "players",
    "team_large": "players",
    "team_twice": "players",
    "other_team": "players",
    "player_outside": "players",
    "team_fixed": "players",
    "members_only": "players",
    "by_password": "password",
}


class TeamForm(forms.Form):
    """A team: its name, club, captain, and its players in the order of the boards.

    A line that is the name of a member stands for their account. `directs`: the captain is chosen; `password`: asked.
    """

    name = forms.CharField(label=_("Team name"), max_length=LONGEST_NAME)
    club = forms.TypedChoiceField(label=_("Club (optional)"), required=False, coerce=int, empty_value=None)
    captain = forms.CharField(
        label=_("Captain's username (optional)"),
        required=False,
        max_length=24,
        help_text=_("The captain sets the line-ups and may withdraw the team. They need not play."),
    )
    players = forms.CharField(
        label=_("Players, one on each line"),
        max_length=teams.MOST_PLAYERS * (LONGEST_NAME + 2),
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "autocapitalize": "words"}),
    )
    password = forms.CharField(label=_("Tournament password"), required=False, max_length=40)

    def __init__(
        self, *args: Any, boards: int, clubs: Sequence[Club], directs: bool, password: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.clubs = {club.pk: club for club in clubs}
        self.fields["club"].choices = [("", "—"), *((club.pk, club.name) for club in clubs)]  # type: ignore[attr-defined]
        self.fields["players"].help_text = _t(
            "In the order of the boards: the first %(boards)s lines play boards 1 to %(boards)s, the others are "
            "reserves. Write the username of players who have an account."
        ) % {"boards": boards}
        if not directs:
            del self.fields["captain"]
        if not password:
            del self.fields["password"]

    def clean_captain(self) -> User | None:
        typed = self.cleaned_data["captain"].strip()
        if not typed:
            return None
        captain = member_by_name(typed)
        if captain is None:
            raise forms.ValidationError(_("There is no player with that name."))
        return captain

    def kwargs(self) -> dict[str, Any]:
        """Keyword arguments for `services.team_enter` and `team_change`."""
        data = self.cleaned_data
        lines = [line for line in data["players"].splitlines() if line.strip()]
        found: dict[str, Any] = {
            "name": data["name"],
            "club": self.clubs.get(data["club"]),
            "players": named_players(lines),
        }
        return found | {name: data[name] for name in ("captain", "password") if name in self.fields}

    def show_refusal(self, refused: Refused) -> None:
        """Show a refusal of the services at the field that it is about."""
        field = FIELD_BY_REFUSAL.get(refused.code)
        self.add_error(field if field in self.fields else None, refused.text)


def named_players(names: Sequence[str]) -> list[TeamPlayer]:
    """The players with these names: the account of a member or bot, else the name alone; one query."""
    typed = [" ".join(name.split()) for name in names]
    found = User.objects.filter(name_key__in={fold(name) for name in typed}, is_active=True, is_guest=False)
    accounts = {user.name_key: user for user in found}
    return [accounts.get(fold(name), name) for name in typed]


def answers_of_team(page: TeamPage) -> dict[str, Any]:
    """What the form of a team shows at first."""
    team = page.team
    return {
        "name": page.name,
        "club": team.club_id or "",
        "captain": team.captain.username if team.captain is not None else "",
        "players": "\n".join(row.name for row in page.players),
    }


class LineupForm(forms.Form):
    """Who plays for a team in a round: a choice for each board."""

    def __init__(self, *args: Any, page: TeamPage, section: str, round_: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        state = page.view.state
        players = [(row.entrant.number, row.name) for row in page.players]
        lineup = state.teams.lineup(section, round_, page.number)
        for board in range(1, state.teams.boards + 1):
            self.fields[f"board_{board}"] = forms.TypedChoiceField(
                label=_t("Board %(n)s") % {"n": board},
                choices=players,
                coerce=int,
                initial=lineup[board - 1] if board <= len(lineup) else None,
            )

    def players(self) -> list[int]:
        """The numbers of the chosen players, from the first board."""
        return [self.cleaned_data[name] for name in self.fields]
