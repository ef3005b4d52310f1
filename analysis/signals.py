"""What the reports announce to the rest of the analysis, after the commit."""

from django.dispatch import Signal

#: Sent for a report that is ready, with `report_id`. Receivers may run again after a crash: they are idempotent.
report_made = Signal()
