"""The API of play, history and ratings. Thin: parse, call one service or selector, answer.

What the lines below do not name is answered 409.
"""

from accounts.api.errors import register_statuses

register_statuses(400, "bad_id", "bad_version", "bad_order", "element", "bad_frame", "unreadable_file")
register_statuses(403, "not_seated", "kept_out", "not_director", "not_yours", "not_creator")
register_statuses(404, "not_found", "no_such_player")
register_statuses(413, "too_large")
