"""The forms of tournaments, clubs and seasons."""
