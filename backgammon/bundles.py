"""Bundles of static files: one script for a page instead of eighty modules, one sheet instead of nine.

`static/` stays as it is written; `make dev` and the tests of pages serve it. At collection a script for pages
becomes a bundle of itself and all modules that it imports, each as a function, in the order of their imports:

    $modules["js/i18n.js"] ??= (() => { ... return { fill, gettext }; })();
    $modules["js/lobby.js"] ??= (() => { const { gettext } = $modules["js/i18n.js"]; ... return {}; })();

`$modules` belongs to the page, so a module runs once even if two of its bundles have it. A sheet gets the sheets that
it imports in their places. Comments and blanks go. Modules keep to a plain part of JavaScript (docs/adr/0026): an
import or a list of exports is a whole line; no cycles, no `export let`, no `export default`, no `import()`, no `await`
outside functions. Anything else raises NotPlain.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator

import rcssmin
import rjsmin

Read = Callable[[str], str]
"""Returns the text of a static file by its name."""

IMPORT = re.compile(
    r"""^import\s+(?:(?P<what>\{[^{}"']*\}|\*\s*as\s+\w+)\s+from\s+)?["'](?P<url>\.{1,2}/[^"']+)["'];[ \t]*$""", re.M
)
DECLARED = re.compile(r"^export\s+(?=(?:async\s+)?(?:function\b\s*\*?|class\b|const\b)\s*(?P<name>[\w$]+))", re.M)
LISTED = re.compile(r"^export\s*\{(?P<names>[^{}]*)\}(?:\s+from\s+[\"'](?P<url>\.{1,2}/[^\"']+)[\"'])?;[ \t]*$", re.M)
SAID_OTHERWISE = re.compile(r"^(?:import|export)\b.*|^(?!/)(?!.*\basync\b)\S.*\bawait\b.*", re.M)
DYNAMIC = re.compile(r"\bimport(?:\(|\.meta\b).*")
SHEET = re.compile(r"""^@import\s+(?:url\()?["']?(?P<url>[\w./-]+)["']?\)?;[ \t]*$""", re.M)
SHEET_OTHERWISE = re.compile(r"^\s*@(?:import|charset)\b.*", re.M)
HEAD = 'const $modules = globalThis[Symbol.for("modules")] ??= {};'


class NotPlain(ValueError):
    """A file says something that no bundle can hold."""


def imports(name: str, text: str) -> list[str]:
    """Return the names of the modules that a module imports, in their order, each once."""
    found = [*IMPORT.finditer(text), *(each for each in LISTED.finditer(text) if each["url"])]
    return list(dict.fromkeys(beside(name, each["url"]) for each in sorted(found, key=lambda each: each.start())))


def entries(names: Iterable[str], read: Read) -> list[str]:
    """Return the scripts among `names` that pages may load: those in no subfolder, and those that no other imports."""
    names = list(names)
    imported = {other for name in names for other in imports(name, read(name))}
    return [name for name in names if name not in imported or name.count("/") == 1]


def modules(name: str, read: Read) -> list[str]:
    """Return a script and all that it imports, each once, after those that it imports. Raises NotPlain for a cycle."""
    done: list[str] = []

    def add(name: str, importers: tuple[str, ...]) -> None:
        if name in importers:
            raise NotPlain(f"modules import each other: {' -> '.join((*importers, name))}")
        if name not in done:
            for other in imports(name, read(name)):
                add(other, (*importers, name))
            done.append(name)

    add(name, ())
    return done


def script(name: str, read: Read) -> str:
    """Return the bundle of a script. Raises NotPlain."""
    parts, exported = [HEAD], dict[str, set[str]]()
    for each in modules(name, read):
        text, exported[each] = as_function(each, read(each), exported)
        parts.append(text)
    bundle = str(rjsmin.jsmin("\n".join(parts), keep_bang_comments=True))
    if other := DYNAMIC.search(bundle):
        raise NotPlain(f"{name}: {other.group()[:80]}")
    return bundle


def as_function(name: str, text: str, exported: dict[str, set[str]]) -> tuple[str, set[str]]:
    """Return a module as an expression that runs it once, and the names of its exports."""
    exports: dict[str, str] = {}

    def imported(found: re.Match[str]) -> str:
        source, what = beside(name, found["url"]), found["what"]
        if what is None:
            return ""
        if what.startswith("*"):
            return f"const {what.split()[-1]} = {module(source)};"
        pairs = list(renamed(what.strip("{}")))
        check(name, source, pairs, exported)
        return f"const {fields(pairs)} = {module(source)};"

    def declared(found: re.Match[str]) -> str:
        exports[found["name"]] = found["name"]
        return ""

    def listed(found: re.Match[str]) -> str:
        pairs = list(renamed(found["names"]))
        source = beside(name, found["url"]) if found["url"] else ""
        if source:
            check(name, source, pairs, exported)
        exports.update({theirs: f"{module(source)}.{ours}" if source else ours for ours, theirs in pairs})
        return ""

    body = LISTED.sub(listed, DECLARED.sub(declared, IMPORT.sub(imported, text)))
    if other := SAID_OTHERWISE.search(body):
        raise NotPlain(f"{name}: {other.group()}")
    return f"{module(name)} ??= (() => {{\n{body}\nreturn {fields(exports.items())};\n}})();", set(exports)


def check(name: str, source: str, pairs: Iterable[tuple[str, str]], exported: dict[str, set[str]]) -> None:
    """Raise NotPlain if a module imports what the other one does not export."""
    if missing := [theirs for theirs, _ in pairs if theirs not in exported[source]]:
        raise NotPlain(f"{name} imports {', '.join(missing)} from {source}, which does not export it")


def renamed(names: str) -> Iterator[tuple[str, str]]:
    """Yield the pairs of `a, b as c`: ("a", "a"), ("b", "c")."""
    for each in filter(None, (part.split() for part in names.split(","))):
        yield each[0], each[-1]


def fields(pairs: Iterable[tuple[str, str]]) -> str:
    """Return pairs as JavaScript writes an object and its destructuring: `{ a, b: c }`."""
    return f"{{ {', '.join(key if key == value else f'{key}: {value}' for key, value in pairs)} }}"


def module(name: str) -> str:
    """Return the expression for a module in a bundle."""
    return f'$modules["{name}"]'


def sheet(name: str, read: Read) -> str:
    """Return a sheet with the sheets that it imports in their places. Raises NotPlain."""
    return str(rcssmin.cssmin(_with_imports(name, read), keep_bang_comments=True))


def _with_imports(name: str, read: Read) -> str:
    def imported(found: re.Match[str]) -> str:
        other = beside(name, found["url"])
        if posixpath.dirname(other) != posixpath.dirname(name):
            raise NotPlain(f"{name} imports {other} from another folder: its addresses would be wrong")
        return _with_imports(other, read)

    whole = SHEET.sub(imported, read(name))
    if other := SHEET_OTHERWISE.search(whole):
        raise NotPlain(f"{name}: {other.group().strip()}")
    return whole


def beside(name: str, url: str) -> str:
    """Return the name of the file at a relative address in another file."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), url))
