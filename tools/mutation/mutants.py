"""The mutants of a file: its source with one change each, by the operators of mutmut.

Left out is what no test of behaviour can notice: annotations and aliases of types, docstrings, decorators, `__all__`,
`__repr__`, built-in exceptions and the sentences of others, help texts, logging,
and `strict` of `zip`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import libcst as cst
import libcst.matchers as m
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

BUILT_IN_ERRORS = m.OneOf(
    *(m.Name(name) for name in ("AssertionError", "KeyError", "NotImplementedError", "RuntimeError")),
    *(m.Name(name) for name in ("IndexError", "TypeError", "ValueError", "SystemExit")),
)
ALIAS = m.Subscript() | m.BinaryOperation(operator=m.BitOr()) | m.Call(func=m.Name("TypeVar") | m.Name("NewType"))
UNNOTICED = ("description", "help", "metavar", "prog", "strict")
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
    m.Arg(keyword=m.OneOf(*map(m.Name, UNNOTICED))),
    m.Call(func=m.Attribute(value=m.Name("logger"))),
    m.Call(func=m.Name("cast")),
    m.DictElement(key=m.SimpleString('"error"')),
)
CRASHES = m.Call(func=m.Name("len") | m.Name("isinstance"))
"""Calls that any other arguments break: nothing is learned from those mutants."""


@dataclass(frozen=True)
class Change:
    """A node and what stands in its place. `lines` are those that a test has to reach to notice it.

    `statement` is the index of the statement of the module that it is in.
    """

    statement: int
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
        parts = list(_texts(self.module))
        changed = self.module.body[self.change.statement].deep_replace(self.change.old, self.change.new)
        assert isinstance(changed, cst.CSTNode)
        parts[self.change.statement + 1] = self.module.code_for_node(changed)
        return "".join(parts)

    @property
    def text(self) -> str:
        """What it changes, on one line."""
        nodes = self.change.old, self.change.new
        return " -> ".join(" ".join(self.module.code_for_node(node).split()) for node in nodes)


class Visitor(cst.CSTVisitor):
    """Collects the changes, with the line of the statement that each is in."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, module: cst.Module) -> None:
        super().__init__()
        self._top = set(map(id, module.body))
        self.changes: list[Change] = []
        self._statements = [1]
        self._index = -1
        self._raising = False

    def on_visit(self, node: cst.CSTNode) -> bool:
        if id(node) in self._top:
            self._index += 1
        if m.matches(node, LEFT_OUT) or _is_alias(node):
            return False
        self._raising = self._raising or isinstance(node, cst.Raise)
        if self._raising and isinstance(node, cst.SimpleString) and " " in node.value:
            return False  # a sentence for people
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
                    self.changes += [
                        Change(self._index, node, new, first, lines)
                        for new in operator(node)
                        if list(map(id, _unnoticed(new))) == list(map(id, _unnoticed(node)))
                    ]
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if isinstance(original_node, cst.Raise):
            self._raising = False
        if isinstance(original_node, cst.BaseStatement | cst.BaseSmallStatement) and not (
            m.matches(original_node, LEFT_OUT) or _is_alias(original_node)
        ):
            self._statements.pop()


@lru_cache(maxsize=1)
def _texts(module: cst.Module) -> tuple[str, ...]:
    """The source of a module: what stands before its statements, each of them, and what follows."""
    head, foot = ("".join(map(module.code_for_node, lines)) for lines in (module.header, module.footer))
    return (head, *map(module.code_for_node, module.body), foot)


def _unnoticed(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The arguments of a call that no test can notice: help texts, and `strict` of `zip`, which is an assertion."""
    arguments = node.args if isinstance(node, cst.Call) else ()
    return [each.value for each in arguments if each.keyword is not None and each.keyword.value in UNNOTICED]


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
    visitor = Visitor(wrapper.module)
    wrapper.visit(visitor)
    return [Mutant(path, number, change, wrapper.module) for number, change in enumerate(visitor.changes)]
