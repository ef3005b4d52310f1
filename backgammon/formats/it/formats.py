"""Italian date formats: Django's, without a zero before the day and without the weekday."""

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y, H:i"
