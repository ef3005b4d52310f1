"""Signals of `accounts` to the apps above it, all sent inside the transaction of the change."""

from django.dispatch import Signal

#: A user blocks, mutes or follows another, or ends that: `by_id`, `about_id`, `kind` (`Relationship.Kind`) and
#: `active` (False: ended).
relationships_changed = Signal()

#: A user asks to join a club: `request` (`JoinRequest`).
join_request_created = Signal()

#: A join request is answered: `request`; `by_owner` is False where the user joined by an invitation instead.
join_request_answered = Signal()

#: The support changed a username: `user_id`, `was` and `now`.
user_renamed = Signal()

#: Tokens of a user are revoked: `user_id`.
tokens_revoked = Signal()

#: Sessions of a user end early: `user_id`, `sessions` (their keys) and `everywhere` (True: all of them, so that other
#: access is to be revoked as well).
sessions_ended = Signal()
