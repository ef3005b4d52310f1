"""Bots that members bring: an account of their own, labelled, and a token with which their engine plays over the API.

Nobody can log in to such an account, and it never plays rated (games.services.offers).
"""

from __future__ import annotations
