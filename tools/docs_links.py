"""A hook of MkDocs: links of pages to files that are not part of the site.

`make docs` is strict about links between pages. Links to the code, to folders and to pages beside docs/ stay as they
are in the repository; on the site they lead to it where `REPOSITORY_URL` is set, else their text remains.
"""

from __future__ import annotations

import os
import posixpath
import re
from typing import Any

LINK = re.compile(r"(?<!!)\[(?P<text>[^\]\[]*)\]\((?P<path>(?!https?:|mailto:|#)[^)#\s]+)(?:#[^)]*)?\)")


def on_page_markdown(markdown: str, *, page: Any, files: Any, **_: Any) -> str:
    """Replace the links of a page that lead outside of the site."""
    pages = {file.src_uri for file in files if not file.inclusion.is_excluded()}
    return replaced(markdown, page.file.src_uri, pages, os.environ.get("REPOSITORY_URL", ""))


def replaced(markdown: str, page: str, pages: set[str], repository: str) -> str:
    """Return the text of a page with its links outside of `pages` replaced."""

    def link(found: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), found["path"]))
        if path.removeprefix("docs/") in pages and path.startswith("docs/"):
            return found.group()
        return f"[{found['text']}]({repository.rstrip('/')}/{path})" if repository else found["text"]

    return LINK.sub(link, markdown)
