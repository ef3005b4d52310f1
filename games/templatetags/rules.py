"""Block tags of the rules pages: sections with their permalink, and diagrams."""

from __future__ import annotations

import json

from django import template
from django.template.context import Context
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from games.diagrams import DIAGRAMS

register = template.Library()


@register.simple_block_tag(takes_context=True)
def section(context: Context, content: SafeString, anchor: str) -> SafeString:
    """One section of a page of rules: heading, ruling number, permalink. Its title stands in games/rules_pages.py."""
    return render_to_string("rules/_section.html", {"section": context["sections"][anchor], "content": content})


@register.simple_block_tag
def diagram(content: SafeString, name: str) -> SafeString:
    """A position drawn by the board, with a description for screen readers and a caption."""
    shown = DIAGRAMS[name]
    data = json.dumps(shown.json(), separators=(",", ":"))
    context = {"name": name, "diagram": shown, "data": data, "caption": content}
    return render_to_string("rules/_diagram.html", context)
