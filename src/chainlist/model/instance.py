"""One instance of a submachine: what its card gives to the definition."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from chainlist.model.desk import Problem
from chainlist.model.entities import BODY, INSTANCE_SYNTAX
from chainlist.model.submachine import Definition, Formal
from chainlist.syntax.source import Span
from chainlist.syntax.tree import Argument, Entity, Expr, Name, Point, Setting


@dataclass(frozen=True)
class Actuals:
    """The actual bodies and values of an instance, by the key of their formal. `placement` is None where it was left out."""

    bodies: dict[str, Name]
    values: dict[str, tuple[Name, Expr]]
    placement: Point | None


def definition_name(entity: Entity) -> Name:
    """The submachine that an instance is of."""
    name = entity.arguments[0] if entity.arguments else None
    if not isinstance(name, Name):
        raise Problem(
            "E245",
            f"{entity.name.text} does not say which submachine it is",
            name.span if name else entity.name.span,
            label="the name of a submachine is wanted",
            help=f"an instance is written {INSTANCE_SYNTAX}",
        )
    return name


def read_instance(entity: Entity, definition: Definition, tell: Callable[[Problem], None]) -> Actuals:
    """Match the words of an instance with the formals of its definition; all that is wrong with them is told."""
    words: list[Argument] = [word for word in entity.arguments[1:] if not isinstance(word, Setting)]
    settings = [word for word in entity.arguments[1:] if isinstance(word, Setting)]
    bodies: dict[str, Name] = {}
    values: dict[str, tuple[Name, Expr]] = {}
    wrong: list[Problem] = []
    placement = None
    try:
        placement = _placement(words, definition)
    except Problem as problem:
        wrong.append(problem)
    for word, formal in zip(words, definition.formals, strict=False):
        try:
            if formal.is_body:
                bodies[formal.name.key] = _body(word, formal, bodies, definition)
            else:
                values[formal.name.key] = (formal.name, _value(word, formal, definition))
        except Problem as problem:
            wrong.append(problem)
    if len(words) > len(definition.formals):
        wrong.append(_wrong(definition, words[len(definition.formals)].span, "one argument too many", "not expected"))
    for setting in settings:
        try:
            _named(setting, definition, values)
        except Problem as problem:
            wrong.append(problem)
    missing = _missing(definition.formals[len(words) :], {*values, *(setting.key.key for setting in settings)})
    if missing:
        message = f"{entity.name.text} lacks {', '.join(missing)}"
        wrong.append(_wrong(definition, entity.span, message, "too few arguments"))
    for found in wrong:
        tell(found)
    if wrong:
        raise Problem()
    return Actuals(bodies, values, placement)


def _placement(words: list[Argument], definition: Definition) -> Point | None:
    """Take the pair at the end of the words, if there is one."""
    if not words or not isinstance(words[-1], Point):
        return None
    point = words.pop()
    assert isinstance(point, Point)
    if not definition.placement:
        raise _wrong(definition, point.span, f"{definition.name.text} has no placement", "not expected")
    return point


def _body(word: Argument, formal: Formal, before: dict[str, Name], definition: Definition) -> Name:
    if not isinstance(word, Name) or word.text.split(".")[-1][0].upper() != BODY:
        raise _wrong(definition, word.span, f"a body is wanted here, for {formal.name.text}", "not a body")
    if any(other.key == word.key for other in before.values()):
        raise _wrong(definition, word.span, f"{word.text} is given twice", "given again")
    return word


def _value(word: Argument, formal: Formal, definition: Definition) -> Expr:
    if isinstance(word, Point) or not isinstance(word, Expr):
        raise _wrong(definition, word.span, f"a number is wanted here, for {formal.name.text}", "not a number")
    return word


def _named(setting: Setting, definition: Definition, values: dict[str, tuple[Name, Expr]]) -> None:
    formal = next((f for f in definition.formals if f.name.key == setting.key.key), None)
    if formal is None or formal.is_body:
        what = "has no parameter" if formal is None else "takes its bodies in order, not by name:"
        raise _wrong(definition, setting.span, f"{definition.name.text} {what} {setting.key.text}", "unknown")
    if formal.name.key in values:
        raise _wrong(definition, setting.span, f"{setting.key.text} is given twice", "given again")
    values[formal.name.key] = (formal.name, _value(setting.value, formal, definition))


def _missing(formals: Sequence[Formal], given: Collection[str]) -> list[str]:
    """Those of the formals beyond the words that have no default and were not named either."""
    return [formal.name.text for formal in formals if formal.default is None and formal.name.key not in given]


def _wrong(definition: Definition, at: Span, message: str, label: str) -> Problem:
    return Problem("E245", message, at, label=label, help=f"it is written {definition.usage}")
