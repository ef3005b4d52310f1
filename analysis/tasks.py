"""What the workers of the analysis do. Every task takes ids only, and may run zero or many times."""

from __future__ import annotations

from celery import shared_task

from analysis import services
from analysis.services import daily_puzzles, questions, tallies


@shared_task
def report_make(report_id: int) -> None:
    """Make a report, or go on with it; one that breaks is tried again by the sweep."""
    services.report_make(report_id=report_id)


@shared_task
def sweep_reports() -> int:
    """Call again for the reports whose worker is gone."""
    return services.reports_sweep()


@shared_task
def sweep_answers() -> int:
    """Forget what nobody asks for any more."""
    return services.answers_sweep() + questions.questions_purge()


@shared_task
def report_count(report_id: int) -> None:
    """Add a report to the error rates, puzzles and cards of its players."""
    tallies.report_count(report_id=report_id)


@shared_task
def sweep_tallies() -> int:
    """Call for the reports that nobody has counted."""
    return tallies.tallies_sweep()


@shared_task
def question_answer(question_id: int) -> None:
    """Say what the engine thinks of a position."""
    questions.question_answer(question_id=question_id)


@shared_task
def sweep_questions() -> int:
    """Ask again for the answers whose worker is gone."""
    return questions.questions_sweep()


@shared_task
def pick_daily_puzzle() -> None:
    """Pick the position of today for the club of the site, once there is one to pick."""
    daily_puzzles.daily_pick(day=daily_puzzles.today())
