"""The one error that a player can cause: an action that the rules refuse."""

from __future__ import annotations

from typing import Any


class Illegal(Exception):
    """An action that the rules refuse.

    `code` names the reason, `ruling` cites docs/rulings.md, `params` are the squares of the case. The product
    translates `code` into a sentence and fills in `params`.
    """

    def __init__(self, code: str, ruling: str = "", /, **params: Any) -> None:
        super().__init__(code, ruling)
        self.code = code
        self.ruling = ruling
        self.params: dict[str, Any] = params

    def __str__(self) -> str:
        squares = ", ".join(f"{name}={value!r}" for name, value in self.params.items())
        return f"{self.code}: {self.ruling}" + (f" ({squares})" if squares else "")
