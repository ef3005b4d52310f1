"""Static file storage with hashed file names, ES-module imports included."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.contrib.staticfiles import storage


class ManifestStaticFilesStorage(storage.ManifestStaticFilesStorage):
    """Django's manifest storage, which also rewrites `import ... from "./x.js"` (one import a line).

    `import("../x")` in a comment is a type for the type checker, so comments are left unchanged.
    """

    support_js_module_import_aggregation = True
    max_post_process_passes = 20  # the depth to which our modules may import each other

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Only these scripts import each other; searching the megabytes of vendored bundles takes seconds.
        patterns: dict[str, Any] = vars(self)["_patterns"]
        modules = patterns.pop("*.js")
        patterns |= {"js/*.js": modules, "vendor/noble-hashes/*.js": modules}

    def url_converter(self, *args: Any, **kwargs: Any) -> Callable[[re.Match[str]], str]:
        convert = super().url_converter(*args, **kwargs)

        def outside_comments(match: re.Match[str]) -> str:
            line = match.string[match.string.rfind("\n", 0, match.start()) + 1 : match.start()]
            return match.group() if line.lstrip().startswith(("*", "/*", "//")) else convert(match)

        return outside_comments
