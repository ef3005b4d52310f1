"""The addresses of the API of the analysis, under /api/v1/."""

from django.urls import path

from analysis.api import hints, reports, training

urlpatterns = [
    path("matches/<slug:match_id>/report/", reports.ReportDetail.as_view(), name="api-report"),
    path("matches/<slug:match_id>/report/decisions/", reports.Decisions.as_view(), name="api-decisions"),
    path("matches/<slug:match_id>/hint/", hints.Hint.as_view(), name="api-hint"),
    path("players/<str:name>/errors/", reports.PlayerErrors.as_view(), name="api-player-errors"),
    path("error-rates/", reports.ErrorRates.as_view(), name="api-error-rates"),
    path("analysis/wishes/", reports.AnalysisPreferencesView.as_view(), name="api-analysis-wishes"),
    path("positions/questions/", training.Questions.as_view(), name="api-questions"),
    path("positions/questions/<int:question_id>/", training.QuestionDetail.as_view(), name="api-question"),
    path("trainer/", training.Trainer.as_view(), name="api-trainer"),
    path("trainer/<int:card_id>/", training.TrainerCardDetail.as_view(), name="api-trainer-card"),
    path("daily/", training.DailyPuzzleDetail.as_view(), name="api-daily"),
    path("daily/<slug:day>/", training.DailyPast.as_view(), name="api-daily-past"),
]
