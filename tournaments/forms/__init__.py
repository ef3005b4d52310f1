"""What directors and players type: a tournament (`terms`), and the small forms of the desk (`desk`)."""

from tournaments.forms.desk import (
    USUAL_FILL,
    AnnouncementForm,
    EntrantForm,
    FillForm,
    MemberForm,
    ResultForm,
    ScoreForm,
    SeedsForm,
)
from tournaments.forms.terms import TournamentForm, answers_of

__all__ = [
    "USUAL_FILL",
    "AnnouncementForm",
    "EntrantForm",
    "FillForm",
    "MemberForm",
    "ResultForm",
    "ScoreForm",
    "SeedsForm",
    "TournamentForm",
    "answers_of",
]
