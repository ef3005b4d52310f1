"""The URLs of the API of play, history and ratings, under /api/v1/."""

from django.urls import path

from games.api import lobby, marks_and_files, matches, play, players, positions, statistics, vacation, variants

urlpatterns = [
    path("variants/", variants.Variants.as_view(), name="api-variants"),
    path("lobby/", lobby.Lobby.as_view(), name="api-lobby"),
    path("bots/events/", lobby.BotEvents.as_view(), name="api-bot-events"),
    path("history/", matches.History.as_view(), name="api-history"),
    path("archive/", marks_and_files.Archive.as_view(), name="api-archive"),
    path("matches/", lobby.Matches.as_view(), name="api-offer"),
    path("matches/import/", marks_and_files.Import.as_view(), name="api-import"),
    path("matches/<slug:match_id>/", play.MatchState.as_view(), name="api-match"),
    path("matches/<slug:match_id>/join/", lobby.MatchJoin.as_view(), name="api-join"),
    path("matches/<slug:match_id>/decline/", lobby.MatchDecline.as_view(), name="api-decline"),
    path("matches/<slug:match_id>/cancel/", lobby.MatchCancel.as_view(), name="api-cancel"),
    path("matches/<slug:match_id>/rematch/", lobby.MatchRematch.as_view(), name="api-rematch"),
    path("matches/<slug:match_id>/arrive/", lobby.MatchArrive.as_view(), name="api-arrive"),
    path("matches/<slug:match_id>/act/", play.MatchAct.as_view(), name="api-act"),
    path("matches/<slug:match_id>/claim/", play.MatchClaim.as_view(), name="api-claim"),
    path("matches/<slug:match_id>/adjourn/", play.MatchAdjourn.as_view(), name="api-adjourn"),
    path("matches/<slug:match_id>/go-on/", play.MatchGoOn.as_view(), name="api-go-on"),
    path("matches/<slug:match_id>/dice/", play.MatchDice.as_view(), name="api-dice"),
    path("matches/<slug:match_id>/order/", play.MatchOrder.as_view(), name="api-order"),
    path("matches/<slug:match_id>/sync/", play.MatchSync.as_view(), name="api-sync"),
    path("matches/<slug:match_id>/why/", play.MatchWhy.as_view(), name="api-why"),
    path("matches/<slug:match_id>/record/", matches.MatchRecord.as_view(), name="api-record"),
    path("matches/<slug:match_id>/actions/", matches.MatchActions.as_view(), name="api-actions"),
    path("matches/<slug:match_id>/games/<int:number>/", matches.MatchGame.as_view(), name="api-game"),
    path("matches/<slug:match_id>/numbers/", matches.MatchNumbers.as_view(), name="api-numbers"),
    path("matches/<slug:match_id>/mark/", marks_and_files.Mark.as_view(), name="api-mark"),
    path("positions/", positions.Position.as_view(), name="api-position"),
    path("positions/why/", positions.PositionWhy.as_view(), name="api-position-why"),
    path("players/", players.Players.as_view(), name="api-players"),
    path("players/<str:name>/", players.Player.as_view(), name="api-player"),
    path("players/<str:name>/statistics/", players.Statistics.as_view(), name="api-player-statistics"),
    path("players/<str:name>/against/<str:rival>/", players.HeadToHead.as_view(), name="api-player-against"),
    path(
        "players/<str:name>/ratings/<slug:variant>/<slug:pace>/",
        players.RatingHistory.as_view(),
        name="api-player-rating",
    ),
    path("me/vacation/", vacation.MyVacation.as_view(), name="api-vacation"),
    path("ratings/", statistics.Pools.as_view(), name="api-pools"),
    path("ratings/<slug:variant>/<slug:pace>/", statistics.PoolRatings.as_view(), name="api-pool"),
    path("statistics/dice/", statistics.SiteDice.as_view(), name="api-site-dice"),
]
