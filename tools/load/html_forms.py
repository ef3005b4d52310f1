"""Read the forms of a page, as a browser without scripts would send them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser

UNSENT = ("submit", "button", "image", "file", "reset")


@dataclass
class Form:
    """The data that a form would send unchanged; `choices` are the values of its radio buttons by name."""

    action: str
    fields: dict[str, str] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.inside: Form | None = None
        self.select = ""
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.inside = Form(attributes.get("action", ""))
            self.forms.append(self.inside)
        if self.inside is None:
            return
        name = attributes.get("name", "")
        if tag == "input" and name:
            self._input(self.inside, name, attributes, checked="checked" in attributes)
        elif tag == "select":
            self.select = name
        elif tag == "option" and self.select and ("selected" in attributes or self.select not in self.inside.fields):
            self.inside.fields[self.select] = attributes.get("value", "")
        elif tag == "textarea":
            self.text = name

    def _input(self, form: Form, name: str, attributes: Mapping[str, str], *, checked: bool) -> None:
        kind = attributes.get("type", "text")
        if kind == "radio":
            form.choices.setdefault(name, []).append(attributes.get("value", "on"))
        if kind not in UNSENT and (checked or kind not in ("radio", "checkbox")):
            form.fields[name] = attributes.get("value", "on" if kind == "checkbox" else "")

    def handle_data(self, data: str) -> None:
        if self.text and self.inside is not None:
            self.inside.fields[self.text] = data.removeprefix("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = None
        elif tag == "select":
            self.select = ""
        elif tag == "textarea":
            self.text = ""


def forms_of(page: str, action: str = "") -> list[Form]:
    """Return the forms of a page whose URL ends with `action`, in their order."""
    reader = _Reader()
    reader.feed(page)
    return [form for form in reader.forms if form.action.endswith(action)]
