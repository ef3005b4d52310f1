"""Bundles of scripts and sheets: every module once, in order, and nothing that a bundle cannot hold."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from backgammon import bundles
from backgammon.bundles import NotPlain
from tools.services.environment import ROOT

SOURCES = {
    "js/page.js": (
        "/** What a page does. */\n"
        'import { one, two as second } from "./parts/one.js";\n'
        'import * as texts from "./texts.js";\n'
        'import "./parts/effect.js";\n'
        "globalThis.said.push(one(), second, texts.word);\n"
    ),
    "js/parts/one.js": (
        'import { word } from "../texts.js";\n'
        '/** @param {import("./other.js").Other} other */\n'
        "export function one(other) {\n"
        "  return `${word} // one`;\n"
        "}\n"
        "const three = 3;\n"
        "export { three as two };\n"
    ),
    "js/parts/effect.js": 'globalThis.said.push("effect");\nexport {};\n',
    "js/texts.js": 'globalThis.said.push("texts");\nexport const word = "import x";\n',
    "js/other.js": (
        'export { word as again } from "./texts.js";\nexport class Other {}\nexport async function late() {}\n'
    ),
    "css/page.css": '/* All. */\n@import url("base.css");\n@import "board.css";\np { color: red; }\n',
    "css/base.css": "body { margin: 0 auto; }\n",
    "css/board.css": '.bd { background: url("../img/wood.svg"); }\n',
}


def read(name: str, **changed: str) -> str:
    return {**SOURCES, **changed}[name]


def bundle_of(text: str) -> str:
    """The bundle of a page with this script."""
    return bundles.script("js/page.js", lambda name: text if name == "js/page.js" else SOURCES[name])


def run(*scripts: str) -> str:
    """What scripts of one page say, in node."""
    if (node := shutil.which("node")) is None:
        pytest.skip("node is missing: apt install nodejs")
    page = "\n".join(f"{{{script}}}" for script in scripts)
    code = f"globalThis.said = [];\n{page}\nconsole.log(said.join('|'));"
    done = subprocess.run([node, "--input-type=module"], input=code, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_pages_may_load_what_is_in_no_subfolder_or_not_imported() -> None:
    scripts = ["js/page.js", "js/parts/one.js", "js/parts/effect.js", "js/parts/alone.js", "js/texts.js"]
    assert bundles.entries(scripts, lambda name: SOURCES.get(name, "")) == [
        "js/page.js",
        "js/parts/alone.js",
        "js/texts.js",
    ]


def test_a_module_comes_once_and_after_those_that_it_imports() -> None:
    assert bundles.modules("js/page.js", read) == ["js/texts.js", "js/parts/one.js", "js/parts/effect.js", "js/page.js"]


def test_a_bundle_does_what_its_modules_do() -> None:
    assert run(bundles.script("js/page.js", read)) == "texts|effect|import x // one|3|import x"


def test_a_module_of_two_bundles_runs_once_on_a_page() -> None:
    after = 'globalThis.said.push(Object.keys(globalThis[Symbol.for("modules")]["js/other.js"]).sort());'
    scripts = [bundles.script(name, read) for name in ("js/page.js", "js/other.js")]
    assert run(*scripts, after) == "texts|effect|import x // one|3|import x|Other,again,late"


def test_comments_and_blanks_go() -> None:
    assert bundle_of("// nothing\nconst  a  =  1; /* and more */\n") == (
        'const $modules=globalThis[Symbol.for("modules")]??={};$modules["js/page.js"]??=(()=>{const a=1;return{};})();'
    )


@pytest.mark.parametrize(
    "text",
    [
        'import thing from "./texts.js";',
        'import {\n  word,\n} from "./texts.js";\nexport default 1;',
        "export let count = 0;",
        "export default class {}",
        'const texts = await import("./texts.js");',
        'export const load = () => import("./texts.js");',
        "export const here = import.meta.url;",
        'const answer = await fetch("/");',
    ],
)
def test_what_no_bundle_can_hold_is_refused(text: str) -> None:
    with pytest.raises(NotPlain):
        bundle_of(text)


def test_the_import_of_what_is_not_exported_is_refused() -> None:
    with pytest.raises(NotPlain, match=r"^js/page\.js imports letter from js/texts\.js, which does not export it$"):
        bundle_of('import { word, letter } from "./texts.js";\n')


def test_modules_that_import_each_other_are_refused() -> None:
    around = {"js/a.js": 'import "./b.js";', "js/b.js": 'import "./a.js";'}
    with pytest.raises(NotPlain, match=r"js/a\.js -> js/b\.js -> js/a\.js"):
        bundles.script("js/a.js", around.__getitem__)


def test_a_sheet_has_the_sheets_that_it_imports_in_their_places() -> None:
    whole = 'body{margin:0 auto}.bd{background:url("../img/wood.svg")}p{color:red}'
    assert bundles.sheet("css/page.css", read) == whole


@pytest.mark.parametrize("text", ['@import url("../other/base.css");', '@import url("base.css") print;'])
def test_an_import_that_would_change_its_meaning_is_refused(text: str) -> None:
    with pytest.raises(NotPlain):
        bundles.sheet("css/page.css", lambda name: text if name == "css/page.css" else "")


def test_every_script_of_the_site_is_a_bundle_with_each_of_its_modules_once() -> None:
    def source(name: str) -> str:
        return (ROOT / "static" / name).read_text()

    scripts = [path.relative_to(ROOT / "static").as_posix() for path in (ROOT / "static/js").rglob("*.js")]
    pages = bundles.entries(scripts, source)
    made = {name: bundles.script(name, source) for name in pages}
    held = {name: re.findall(r'\$modules\["([^"]+)"\]\?\?=', text) for name, text in made.items()}
    assert held == {name: bundles.modules(name, source) for name in pages}
    assert {name for names in held.values() for name in names} >= {*scripts}
