"""The whole matrix: its areas, the routes that it must cover, and the errors of both."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import traceback
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver, resolve

from tests.access import areas
from tests.access.cell_check import ask
from tests.access.matrix_format import LETS_IN, Area, Row
from tests.access.world import World


def load_areas() -> list[Area]:
    """The areas in the order of their names."""
    names = sorted(module.name for module in pkgutil.iter_modules(areas.__path__))
    return [importlib.import_module(f"{areas.__name__}.{name}").AREA for name in names]


def routes(resolver: URLResolver | None = None, before: str = "", space: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Every route of the site by its name, or else by its URL."""
    for pattern in (resolver or get_resolver()).url_patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern, path, space + (f"{pattern.namespace}:" if pattern.namespace else ""))
        else:
            yield (space + pattern.name if pattern.name else _bare(path)), pattern


def _bare(path: str) -> str:
    """The URL of a route without a name, with arguments of the world in place of its patterns."""
    return "/" + path.lstrip("^")


def without_row(all_areas: list[Area]) -> list[str]:
    """The routes without a row. Unnamed routes of the admin redirect to its other ones."""
    have = {row.route for area in all_areas for row in area.rows}
    unnamed = {resolve(_plain(path)).route for path in have if path.startswith("/")}
    return sorted(
        name
        for name, _ in routes()
        if name not in have and name.lstrip("/").replace("^", "") not in unnamed and not name.startswith("/admin/")
    )


def acts_without_row(all_areas: list[Area]) -> list[str]:
    """The declared methods of API views without a row, except the catch-all."""
    have = {(row.route, row.method) for area in all_areas for row in area.rows}
    views = [(name, getattr(pattern.callback, "cls", None)) for name, pattern in routes()]
    declared = {(name, method) for name, view in views for method in getattr(view, "access", {}) if name[:1] != "/"}
    return sorted(f"{method} {name}" for name, method in declared - have)


def without_route(all_areas: list[Area]) -> list[str]:
    """The rows whose route is gone."""
    known = {name for name, _ in routes()}
    return sorted({row.route for area in all_areas for row in area.rows if not row.route.startswith("/")} - known)


def _plain(path: str) -> str:
    """A URL with a placeholder in place of the arguments of the world."""
    return re.sub(r"\{\w+\}", "1", path)


def sampled_actors(area: Area, row: Row) -> set[str]:
    """The actors with whom the tests request a row: all who are refused, and four among those who get the same."""
    sample: set[str] = set()
    for letter in set(row.letters):
        actors = [actor for actor, outcome in zip(area.actors, row.letters, strict=True) if outcome == letter]
        sample.update(actors[:: -(-len(actors) // 4)] if letter in LETS_IN else actors)
    return sample


def request_row(world: World, area: Area, row: Row, *, of: Collection[str] = ()) -> tuple[str, list[str]]:
    """The actual letters of a row and its errors; actors not in `of` keep the letters of the row."""
    letters, wrong = "", []
    for n, actor in enumerate(area.actors):
        if of and actor not in of:
            letters += row.letters[n]
            continue
        try:
            reply = ask(world, row, actor)
            letter = reply.letter
            if letter == "D" and row.method in ("GET", "HEAD"):
                letter = "V" if row.writes else "W"
            if letter == "W":
                wrong.append(f"{row}: {actor}: a page view that wrote {reply.written}")
            if letter == "!":
                wrong.append(f"{row}: {actor}: {reply.answer.status_code}, wrote {reply.written}")
        except Exception:  # any error is a wrong cell; the others are still requested
            letter = "!"
            wrong.append(f"{row}: {actor}: {traceback.format_exc(limit=-4)}")
        letters += letter
    return letters, wrong


def wrong_cells(world: World, area: Area) -> list[str]:
    """The rows of an area with wrong cells, and all errors. Requests enough cells, not all."""
    wrong = []
    for row in area.rows:
        letters, errors = request_row(world, area, row, of=sampled_actors(area, row))
        wrong += errors
        if letters != row.letters:
            wrong.append(f"{row}: is {spaced(letters)}, should be {spaced(row.letters)}")
    return wrong


def failing_pages(world: World, area: Area) -> list[str]:
    """The page views of an area that fail for the last permitted actor, who has the most rights."""
    wrong = []
    for row in area.rows:
        if row.method == "GET" and "V" in row.letters:
            actor = area.actors[row.letters.rindex("V")]
            letters, errors = request_row(world, area, row, of=[actor])
            wrong += errors or ([] if letters == row.letters else [f"{row}: {actor}: is {spaced(letters)}"])
    return wrong


def spaced(letters: str) -> str:
    return " ".join((letters[:2], letters[2:6], letters[6:])).strip()


def writes_without_row(world: World, all_areas: list[Area]) -> list[str]:
    """The errors of methods without a row: requests that write, fail, or answer a page view or a form submission.

    They are sent as the owner of the objects and as staff.
    """
    wrong = []
    for name, arguments in _addresses(all_areas).items():
        methods = {row.method for area in all_areas for row in area.rows if row.route == name}
        if "POST" in methods:
            methods.add("PUT")  # the same to the form views of Django
        for method in sorted({"GET", "POST", "PUT", "PATCH", "DELETE"} - methods):
            row = Row(name, f"{method} {arguments}".strip(), "")
            for actor in ("player", "staff") if method in ("GET", "POST") else ("player",):
                reply = ask(world, row, actor)
                answered = method in ("GET", "POST") and reply.letter not in "HMR"
                if reply.written or reply.answer.status_code >= 500 or answered:
                    wrong.append(f"{row}: {actor}: {reply.answer.status_code}, wrote {reply.written}, and has no row")
    return wrong


def forgeable_forms(world: World, all_areas: list[Area]) -> list[str]:
    """The forms that accept a cross-site request of a permitted actor."""
    wrong = []
    for area in all_areas:
        for row in area.rows:
            if row.method in ("GET", "HEAD") or not row.csrf or "D" not in row.letters or row.headers:
                continue
            actor = area.actors[row.letters.index("D")]
            client = world.clients[actor]
            client.handler.enforce_csrf_checks = True
            reply = ask(world, row, actor)
            client.handler.enforce_csrf_checks = False
            if reply.answer.status_code != 403 or reply.written:
                wrong.append(f"{row}: {actor}: {reply.answer.status_code}, wrote {reply.written}, without a token")
    return wrong


def _addresses(all_areas: list[Area]) -> dict[str, str]:
    """Each route of the site with the URL arguments of its first row, without the admin."""
    found: dict[str, str] = {}
    for area in all_areas:
        if area.name != "admin":
            for row in area.rows:
                found.setdefault(row.route, " ".join(row.args))
    return found


def report(world: World, *, only: str = "", rewrite: bool = False, quiet: bool = False) -> list[str]:
    """Request every cell and print the matrix. Returns the errors."""
    wrong: list[str] = []
    cells, rows = 0, 0
    all_areas = load_areas()
    for area in all_areas:
        if only and only not in area.name:
            continue
        if not quiet:
            print(f"\n{area.name}: {', '.join(area.actors)}")
        for row in area.rows:
            letters, errors = request_row(world, area, row)
            wrong += errors
            rows, cells = rows + 1, cells + len(letters)
            if row.gets and letters != row.letters:
                wrong.append(f"{row}: is {spaced(letters)}, should be {spaced(row.letters)}")
            if not quiet:
                print(f"  {spaced(letters):13} {row}{'' if row.gets == '' or letters == row.letters else '   <--'}")
            if rewrite and not row.gets:
                _rewrite(area, row, spaced(letters))
    missing, unknown = (
        ([], []) if only else (without_row(all_areas) + acts_without_row(all_areas), without_route(all_areas))
    )
    if not only:
        wrong += writes_without_row(world, all_areas) + forgeable_forms(world, all_areas)
    wrong += [f"no row for the route {name}" for name in missing] + [f"no route {name}" for name in unknown]
    wrong += [f"no letters: {row}" for area in all_areas for row in area.rows if not row.gets and not rewrite]
    print("\n".join(["", *wrong]))
    print(f"{len({name for name, _ in routes()})} routes, {rows} rows, {cells} cells; {len(wrong)} wrong")
    return wrong


def _rewrite(area: Area, row: Row, letters: str) -> None:
    """Write the letters into the first line of the area that is this row without letters."""
    for module in pkgutil.iter_modules(areas.__path__):
        found_: Any = importlib.import_module(f"{areas.__name__}.{module.name}")
        if found_.AREA is not area:
            continue
        path = Path(str(inspect.getsourcefile(found_)))
        lines = path.read_text().splitlines(keepends=True)
        args = re.escape(" ".join(row.args))
        pattern = re.compile(rf'(.*\(\s*"{re.escape(row.route)}", "(?:{row.method} ?)?{args}", )""')
        for n, line in enumerate(lines):
            if pattern.match(line):
                lines[n] = pattern.sub(rf'\g<1>"{letters}"', line, count=1)
                path.write_text("".join(lines))
                return
