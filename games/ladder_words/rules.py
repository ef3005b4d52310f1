"""The rules of a ladder in plain sentences, made from its configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _t
from django.utils.translation import ngettext

from games.ladder_words.names import Data, days, hours, score


def rules(key: str, config: Data) -> list[str]:
    """The rules of a ladder in plain sentences, from all the values of its configuration."""
    return [said for said in RULES_OF[key](config) if said]


def _challenge_rules(config: Data) -> list[str]:
    places = config["range"]
    reach = ngettext(
        "You may challenge whoever stands up to %(n)s place above you; the frozen and the absent do not count.",
        "You may challenge whoever stands up to %(n)s places above you; the frozen and the absent do not count.",
        places,
    )
    return [
        reach % {"n": places} if places else _t("You may challenge anybody above you."),
        _t("If you win you change places with the loser.")
        if config["rule"] == "swap"
        else _t("If you win you take that place, and all between move down one."),
        _t("If you lose nobody moves."),
        *_deadlines(config),
        _no_answer(config),
        _not_played(config),
        _t("The same two may meet again after %(time)s.") % {"time": days(config["rematch_days"])}
        if config["rematch_days"]
        else "",
        _t("Who has defended a place cannot be challenged for %(time)s.") % {"time": hours(config["immunity_hours"])}
        if config["immunity_hours"]
        else "",
        _at_once(config),
        _t("After %(time)s without a match a place is frozen: it cannot be challenged until its owner plays.")
        % {"time": days(config["freeze_days"])}
        if config["freeze_days"]
        else "",
        _dropping(config),
        _vacation(config),
        _t("Newcomers begin at the bottom."),
    ]


def _deadlines(config: Data) -> list[str]:
    return [
        _t("A challenge is answered within %(answer)s and played within %(play)s.")
        % {"answer": hours(config["accept_hours"]), "play": days(config["play_days"])}
    ]


def _no_answer(config: Data) -> str:
    if config["on_no_answer"] == "drop":
        return _t("A challenge without an answer lapses.")
    return _t("Who does not answer in time loses by forfeit.")


def _not_played(config: Data) -> str:
    if config["on_not_played"] == "drop":
        return _t("If the match is not played in time the challenge lapses.")
    if config["on_not_played"] == "forfeit_defender":
        return _t(
            "If the match is not played in time and only one of the two came to the board, the other has lost it; if "
            "neither did, the challenged player has."
        )
    return _t(
        "If the match is not played in time and only one of the two came to the board, the other has lost it; if "
        "neither did, the challenger has."
    )


def _at_once(config: Data) -> str:
    if config["most_out"] == config["most_in"] == 1:
        return _t("One challenge at a time, made or received.")
    return _t("At most %(out)s made and %(received)s received challenges at once.") % {
        "out": config["most_out"],
        "received": config["most_in"],
    }


def _dropping(config: Data) -> str:
    if not config["drop_days"] or not config["drop_places"]:
        return ""
    places = config["drop_places"]
    return ngettext(
        "Every %(time)s without a match cost %(n)s place.", "Every %(time)s without a match cost %(n)s places.", places
    ) % {"time": days(config["drop_days"]), "n": places}


def _vacation(config: Data) -> str:
    if not config["vacation_days"]:
        return ""
    return _t("You may be away for %(time)s a season: nobody challenges you then, and your deadlines wait.") % {
        "time": days(config["vacation_days"])
    }


def _season_rules(config: Data) -> list[str]:
    return [
        _t("A win gives %(win)s points, a loss %(loss)s.")
        % {"win": score(config["points_win"]), "loss": score(config["points_loss"])},
        _t("Beating somebody placed higher gives %(bonus)s more.") % {"bonus": score(config["bonus_higher"])}
        if config["bonus_higher"]
        else "",
        ngettext("Only your best match counts.", "Only your best %(n)s matches count.", config["best_of"])
        % {"n": config["best_of"]}
        if config["best_of"]
        else "",
        ngettext(
            "Only the first match against the same rival counts.",
            "Only the first %(n)s matches against the same rival count.",
            config["against_same"],
        )
        % {"n": config["against_same"]}
        if config["against_same"]
        else "",
        _t("Anybody may challenge anybody."),
        _t("Rated matches of this game, of this length or longer, count too."),
        *_deadlines(config),
        _no_answer(config),
        _not_played(config),
        _t("With equal points who has played fewer matches stands higher, then who joined earlier."),
        _vacation(config),
    ]


def _hill_rules(config: Data) -> list[str]:
    return [
        _t("The first is king. The next in line plays against the king."),
        _t("The winner is king; the loser goes to the end of the line."),
        *_deadlines(config),
        _t("Who does not answer or play in time goes to the end of the line."),
        _vacation(config),
    ]


def _rating_rules(config: Data) -> list[str]:
    return [
        _t("The order is that of the ratings."),
        _t("Shown is who has played a rated match in the last %(time)s.") % {"time": days(config["active_days"])},
        _t("Players with less than 100 points of experience are provisional and stand apart."),
    ]


RULES_OF: Mapping[str, Callable[[Data], list[str]]] = {
    "challenge": _challenge_rules,
    "season": _season_rules,
    "hill": _hill_rules,
    "rating": _rating_rules,
}
