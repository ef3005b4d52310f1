"""The addresses of the API, under /api/v1/."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from games import api, api_bots

urlpatterns = [
    path("bots/events/", api_bots.BotEvents.as_view(), name="api-bot-events"),
    path("matches/", api_bots.MatchOffer.as_view(), name="api-offer"),
    path("matches/<slug:match_id>/join/", api_bots.MatchJoin.as_view(), name="api-join"),
    path("matches/<slug:match_id>/decline/", api_bots.MatchDecline.as_view(), name="api-decline"),
    path("matches/<slug:match_id>/", api.MatchState.as_view(), name="api-match"),
    path("matches/<slug:match_id>/act/", api.MatchAct.as_view(), name="api-act"),
    path("matches/<slug:match_id>/claim/", api.MatchClaim.as_view(), name="api-claim"),
    path("matches/<slug:match_id>/adjourn/", api.MatchAdjourn.as_view(), name="api-adjourn"),
    path("matches/<slug:match_id>/go-on/", api.MatchGoOn.as_view(), name="api-go-on"),
    path("matches/<slug:match_id>/dice/", api.MatchDice.as_view(), name="api-dice"),
    path("matches/<slug:match_id>/order/", api.MatchOrder.as_view(), name="api-order"),
    path("matches/<slug:match_id>/sync/", api.MatchSync.as_view(), name="api-sync"),
    path("matches/<slug:match_id>/why/", api.MatchWhy.as_view(), name="api-why"),
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs/", SpectacularSwaggerSplitView.as_view(url_name="api-schema"), name="api-docs"),
]
