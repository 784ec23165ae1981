"""Functions of the user: `.func name(a,b)=expr`. They may be used before their definition, and never by themselves.

A call is worked out by reading the expression of the function with the values of its arguments in place of its formals:
numbers where numbers are wanted, formulas where formulas are. How much work that may be is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from chainlist.model.compound import check_compound
from chainlist.model.desk import Problem
from chainlist.model.evaluate import calls_in, fold, names_in, operands, wrong_number
from chainlist.syntax.diagnostics import Related
from chainlist.syntax.tree import Call, Expr, Name, Product

MOST_WORK = 100_000  # nodes of functions of the user in one expression
DEEPEST_CALLS = 60  # calls inside calls
_SHOWN = 3  # calls that a message shows


@dataclass(eq=False)
class UserFunction:
    """One function. A broken one was reported: what uses it stays silent."""

    name: Name
    formals: tuple[Name, ...] = ()
    body: Expr | None = None
    size: int = 0
    broken: bool = False

    @property
    def usage(self) -> str:
        return f"{self.name.text}({','.join(formal.text for formal in self.formals)})"


class UserFunctions:
    """All functions of a chainlist, by their name in lower case."""

    def __init__(self) -> None:
        self.known: dict[str, UserFunction] = {}

    def add(self, name: Name, formals: tuple[Name, ...], body: Expr) -> UserFunction:
        function = UserFunction(name, formals, body, _size(body))
        self.known[name.key] = function
        return function

    def give_up(self, name: Name) -> None:
        """A function whose definition is broken."""
        self.known.setdefault(name.key, UserFunction(name)).broken = True

    def called_in(self, expression: Expr) -> Iterator[UserFunction]:
        """The functions that an expression calls by itself."""
        for call in calls_in(expression):
            if call.function.key in self.known:
                yield self.known[call.function.key]

    def names_needed(self, expression: Expr) -> Iterator[Name]:
        """The names that the functions called in an expression refer to, by way of other functions too."""
        seen: set[str] = set()
        todo = list(self.called_in(expression))
        while todo:
            function = todo.pop()
            if function.name.key in seen or function.body is None:
                continue
            seen.add(function.name.key)
            formals = {formal.key for formal in function.formals}
            yield from (name for name in names_in(function.body) if name.key not in formals)
            todo.extend(self.called_in(function.body))


def _size(expression: Expr) -> int:
    count, todo = 0, [expression]
    while todo:
        count += 1
        todo.extend(operands(todo.pop()))
    return count


T = TypeVar("T")


class Evaluator(Generic[T]):
    """Reads expressions into values of one kind; what it knows besides functions of the user is in `leaf` and `join`."""

    def __init__(self, functions: UserFunctions):
        self.functions = functions
        self._bound: dict[str, T] = {}  # formals of the function that is being worked out
        self._calls = 0  # of functions inside one another
        self._work = 0

    def leaf(self, node: Expr) -> T | None:
        """The value of a node that is not made of others; None for one that is."""
        raise NotImplementedError

    def join(self, node: Expr, parts: list[T]) -> T:
        """The value of a node from those of its operands."""
        raise NotImplementedError

    def truth(self, value: T) -> bool | None:
        """Whether a condition holds; None where this is not known before the run."""
        raise NotImplementedError

    def is_value(self, key: str) -> bool:
        """Whether a name in lower case is that of a parameter here."""
        return key in self._bound

    @property
    def in_function(self) -> bool:
        """True while the expression of a function is worked out: its names are those of the chainlist."""
        return self._calls > 0

    def evaluate(self, expression: Expr) -> T:
        if self._calls:
            return fold(expression, self._leaf, self._join, self.truth)
        self._work = 0
        try:
            return fold(expression, self._leaf, self._join, self.truth)
        except RecursionError:
            raise _too_much(expression, "is nested too deep") from None

    def _leaf(self, node: Expr) -> T | None:
        if self._bound and isinstance(node, Name) and node.key in self._bound:
            return self._bound[node.key]
        if isinstance(node, Call) and node.function.key in self.functions.known:
            function = self.functions.known[node.function.key]
            if function.broken:
                raise Problem()
            if len(node.arguments) != len(function.formals):
                raise wrong_call(node, function)
            return None
        if isinstance(node, Product):
            check_compound(node, self.is_value)
        return self.leaf(node)

    def _join(self, node: Expr, parts: list[T]) -> T:
        if isinstance(node, Call) and node.function.key in self.functions.known:
            return self._call(node, self.functions.known[node.function.key], parts)
        return self.join(node, parts)

    def _call(self, node: Call, function: UserFunction, values: list[T]) -> T:
        assert function.body is not None
        self._work += function.size
        if self._work > MOST_WORK:
            raise _too_much(node, f"takes more than {MOST_WORK:,} operations")
        if self._calls >= DEEPEST_CALLS:
            raise _too_much(node, f"calls functions more than {DEEPEST_CALLS} deep inside one another")
        before = self._bound
        self._bound = {formal.key: value for formal, value in zip(function.formals, values, strict=True)}
        self._calls += 1
        try:
            return self.evaluate(function.body)
        except Problem as problem:
            if problem.code == "E218":
                problem.span = node.span  # the whole is too much, not the call at which the limit was met
            elif problem.code and len(problem.also) < _SHOWN:
                problem.also = (*problem.also, Related(node.span, f"{function.name.text} is called here"))
            raise
        finally:
            self._bound = before
            self._calls -= 1


def wrong_call(node: Call, function: UserFunction) -> Problem:
    problem = wrong_number(node, len(function.formals), function.usage)
    problem.also = (Related(function.name.span, "defined here"),)
    return problem


def _too_much(node: Any, why: str) -> Problem:
    return Problem(
        "E218",
        f"this expression {why}",
        node.span,
        label="too much work",
        help="functions that call one another several times grow fast: compute parts of it with .param",
    )
