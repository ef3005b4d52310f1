"""Ladders of a club: their rules, challenges, seasons and pages. Built on `games`, which knows nothing of them."""
