"""Very large and deeply nested inputs, which readers must survive."""

from __future__ import annotations

from games.formats.decoding import MOST_BYTES

HEAD = " 3 point match\n\n Game 1\n ana : 0                         bea : 0\n"

TEXTS = {
    "a million moves on a line": HEAD + ("  1) " + "31: 8/5 6/5 " * 80_000),
    "one long play": HEAD + ("  1) 31: " + "8/5 " * 250_000),
    "one long word": HEAD + ("  1) 31: " + "8" * 1_000_000),
    "many games": HEAD + " Game 2\n" * 100_000,
    "many short lines": HEAD + ("  1) 31: 8/5 6/5\n" * 60_000),
    "many headings": '; [Site "x"]\n' * 80_000 + HEAD,
    "colons": HEAD + (" :" * 500_000),
    "long names": HEAD.replace("ana", "a" * 500_000).replace("bea", "b :" * 100_000),
    "huge numbers": HEAD + ("  9999999999) 31: 8/5 6/5  Wins " + "9" * 100_000 + " points"),
    "open brackets": "(;" * 500_000,
    "deep trees": "(;GM[6]" * 100_000 + ")" * 100_000,
    "backslashes": "(;GM[6]C[" + "\\" * 1_000_000,
    "one endless value": "(;GM[6]C[" + "x" * 1_000_000,
    "values": "(;GM[6]" + "AW[a]" * 200_000 + ")",
    "letters": "(;GM[6]W[" + "a" * 1_000_000 + "])",
    "names without values": "(;" + "A" * 1_000_000,
    "deep JSON": '{"a":' * 200_000,
    "a long JSON list": '{"format": "tablero-match/1", "games": [' + "0," * 500_000 + "0]}",
    "a long number": '{"format": ' + "1" * 1_000_000 + "}",
    "PDN braces": '[White "a"]\n' + "{" * 1_000_000,
    "PDN brackets": '[White "a"]\n' + "(" * 1_000_000,
    "PDN moves": '[White "a"]\n' + "1. 11-16 " * 100_000,
    "PDN quotes": '[White "' + "\\" * 1_000_000,
    "spaces": " " * 500_000 + "5 point match\n Game 1\n" + " " * 400_000,
    "zeros": "\0" * 1_000_000,
}

HUGE = {name: text.encode()[:MOST_BYTES] for name, text in TEXTS.items()}
