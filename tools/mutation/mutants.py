"""The mutants of a file: its source with one change each, by the operators of mutmut.

Left out is what no test of behaviour can notice: annotations and aliases of types, docstrings, decorators, `__all__`,
`__repr__`, the texts of built-in exceptions and assertions, help texts and logging.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import libcst as cst
import libcst.matchers as m
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

BUILT_IN_ERRORS = m.OneOf(
    *(m.Name(name) for name in ("AssertionError", "KeyError", "NotImplementedError", "RuntimeError")),
    *(m.Name(name) for name in ("TypeError", "ValueError", "SystemExit")),
)
ALIAS = m.Subscript() | m.BinaryOperation(operator=m.BitOr()) | m.Call(func=m.Name("TypeVar") | m.Name("NewType"))
LEFT_OUT = m.OneOf(
    m.Annotation(),
    m.Decorator(),
    m.Import(),
    m.ImportFrom(),
    m.Expr(value=m.SimpleString() | m.ConcatenatedString()),
    m.FunctionDef(name=m.Name("__repr__")),
    m.AnnAssign(annotation=m.Annotation(annotation=m.Name("TypeAlias"))),
    m.Assign(targets=[m.AssignTarget(target=m.Name("__all__") | m.Name("__slots__"))]),
    m.Raise(exc=m.Call(func=BUILT_IN_ERRORS)),
    m.If(test=m.Name("TYPE_CHECKING")),
    m.Arg(keyword=m.Name("help") | m.Name("description") | m.Name("prog")),
    m.Call(func=m.Attribute(value=m.Name("logger"))),
    m.Call(func=m.Name("cast")),
)
CRASHES = m.Call(func=m.Name("len") | m.Name("isinstance"))
"""Calls that any other arguments break: nothing is learned from those mutants."""


@dataclass(frozen=True)
class Change:
    """A node and what stands in its place. `lines` are those that a test has to reach to notice it."""

    old: cst.CSTNode
    new: cst.CSTNode
    line: int
    lines: frozenset[int]


@dataclass(frozen=True)
class Mutant:
    """One change of a file, the `number`-th."""

    path: str
    number: int
    change: Change
    module: cst.Module

    @property
    def source(self) -> str:
        """The whole file with the change."""
        changed = self.module.deep_replace(self.change.old, self.change.new)
        assert isinstance(changed, cst.Module)
        return changed.code

    @property
    def text(self) -> str:
        """What it changes, on one line."""
        nodes = self.change.old, self.change.new
        return " -> ".join(" ".join(self.module.code_for_node(node).split()) for node in nodes)


class Visitor(cst.CSTVisitor):
    """Collects the changes, with the line of the statement that each is in."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self) -> None:
        super().__init__()
        self.changes: list[Change] = []
        self._statements = [1]

    def on_visit(self, node: cst.CSTNode) -> bool:
        if m.matches(node, LEFT_OUT) or _is_alias(node):
            return False
        place = self.get_metadata(PositionProvider, node, None)
        if isinstance(node, cst.BaseStatement | cst.BaseSmallStatement):
            self._statements.append(place.start.line if place else self._statements[-1])
        first, last = (place.start.line, place.end.line) if place else (self._statements[-1],) * 2
        if isinstance(node, cst.BaseCompoundStatement):
            last = first
        lines = frozenset({self._statements[-1], *range(first, last + 1)})
        if not m.matches(node, CRASHES):
            for kind, operator in mutation_operators:
                if isinstance(node, kind):
                    self.changes += [Change(node, new, first, lines) for new in operator(node)]
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if isinstance(original_node, cst.BaseStatement | cst.BaseSmallStatement) and not (
            m.matches(original_node, LEFT_OUT) or _is_alias(original_node)
        ):
            self._statements.pop()


def _is_alias(node: cst.CSTNode) -> bool:
    """Whether a statement names a type: `Kind = Literal["match", "game"]`."""
    return (
        isinstance(node, cst.Assign)
        and isinstance(target := node.targets[0].target, cst.Name)
        and target.value[:1].isupper()
        and not target.value.isupper()
        and m.matches(node.value, ALIAS)
    )


def mutants_of(root: Path, path: str) -> list[Mutant]:
    """All mutants of a file."""
    wrapper = MetadataWrapper(cst.parse_module((root / path).read_text("utf-8")))
    visitor = Visitor()
    wrapper.visit(visitor)
    return [Mutant(path, number, change, wrapper.module) for number, change in enumerate(visitor.changes)]
