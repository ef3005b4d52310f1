"""Reading bodies as JSON."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class JsonParser(JSONParser):
    """REST framework's. What is nested too deep to be read, or holds half a character (a lone surrogate, which no
    answer could repeat), is as unreadable as any other nonsense.
    """

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        raw = stream.read()
        try:
            told = super().parse(io.BytesIO(raw), media_type, parser_context)
            if b"\\ud" in raw.lower():
                json.dumps(told, ensure_ascii=False).encode()
        except (RecursionError, UnicodeEncodeError) as error:
            raise ParseError from error
        return told
