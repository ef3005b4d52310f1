"""Parse JSON bodies."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class JsonParser(JSONParser):
    """REST framework's parser; JSON that is nested too deep, or has a lone surrogate, is a parse error as well."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        raw = stream.read()
        try:
            data = super().parse(io.BytesIO(raw), media_type, parser_context)
            if b"\\ud" in raw.lower():
                json.dumps(data, ensure_ascii=False).encode()
        except (RecursionError, UnicodeEncodeError) as error:
            raise ParseError from error
        return data
