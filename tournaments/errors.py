"""The refusals of tournaments: `Refused` as in `games`, with the sentences of tournaments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games import errors

if TYPE_CHECKING:
    from tournaments.undo import AffectedPairing

TEXTS: dict[str, str | Promise] = {
    "no_tournament": _("Tournament not found."),
    "not_director": _("Only the directors of this tournament can do that."),
    "not_referee": _("Only the referees and directors of this tournament can do that."),
    "not_official": _("Only the officials of this tournament can do that."),
    "role_unknown": _("Choose a role: scorekeeper, referee or director."),
    "no_role": _("This person has no role at this tournament."),
    "creator_directs": _("The person who created the tournament always directs it."),
    "officials_full": _("A tournament can have at most %(most)s officials."),
    "resets_others": _("Undoing this would reset other matches. Ask a director."),
    "not_club_director": _("Only the club's directors can do that."),
    "not_club_owner": _("Only the club's owners can do that."),
    # recurring events
    "template_name": _("Enter a name of 1 to 80 characters that no other template in the club uses."),
    "template_used": _("A recurring event uses this template. Stop the event first."),
    "no_template": _("Template not found."),
    "no_recurrence": _("Recurring event not found."),
    "rhythm": _("Choose at least one weekday and an end date that is not before the start date."),
    "opens_days": _("Registration can open 0 to %(most)s days before the tournament."),
    "too_many_nights": _("A club can have at most %(most)s templates and as many recurring events."),
    "night_no_date": _("Choose one of the upcoming dates."),
    "nobody_directs": _("The club has no director who can open this tournament."),
    # prizes and seasons
    "purse": _("The percentages can add up to 100 at most, and amounts can't be negative."),
    "pool": _("A side pool needs a name of 1 to 40 characters and players from this tournament."),
    "season_name": _("Enter a name of 1 to 80 characters that no other season of the club uses."),
    "season_days": _("The season can't end before it starts."),
    "season_years": _("Season dates must fall in the years %(first)s to %(last)s."),
    "season_points": _("Enter 0 to %(most)s points for each of at most %(places)s places."),
    "too_many_seasons": _("A club can have at most %(most)s seasons."),
    # weekends
    "no_weekend": _("Weekend not found."),
    "not_weekend_official": _("Only the officials of this weekend's tournaments can do that."),
    "not_weekend_director": _("Only the directors of this weekend's tournaments can do that."),
    "not_organizer": _("Only the organizers of this weekend can do that."),
    "weekend_name": _("Enter a name of 1 to 80 characters."),
    "weekend_days": _("A weekend has 1 to %(most)s days, and it can't end before it starts."),
    "weekend_years": _("The dates must fall in the years %(first)s to %(last)s."),
    "weekend_tournament": _("Choose tournaments of this club that are in no other weekend."),
    "weekend_full": _("A weekend can have at most %(most)s tournaments."),
    "weekend_recorded": _("This weekend has records, so it can't be deleted. You can hide it instead."),
    "in_tournament": _("%(tournament)s: %(reason)s"),
    "board_shared": _("Board %(board)s is in use in %(tournament)s. Choose another one."),
    "no_tournament_chosen": _("Choose at least one tournament."),
    "no_record": _("Record not found. It may have been removed meanwhile."),
    "record_invalid": _("Check the record: names have 1 to 80 characters, and winners are in the pool."),
    "record_people": _("Choose people who are in a tournament of this weekend."),
    "record_shares": _("The shares of the pool can add up to 100 percent at most."),
    "record_twice": _("There is a record about this already. Correct that one."),
    "too_many_records": _("A weekend can have at most %(most)s records."),
    "no_person": _("This person is in none of the weekend's tournaments."),
    # importing results
    "not_rated_outside": _("In this club, over-the-board results don't count for ratings."),
    "sheet_large": _("The file is too large. The limit is %(most)s KB."),
    "sheet_long": _("The file has too many lines. The limit is %(most)s."),
    "sheet_empty": _("This file contains no results."),
    "sheet_columns": _("The first line must contain the column names. Missing: %(missing)s."),
    "line_short": _("A value is missing. Enter the date, both players, the match length and the score."),
    "line_long": _("A value is too long. Shorten it."),
    "line_date": _("Invalid date. Write it like 2026-11-20 or 20/11/2026."),
    "line_future": _("The date is in the future."),
    "line_names": _("A name contains invisible characters. Remove them."),
    "line_same": _("Both players are the same person."),
    "line_length": _("The match length must be 1 to 99 points."),
    "line_score": _("Invalid score. The winner must reach the match length and the loser must not. Write it like 5-3."),
    "line_winner": _("The winner must be the player with more points."),
    "members_only": _("Tournaments require an account. Signing up takes a minute, and you keep your games."),
    # settings
    "config": _("These settings don't work together. Change them and try again."),
    "lengths": _("The match length must be 1 to 99 points."),
    "timezone": _("Unknown time zone. Use a name such as Europe/Madrid."),
    "starts_at": _("Enter a start time so the tournament can start automatically."),
    "too_few": _("This format needs at least %(least)s players."),
    "too_many": _("This format allows at most %(most)s players."),
    "rounds": _("Choose 1 to %(most)s rounds."),
    "groups": _("For this number of players, choose %(least)s to %(most)s groups of at least 3."),
    "divisions": _("For this number of players, choose %(least)s to %(most)s divisions."),
    "advance": _("%(least)s to %(most)s players can advance from each group."),
    "legs": _("Players can meet each opponent %(least)s to %(most)s times."),
    "moving": _("%(least)s to %(most)s players can be promoted and relegated per division."),
    "third_place": _("The consolation has the losers of the semi-finals. Choose it or a third-place match."),
    "losses": _("Players can be eliminated after 1 to 9 losses."),
    "tie_breaks": _("Choose a tie-break from the list."),
    "tie_breaks_all_meet": _(
        "Buchholz and median break no ties where everyone meets everyone. Choose another tie-break too."
    ),
    # teams
    "team_boards": _("A team match has %(least)s to %(most)s boards."),
    "team_format": _("Teams can play single elimination, Swiss, round robin or a league."),
    "team_pace": _(
        "In a team tournament, open each round by hand or at a set time, so captains can set their line-ups."
    ),
    "teams_or_players": _("Somebody has entered already, so you can't switch between teams and players."),
    "teams_only": _("This is a team tournament. Enter a team."),
    "no_teams": _("This tournament is for single players."),
    "team_small": _("A team needs at least %(least)s players, one for each board."),
    "team_large": _("A team can have at most %(most)s players."),
    "teams_small": _("These teams have fewer than %(least)s players: %(names)s."),
    "team_name": _("Another team has that name. Choose a different one."),
    "team_club": _("You can enter a team only for a club that you are a member of."),
    "team_twice": _("%(name)s is in the list twice."),
    "other_team": _("%(name)s already plays for another team."),
    "player_outside": _("%(name)s is not a member of your club. Ask the director to enter this player."),
    "is_team": _("This is a team. Choose one of its players."),
    "in_team": _("This player is part of a team. Withdraw or change the team instead."),
    "not_captain": _("Only the team's captain and the directors can do that."),
    "team_fixed": _("After the draw, a team's players keep their order. You can only add reserves at the end."),
    "lineup_players": _("Choose a different player of the team for each of the %(boards)s boards."),
    "lineup_fixed": _("This round is open, so its line-ups can't change any more."),
    "lineup_round": _("This team has no match in that round."),
    # series
    "series_length": _("A series is the best of %(lengths)s matches. Choose one of these, or a single match."),
    "series_teams": _("Only single players can play series. Choose single matches, or single players."),
    "series_arena": _("An arena has single matches. Choose a single match."),
    # arenas
    "arena_minutes": _("An arena lasts %(least)s to %(most)s minutes."),
    "arena_length": _("Matches of an arena are to 1 or 3 points."),
    "arena_clock": _("An arena needs a clock that runs during play. Choose another one."),
    "arena_online": _("An arena is played online, without check-in, rounds to open or deadlines."),
    "arena_accounts": _("An arena is played online: only people with an account can play."),
    "arena_closed": _("The arena is ending: nobody is paired any more."),
    "arena_full": _("The arena is full."),
    "not_arena": _("Only players of an arena can pause."),
    # exhibitions
    "no_host": _("Name the host first: give that player seed number 1."),
    "exhibition_clock": _(
        "The host can't be at all boards at once. Choose a clock with days per turn, or play over the board only."
    ),
    # entering
    "entry_closed": _("Registration is closed."),
    "is_member": _("%(name)s is a member. Say whether you mean the member, or a walk-in of the same name."),
    "entered": _("This player is already registered."),
    "fill_board": _("The computer can only play online, and this tournament is played over the board."),
    "fill_enough": _("There are already %(count)s players: no places to fill."),
    "fill_most": _("The computer can fill at most %(most)s places at once."),
    "fill_places": _("Not enough places. Players needed: %(missing)s. Places left: %(free)s."),
    "list_empty": _("The list is empty. Write a name on each line."),
    "list_long": _("The list is too long. The limit is %(most)s lines."),
    "not_waiting": _("This player is not on the waiting list."),
    "replaced": _("A substitute has taken this place. Only the director can change that."),
    "closed_at": _("Registration closed on %(moment)s. The director can still let you in."),
    "by_password": _("Wrong password. Ask the director for the tournament password."),
    "by_invitation": _("This tournament is by invitation only. Open the link that the director gives you."),
    "club_only": _("Only members of %(club)s can register. You can join on the club page."),
    "rating_low": _("You need a rating of at least %(least)s in %(game)s. Yours is %(rating)s."),
    "rating_high": _("Only players rated up to %(most)s in %(game)s can register. Your rating is %(rating)s."),
    "password": _("The password can have up to %(most)s characters."),
    "federation_number": _("Use up to 20 letters, digits, spaces, dots, dashes or slashes."),
    "report_days": _("Choose a period of at most %(most)s days that doesn't end before it starts."),
    "not_entered": _("This player is not in the tournament."),
    "withdrawn": _("This player has withdrawn."),
    "no_name": _("Enter a name of 1 to 80 characters."),
    "nonce": _("Invalid draw number. It must have 64 hexadecimal digits."),
    "has_account": _("This player is already linked to an account."),
    "ranks": _("Use each seed number once, for a player in this tournament."),
    "late_back": _("This player withdrew. Reinstate them instead of adding them again."),
    "no_bye": _("The bracket has no free bye for a late entry."),
    "late_started": _("That bye is no longer free: the player with the bye is already playing the next match."),
    "late_results": _("In this format, nobody can join after the first result."),
    "late_last": _("The last round is already paired, so nobody can join."),
    "late_out": _("It's too late to join: the missed rounds count as losses and would eliminate the player."),
    "penalty": _("Enter a penalty of 0 to %(most)s points."),
    "in_play": _("Their match is in progress. Wait for it to end, or enter a result first."),
    # running
    "already_drawn": _("The draw has already been made."),
    "not_running": _("The tournament is not in progress."),
    "already_over": _("The tournament is over."),
    "round_unknown": _("That round can't be opened."),
    "round_pairs": _("Every player of the round plays once. Look at the pairings again."),
    "round_unfinished": _("The round is not finished. Every match needs a result first."),
    "round_past": _("That time has already passed. Choose a later one."),
    "no_byes": _("Players can only ask for a bye in a Swiss tournament."),
    "bye_round": _("Choose a round that is not paired yet, from %(least)s to %(most)s."),
    "no_wishes": _("This format doesn't allow pairing preferences."),
    "pairs_forced": _("These players can't be paired with these preferences: %(names)s."),
    "pairs_forbidden": _("With these preferences, these players have no possible opponent: %(names)s."),
    "recess": _("A break is already in progress."),
    "no_recess": _("There is no break at the moment."),
    "recess_past": _("The break must end later than now."),
    "no_match_in_play": _("None of these matches is in progress on this site."),
    "boards": _("Each board number can be in one room only, and there can be at most %(most)s boards."),
    "no_board": _("There is no board with that number."),
    # results
    "no_pairing": _("Pairing not found."),
    "not_ready": _("This pairing can't be played now."),
    "has_result": _("This match already has a result."),
    "other_pairing": _("Other players meet there now. Look at the pairing again."),
    "not_yours": _("Only the two players and the directors can do that."),
    "not_open": _("The round is not open yet."),
    "locked": _("The deadline has passed. Ask the director."),
    "on_the_board": _("This match is played online, so its result is recorded automatically."),
    "report_score": _("In a match to %(length)s, the winner has at least %(length)s points and the loser has fewer."),
    "report_series": _("Who wins this series wins %(wins)s matches, and the opponent wins fewer."),
    "report_series_played": _(
        "The matches entered so far stand at %(score)s. Correct them first, or enter a score that includes them."
    ),
    "report_lead": _("The loser started with %(lead)s points from penalties and can't have fewer."),
    "report_winner": _("The winner must be one of the two players."),
    "no_winner": _("Choose who won."),
    "no_score": _("Enter the score."),
    "no_report": _("There is no reported result to confirm or dispute."),
    "own_report": _("Your opponent has to confirm the result you reported."),
    "no_match_clock": _("The match clock is only for games with a doubling cube."),
    "online_only": _("Matches in this tournament are played online, on this site."),
    # venue mode
    "at_venue": _("This tournament has been at its venue since %(since)s. Bring its results back here first."),
    "venue_again": _("This is the venue's copy. Only the club's site can take the tournament out."),
    "venue_arena": _("An arena is played online: it cannot be taken to a venue."),
    "venue_in_play": _("A match of this tournament is being played online. Wait for its result, or enter one first."),
    "venue_not_out": _("This tournament is not at a venue."),
    "venue_large": _("The file is too large. The limit is %(most)s KB."),
    "venue_damaged": _("This is not a file of a tournament, or it is damaged. Download it again and try once more."),
    "venue_version": _("Another version of Tablero made this file. Update the older of the two sites."),
    "venue_is_out": _("This file takes a tournament to its venue. Choose the file with the results."),
    "venue_is_back": _("This file brings results back. Upload it at the desk of the tournament on the club's site."),
    "venue_signature": _("The file was changed after it was made, or it was not made by the copy of this tournament."),
    "venue_unknown": _("This site did not take out that tournament. Upload the file on the site that it came from."),
    "venue_other": _("These are the results of another tournament: %(name)s."),
    "venue_old": _("This file is of an earlier copy. The tournament was taken to a venue again after that."),
    "venue_diverged": _("The copy at the venue was set back after its results came here. Enter the new ones by hand."),
    "venue_entrants": _(
        "These players were added here after the copy was given up: %(names)s. The venue added others in the same "
        "places, so the file can't be merged. Enter its results by hand."
    ),
    "venue_secret": _("The site's secret key was changed, and the key of this copy can't be read any more."),
    "venue_own_site": _("This tournament belongs to this site. Bring it to the site of the venue."),
    "venue_here": _("This tournament is already here: %(name)s."),
    "venue_replaces": _(
        "An earlier copy of %(name)s is here, with log entries that are not in this file: %(count)s. Tick the box to "
        "replace it."
    ),
    # corrections
    "affected": _("This would reset other matches. Check the list first."),
    "no_result_yet": _("This pairing has no result to correct."),
    "same_result": _("That result is already recorded."),
    "no_ruling": _("Write the ruling in up to %(most)s characters."),
    "no_reason": _("Give a reason of up to 200 characters. Everyone can read it."),
    "no_act": _("Log entry not found."),
    "not_undoable": _("That can't be undone."),
    "undone_already": _("That has already been undone."),
    "not_undone": _("That has not been undone."),
    "by_itself": _("The site would do this again automatically. Undo or correct what caused it."),
}


class Refused(errors.Refused):
    """As games.errors.Refused, with the sentences above."""

    texts: ClassVar[Mapping[str, str | Promise]] = {**errors.TEXTS, **TEXTS}


class NotFound(Refused, errors.NotFound):
    """A tournament that does not exist, or that this viewer may not see."""

    def __init__(self) -> None:
        Refused.__init__(self, "no_tournament")


class WeekendNotFound(Refused, errors.NotFound):
    """A weekend that does not exist, or that this viewer may not see."""

    def __init__(self) -> None:
        Refused.__init__(self, "no_weekend")


class AffectsPairings(Refused):
    """A rewrite would reset other pairings, and the director has not agreed to exactly these."""

    def __init__(self, affected: tuple[AffectedPairing, ...]) -> None:
        super().__init__("affected", params={"count": len(affected)})
        self.affected = affected
