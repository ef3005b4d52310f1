"""The API of play, history, ratings and ladders. Thin: parse, call one service or selector, answer.

What the lines below do not name is answered 409.
"""

from accounts.api.errors import refused_with

refused_with(400, "bad_id", "bad_version", "bad_order", "element", "bad_frame", "unreadable_file")
refused_with(403, "not_seated", "kept_out", "not_director", "ladder_not_director", "not_yours", "not_creator")
refused_with(404, "not_found", "no_such_player")
refused_with(413, "too_large")
