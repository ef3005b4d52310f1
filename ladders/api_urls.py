"""URLs of the API of ladders, under /api/v1/."""

from django.urls import path

from ladders.api import directing, ladders, playing, settings

CHALLENGE = "ladders/<slug:ladder_id>/challenges/<int:challenge_id>"

urlpatterns = [
    path("ladders/", ladders.Ladders.as_view(), name="api-ladders"),
    path("ladders/<slug:ladder_id>/", ladders.LadderDetail.as_view(), name="api-ladder"),
    path("ladders/<slug:ladder_id>/settings/", settings.LadderSettings.as_view(), name="api-ladder-settings"),
    path("ladders/<slug:ladder_id>/places/", ladders.Rungs.as_view(), name="api-ladder-places"),
    path("ladders/<slug:ladder_id>/ratings/", ladders.LadderRatings.as_view(), name="api-ladder-ratings"),
    path("ladders/<slug:ladder_id>/events/", ladders.LadderEvents.as_view(), name="api-ladder-events"),
    path(
        "ladders/<slug:ladder_id>/seasons/<int:number>/", ladders.LadderSeasonDetail.as_view(), name="api-ladder-season"
    ),
    path("ladders/<slug:ladder_id>/season/close/", directing.LadderSeasonClose.as_view(), name="api-season-close"),
    path("ladders/<slug:ladder_id>/join/", playing.LadderJoin.as_view(), name="api-ladder-join"),
    path("ladders/<slug:ladder_id>/leave/", playing.LadderLeave.as_view(), name="api-ladder-leave"),
    path("ladders/<slug:ladder_id>/away/", playing.LadderAway.as_view(), name="api-ladder-away"),
    path("ladders/<slug:ladder_id>/back/", playing.LadderBack.as_view(), name="api-ladder-back"),
    path("ladders/<slug:ladder_id>/close/", directing.LadderClose.as_view(), name="api-ladder-close"),
    path("ladders/<slug:ladder_id>/open/", directing.LadderOpen.as_view(), name="api-ladder-open"),
    path("ladders/<slug:ladder_id>/undo/", directing.LadderUndo.as_view(), name="api-ladder-undo"),
    path("ladders/<slug:ladder_id>/redo/", directing.LadderRedo.as_view(), name="api-ladder-redo"),
    path("ladders/<slug:ladder_id>/place/", directing.LadderPlace.as_view(), name="api-ladder-place"),
    path("ladders/<slug:ladder_id>/challenges/", playing.Challenges.as_view(), name="api-challenges"),
    path(f"{CHALLENGE}/accept/", playing.ChallengeAccept.as_view(), name="api-challenge-accept"),
    path(f"{CHALLENGE}/decline/", playing.ChallengeDecline.as_view(), name="api-challenge-decline"),
    path(f"{CHALLENGE}/withdraw/", playing.ChallengeWithdraw.as_view(), name="api-challenge-withdraw"),
    path(f"{CHALLENGE}/decide/", directing.ChallengeDecide.as_view(), name="api-challenge-decide"),
]
