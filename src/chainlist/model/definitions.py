"""The .func cards of a chainlist: what they define, and all that can be wrong with them before they are used."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import zip_longest

from chainlist.formula.functions import FUNCTIONS
from chainlist.model.desk import Problem
from chainlist.model.evaluate import CONSTANTS, WORDS, function_of, not_a_number, operands
from chainlist.model.functions import UserFunction, wrong_call
from chainlist.model.observables import OBSERVABLES
from chainlist.model.parameters import Scope
from chainlist.model.suggest import same_name
from chainlist.syntax.diagnostics import Related
from chainlist.syntax.tree import (
    Argument,
    Broken,
    Call,
    Command,
    Equality,
    Expr,
    Name,
    Number,
    Point,
    Setting,
    Statement,
    Submachine,
)

_WRITE = "write .func f(a,b)=a+b"
_SHOWN = 8  # names of a circle that a message lists


def define_functions(statements: Iterable[Statement], scope: Scope) -> None:
    """Enter the .func cards into the functions of a scope, those of the whole chainlist; tell what is wrong with them."""
    equations: list[Equality] = []
    for statement in statements:
        if isinstance(statement, Broken):
            _give_up(statement, scope)
        if isinstance(statement, Submachine):  # told where it stands
            for equation in function_cards(statement.body):
                scope.functions.give_up(_head(equation))
        if not isinstance(statement, Command) or statement.keyword.key != "func":
            continue
        if not statement.arguments:
            problem = Problem("E215", ".func defines nothing", statement.span, label="nothing follows", help=_WRITE)
            scope.desk.tell(problem)
        for argument, behind in zip_longest(statement.arguments, statement.arguments[1:]):
            if isinstance(argument, Equality):
                equations.append(argument)
            else:
                scope.desk.tell(_not_an_equation(argument, behind))
                if isinstance(argument, Call):
                    scope.functions.give_up(argument.function)
                    break  # what follows was meant as its value
    enter_functions(equations, scope)


def function_cards(statements: Iterable[Statement]) -> tuple[Equality, ...]:
    """What the .func cards say."""
    cards = (s for s in statements if isinstance(s, Command) and s.keyword.key == "func")
    return tuple(a for card in cards for a in card.arguments if isinstance(a, Equality))


def enter_functions(equations: Iterable[Equality], scope: Scope) -> None:
    """Define functions of the user, and check them once all are known."""
    found = []
    for equation in equations:
        assert isinstance(equation.left, Call)
        try:
            found.append(_define(equation.left, equation.right, scope))
        except Problem as problem:
            scope.desk.tell(problem)
            if _head(equation).key not in WORDS and _head(equation).key not in OBSERVABLES:
                scope.functions.give_up(_head(equation))
    for function in found:
        _check(function, scope)
    _check_circles(found, scope)


def _head(equation: Equality) -> Name:
    assert isinstance(equation.left, Call)
    return equation.left.function


def _give_up(broken: Broken, scope: Scope) -> None:
    """The function that a card would have defined if it could have been read."""
    found = re.match(r"\.func\s+([A-Za-z]\w*)", broken.span.text, re.IGNORECASE)
    if found is not None:
        scope.functions.give_up(Name(found[1], broken.span))


def _not_an_equation(argument: Argument, behind: Argument | None) -> Problem:
    help, label = _WRITE, "no function"
    if isinstance(argument, Setting):
        text = argument.span.text.partition("=")[2].strip()
        label = "no brackets"
        help = f"write .func {argument.key.text}()={text}, or .param {argument.key.text}={text}"
    elif isinstance(argument, Call):
        label = "no `=`"
        if behind is not None and not isinstance(behind, Setting | Equality):
            help = f"write .func {argument.span.text}={behind.span.text}"
    return Problem("E215", "a function is written name(a,b)=value", argument.span, label=label, help=help)


def _define(call: Call, body: Expr, scope: Scope) -> UserFunction:
    name = call.function
    _check_name(name, scope)
    formals: dict[str, Name] = {}
    for argument in call.arguments:
        if not isinstance(argument, Name) or "." in argument.text:
            what = "what a function takes is a list of names"
            raise Problem("E215", what, argument.span, label="not a name", help=f"{_WRITE}, and call it with values")
        if argument.key in formals:
            raise Problem(
                "E216",
                f"{name.text} takes {argument.text} twice",
                argument.span,
                label="again",
                help=f"{same_name(formals[argument.key].text, argument.text)}choose another name",
                also=[Related(formals[argument.key].span, "first here")],
            )
        if argument.key in WORDS:
            raise _taken(argument, f"what a function takes cannot be called {argument.text}")
        formals[argument.key] = argument
    return scope.functions.add(name, tuple(formals.values()), body)


def _check_name(name: Name, scope: Scope) -> None:
    known = scope.functions.known.get(name.key)
    if known is not None and not known.broken:
        raise Problem(
            "E216",
            f"the function {name.text} is defined twice",
            name.span,
            label="defined again",
            help=f"{same_name(known.name.text, name.text)}remove one of the two, or choose another name",
            also=[Related(known.name.span, "first defined here")],
        )
    parameter = scope.find(name.key)
    if parameter is not None:
        also = [Related(parameter.name.span, "the parameter")]
        raise _taken(name, f"{name.text} is a parameter, and cannot be a function too", also)
    if "." in name.text:
        raise _taken(name, f"a function cannot be called {name.text}")
    if name.key in WORDS or name.key in OBSERVABLES:
        language = "a function of the language" if name.key in FUNCTIONS else "a word of the language"
        meaning = "an item of .plot" if name.key in OBSERVABLES else language
        raise _taken(name, f"a function cannot be called {name.text}: this is {meaning}")


def _taken(name: Name, message: str, also: Iterable[Related] = ()) -> Problem:
    other = f"{name.text.replace('.', '_')}{'' if '.' in name.text else '1'}"
    label = "this name is taken" if "." not in name.text else "no dots in names"
    return Problem("E216", message, name.span, label=label, help=f"choose another name, such as {other}", also=also)


# What stands behind the `=`


def _check(function: UserFunction, scope: Scope) -> None:
    """Names and calls in the expression of a function, so that mistakes are told even if nobody calls it."""
    formals = {formal.key: formal for formal in function.formals}
    todo: list[Expr] = [function.body] if function.body is not None else []
    while todo:
        node = todo.pop()
        try:
            _check_node(node, formals, scope)
        except Problem as problem:
            scope.desk.tell(problem)
            function.broken = True
            continue
        if not isinstance(node, Call) or node.function.key not in OBSERVABLES:
            todo.extend(reversed(operands(node)))


def _check_node(node: Expr, formals: dict[str, Name], scope: Scope) -> None:
    match node:
        case Number():
            scope.read(node, formals=formals)
        case Point():
            raise not_a_number(node)
        case Name() if node.key not in formals and node.key not in CONSTANTS and node.key != "time":
            item = OBSERVABLES.get(node.key)
            if scope.find(node.key) is None and (item is None or item.takes != "nothing"):
                raise scope.unknown(node, formals)
        case Call() if node.function.key in OBSERVABLES:
            _check_item(node, formals)
        case Call() if node.function.key in scope.functions.known:
            known = scope.functions.known[node.function.key]
            if not known.broken and len(known.formals) != len(node.arguments):
                raise wrong_call(node, known)
        case Call() if node.function.key in FUNCTIONS:
            function_of(node)
        case Call():
            raise scope.unknown_function(node)


def _check_item(call: Call, formals: dict[str, Name]) -> None:
    for argument in call.arguments:
        if isinstance(argument, Name) and argument.key in formals:
            item = OBSERVABLES[call.function.key]
            raise Problem(
                "E271",
                f"{argument.text} stands for a number here, and {item.name} is asked of something by its name",
                argument.span,
                label=f"taken by the function as {formals[argument.key].text}",
                help=f"let the function take the value, and call it with {item.usage.split(',')[0].split(' ')[0]}",
            )


def _check_circles(functions: list[UserFunction], scope: Scope) -> None:
    """A function that calls itself, by way of others too, would never end."""
    done: set[str] = set()
    for first in functions:
        path: dict[str, UserFunction] = {first.name.key: first}
        open_ = [(first, scope.functions.called_in(first.body) if first.body is not None else iter(()))]
        while open_:
            function, calls = open_[-1]
            inner = next((f for f in calls if f.name.key not in done), None)
            if inner is None:
                open_.pop()
                path.pop(function.name.key, None)
                done.add(function.name.key)
            elif inner.name.key in path:
                keys = list(path)
                _tell_circle([path[key] for key in keys[keys.index(inner.name.key) :]], scope)
            else:
                path[inner.name.key] = inner
                open_.append((inner, scope.functions.called_in(inner.body) if inner.body is not None else iter(())))


def _tell_circle(circle: list[UserFunction], scope: Scope) -> None:
    if any(function.broken for function in circle):
        return
    for function in circle:
        function.broken = True
    names = [function.name.text for function in circle]
    if len(names) > _SHOWN:
        names[_SHOWN - 1 : -1] = ["…"]
    scope.desk.tell(
        Problem(
            "E217",
            f"the function {names[0]} calls itself: {' → '.join((*names, names[0]))}",
            circle[0].name.span,
            label="part of a circle",
            help="a function cannot be defined by itself, not even under a condition: take one of the calls out",
            also=[Related(function.name.span, "calls the next one") for function in circle[1:_SHOWN]],
        )
    )
