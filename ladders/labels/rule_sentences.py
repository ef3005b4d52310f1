"""The rules of a ladder in plain sentences, made from its configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _t
from django.utils.translation import ngettext

from ladders.labels.names import Data, days, hours, score


def rules(key: str, config: Data) -> list[str]:
    """The rules of a ladder in plain sentences, from all the values of its configuration."""
    return [sentence for sentence in RULES_OF[key](config) if sentence]


def _challenge_rules(config: Data) -> list[str]:
    places = config["range"]
    reach = ngettext(
        "You can challenge players up to %(n)s place above you. Frozen and away players don't count.",
        "You can challenge players up to %(n)s places above you. Frozen and away players don't count.",
        places,
    )
    return [
        reach % {"n": places} if places else _t("You can challenge anyone above you."),
        _t("If you win, you swap places with the loser.")
        if config["rule"] == "swap"
        else _t("If you win, you take your opponent's place and everyone in between moves down one."),
        _t("If you lose, the order does not change."),
        *_deadlines(config),
        _no_answer(config),
        _not_played(config),
        _t("You can challenge the same player again after %(time)s.") % {"time": days(config["rematch_days"])}
        if config["rematch_days"]
        else "",
        _t("After you defend your place, nobody can challenge you for %(time)s.")
        % {"time": hours(config["immunity_hours"])}
        if config["immunity_hours"]
        else "",
        _at_once(config),
        _t("After %(time)s without a match your place is frozen: nobody can challenge you until you play again.")
        % {"time": days(config["freeze_days"])}
        if config["freeze_days"]
        else "",
        _dropping(config),
        _vacation(config),
        _t("New players start at the bottom."),
    ]


def _deadlines(config: Data) -> list[str]:
    return [
        _t("Answer a challenge within %(answer)s and play it within %(play)s.")
        % {"answer": hours(config["accept_hours"]), "play": days(config["play_days"])}
    ]


def _no_answer(config: Data) -> str:
    if config["on_no_answer"] == "drop":
        return _t("A challenge that isn't answered in time expires.")
    return _t("If you don't answer in time, you lose by forfeit.")


def _not_played(config: Data) -> str:
    if config["on_not_played"] == "drop":
        return _t("If the match is not played in time, the challenge expires.")
    if config["on_not_played"] == "forfeit_defender":
        return _t(
            "If the match is not played in time and only one player came to the board, the other one "
            "loses. If neither came, the challenged player loses."
        )
    return _t(
        "If the match is not played in time and only one player came to the board, the other one "
        "loses. If neither came, the challenger loses."
    )


def _at_once(config: Data) -> str:
    if config["most_out"] == config["most_in"] == 1:
        return _t("You can have one challenge at a time, sent or received.")
    return _t("You can have at most %(out)s sent and %(received)s received challenges at once.") % {
        "out": config["most_out"],
        "received": config["most_in"],
    }


def _dropping(config: Data) -> str:
    if not config["drop_days"] or not config["drop_places"]:
        return ""
    places = config["drop_places"]
    return ngettext(
        "Every %(time)s without a match costs you %(n)s place.",
        "Every %(time)s without a match costs you %(n)s places.",
        places,
    ) % {"time": days(config["drop_days"]), "n": places}


def _vacation(config: Data) -> str:
    if not config["vacation_days"]:
        return ""
    return _t(
        "You can be away for up to %(time)s per season. While you are away, nobody can challenge "
        "you and your deadlines are paused."
    ) % {"time": days(config["vacation_days"])}


def _season_rules(config: Data) -> list[str]:
    return [
        _t("A win earns %(win)s points and a loss %(loss)s.")
        % {"win": score(config["points_win"]), "loss": score(config["points_loss"])},
        _t("Beating a higher-ranked player earns %(bonus)s extra.") % {"bonus": score(config["bonus_higher"])}
        if config["bonus_higher"]
        else "",
        ngettext("Only your best match counts.", "Only your best %(n)s matches count.", config["best_of"])
        % {"n": config["best_of"]}
        if config["best_of"]
        else "",
        ngettext(
            "Only the first match against the same opponent counts.",
            "Only the first %(n)s matches against the same opponent count.",
            config["against_same"],
        )
        % {"n": config["against_same"]}
        if config["against_same"]
        else "",
        _t("Anyone can challenge anyone."),
        _t("Other rated matches of this game count too, if they are this length or longer."),
        *_deadlines(config),
        _no_answer(config),
        _not_played(config),
        _t("On equal points, the player with fewer matches ranks higher, then the one who joined first."),
        _vacation(config),
    ]


def _hill_rules(config: Data) -> list[str]:
    return [
        _t("The first player is king. The next in the queue plays the king."),
        _t("The winner is king; the loser goes to the back of the queue."),
        *_deadlines(config),
        _t("If you don't answer or play in time, you go to the back of the queue."),
        _vacation(config),
    ]


def _rating_rules(config: Data) -> list[str]:
    return [
        _t("Players are ranked by rating."),
        _t("Only players with a rated match in the last %(time)s are shown.") % {"time": days(config["active_days"])},
        _t("Players with less than 100 points of experience are provisional and listed separately."),
    ]


RULES_OF: Mapping[str, Callable[[Data], list[str]]] = {
    "challenge": _challenge_rules,
    "season": _season_rules,
    "hill": _hill_rules,
    "rating": _rating_rules,
}
