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
    "open brackets": "(;" * 4_000_000,
    "deep trees": "(;GM[6]" * 600_000 + ")" * 600_000,
    "empty trees": "()" * 4_000_000,
    "backslashes": "(;GM[6]C[" + "\\" * 8_000_000 + "])",
    "endless backslashes": "(;GM[6]C[" + "\\" * 8_000_000,
    "one endless value": "(;GM[6]C[" + "x" * 8_000_000,
    "values": "(;GM[6]" + "AW[a]" * 1_600_000 + ")",
    "short values": "(;GM[6]" + f"W{'[ab]' * 100}" * 20_000 + ")",
    "skipped values": "(;GM[6]A" + "[]" * 4_000_000 + ")",
    "letters": "(;GM[6]W[" + "a" * 8_000_000 + "])",
    "names without values": "(;" + "A" * 8_000_000,
    "two bytes and line ends": "(;GM[6]C[ñ" + "\r\n" * 4_000_000 + "])",
    "four bytes and line ends": "(;GM[6]C[\U0001f600" + "x\r\n" * 2_700_000 + "])",
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
