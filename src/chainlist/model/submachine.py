"""Definitions of submachines: their formals, and what can be said of them before any instance is built."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from chainlist.model.desk import Desk, Problem
from chainlist.model.entities import BODY, INSTANCE, check_letter, letter_of
from chainlist.model.evaluate import not_a_number
from chainlist.model.parameters import check_parameter_name
from chainlist.model.suggest import same_name
from chainlist.syntax.diagnostics import Related
from chainlist.syntax.source import Span
from chainlist.syntax.tree import Argument, Broken, Command, Entity, Expr, Name, Point, Setting, Submachine, Text

SYNTAX = ".submachine <name> <formal>, …, (x0,y0)"  # in space (x0,y0,z0)


@dataclass(frozen=True)
class Formal:
    """What an instance gives: a body, or a parameter that may have a default."""

    name: Name
    default: Expr | None = None

    @property
    def is_body(self) -> bool:
        return self.name.text[0].upper() == BODY


@dataclass(eq=False)
class Definition:
    """One submachine. A broken one is known by its name, so that its instances need not complain again."""

    name: Name
    formals: list[Formal] = field(default_factory=list)
    placement: tuple[Name, ...] = ()
    statements: tuple[Entity | Command | Broken, ...] = ()
    broken: bool = False
    entities: int = 0  # in one instance, those of inner instances too
    depth: int = 1  # instances inside instances, this one included

    @property
    def bodies(self) -> list[Formal]:
        return [formal for formal in self.formals if formal.is_body]

    @property
    def instances(self) -> list[Entity]:
        return [s for s in self.statements if isinstance(s, Entity) and letter_of(s) == INSTANCE]

    @property
    def usage(self) -> str:
        """How an instance of it is written."""
        words = [f.name.text for f in self.formals if f.default is None]
        words += [f"[{f.name.text}=…]" for f in self.formals if f.default is not None]
        if self.placement:
            words.append(f"({','.join(name.text for name in self.placement)})")
        return f"X1 {self.name.text} {', '.join(words)}".rstrip()


# What a second one of is not even read: it would clash with the first. Any other may have mistakes of its own.
_SINGLE = (BODY, INSTANCE, "R", "M")


def example_of(definition: Definition) -> str:
    """An instance that could be written as it stands."""
    bodies = itertools.count(1)
    words = [f"B{next(bodies)}" if f.is_body else "1" for f in definition.formals if f.default is None]
    words += [f"({','.join('0' * len(definition.placement))})"] if definition.placement else []
    return f"X1 {definition.name.text} {', '.join(words)}".rstrip()


def read_definitions(machines: Iterable[Submachine], desk: Desk) -> dict[str, Definition]:
    """All definitions by name, each told of its mistakes; those that contain themselves are broken."""
    found: dict[str, Definition] = {}
    for machine in machines:
        definition = _read(machine, desk)
        if definition is None:
            continue
        first = found.setdefault(definition.name.key, definition)
        if first is not definition:
            desk.tell(
                Problem(
                    "E242",
                    f"the submachine {definition.name.text} is defined twice",
                    definition.name.span,
                    label="defined again",
                    help=f"{same_name(first.name.text, definition.name.text)}remove one, or choose another name",
                    also=[Related(first.name.span, "first defined here")],
                )
            )
    _measure(found, desk)
    return found


def unknown_submachine(instance: Entity, name: Name, definitions: dict[str, Definition], desk: Desk) -> Problem:
    meant = desk.meant(name.key, list(definitions))
    last = instance.arguments[-1] if instance.arguments else None
    if isinstance(last, Name) and last.key in definitions:
        words = ", ".join(a.span.text for a in instance.arguments[:-1])
        help = f"the submachine comes first: {instance.name.text} {last.text} {words}"
    elif lost := desk.lost_in_title(name.text):
        help = lost
    elif meant:
        help = f"did you mean {definitions[meant].name.text}?"
    else:
        help = f"define it: .submachine {name.text} … .end {name.text}"
    return Problem("E240", f"there is no submachine {name.text}", name.span, label="not defined", help=help)


def check_names(statements: Iterable[Entity | Command | Submachine | Broken], desk: Desk) -> set[int]:
    """Letters must be known and names defined once; returns the places of entities that have to be left out."""
    first: dict[str, Name] = {}
    left_out = set()
    no_entities: list[tuple[Span, Problem]] = []  # cards that could not be read, and are nothing that could
    for place, statement in enumerate(statements):
        if isinstance(statement, Broken) and statement.name is not None:
            first.setdefault(statement.name.key, statement.name)
            if not re.match(r"\w+\s*=", statement.span.text):
                try:
                    check_letter(statement.name, statement.span)
                except Problem as problem:
                    no_entities.append((statement.span, problem))
        if not isinstance(statement, Entity):
            continue
        try:
            check_letter(statement.name, statement.span, statement.arguments)
            name = statement.name
            if name.key in first:
                raise Problem(
                    "E221",
                    f"{name.text} is defined twice",
                    name.span,
                    label="defined again",
                    help=same_name(first[name.key].text, name.text) + "each name is defined once: choose another one",
                    also=[Related(first[name.key].span, "first defined here")],
                )
            first[name.key] = name
        except Problem as problem:
            desk.tell(problem)
            if problem.code != "E221" or letter_of(statement) in _SINGLE:
                left_out.add(place)
    desk.instead(no_entities)
    return left_out


def _read(machine: Submachine, desk: Desk) -> Definition | None:
    head = machine.head
    name = head.arguments[0] if head.arguments else None
    if not isinstance(name, Name) or "." in name.text:
        at = head.span if name is None else name.span
        desk.tell(Problem("E241", "a submachine needs a name", at, label="no name", help=f"write {SYNTAX}"))
        return None
    definition = Definition(name)
    taken: dict[str, Name] = {}
    for argument in head.arguments[1:]:
        try:
            _read_formal(argument, taken, definition, desk)
        except Problem as problem:
            desk.tell(problem)
            definition.broken = True
    definition.statements = _inside(machine, desk)
    formals = {formal.name.key for formal in definition.formals}
    if any(isinstance(s, Broken) and s.name is not None and s.name.key in formals for s in definition.statements):
        definition.broken = True  # a formal that was meant as a body, but does not begin with B
    return definition


def _read_formal(argument: Argument, taken: dict[str, Name], definition: Definition, desk: Desk) -> None:
    if isinstance(argument, Name):
        _add(Formal(argument), taken, definition)
    elif isinstance(argument, Setting):
        _add_default(argument, taken, definition)
    elif isinstance(argument, Point):
        _add_placement(argument, taken, definition, desk)
    else:
        raise Problem(
            "E241",
            "a formal is a name: a body begins with B, anything else is a parameter",
            argument.span,
            label="not a name",
            help=f"write {SYNTAX}",
        )


def _add(formal: Formal, taken: dict[str, Name], definition: Definition) -> None:
    if definition.placement and formal.default is None:
        raise Problem(
            "E241",
            "the placement is the last of the formals",
            formal.name.span,
            label="behind the placement",
            help=f"put {formal.name.text} before it",
        )
    _take(formal.name, taken)
    if not formal.is_body:
        check_parameter_name(formal.name)
    definition.formals.append(formal)


def _take(name: Name, taken: dict[str, Name]) -> None:
    if "." in name.text:
        raise Problem("E241", "a formal has no dot in its name", name.span, help=f"write {name.text.replace('.', '_')}")
    if name.key in taken:
        raise Problem(
            "E241",
            f"the formal {name.text} appears twice",
            name.span,
            label="again",
            help=f"{same_name(taken[name.key].text, name.text)}choose another name",
            also=[Related(taken[name.key].span, "first here")],
        )
    taken[name.key] = name


def _add_default(setting: Setting, taken: dict[str, Name], definition: Definition) -> None:
    if isinstance(setting.value, Text):
        raise not_a_number(setting.value)
    formal = Formal(setting.key, setting.value)
    if formal.is_body:
        raise Problem(
            "E241",
            f"{setting.key.text} is a body, for it begins with B: it has no default",
            setting.span,
            help=f"write {setting.key.text} alone, or call the parameter differently",
        )
    _add(formal, taken, definition)


def _add_placement(point: Point, taken: dict[str, Name], definition: Definition, desk: Desk) -> None:
    names = [c for c in point.coordinates if isinstance(c, Name)]
    if definition.placement or len(names) not in (2, 3) or len(point.coordinates) != len(names):
        raise Problem(
            "E241",
            "the placement is one point made of names",
            point.span,
            label="not (x0,y0)",
            help="write (x0,y0), in space (x0,y0,z0); inside, positions are written with them: (x0+1,y0)",
        )
    desk.space.take(point)
    for name in names:
        _take(name, taken)
        check_parameter_name(name)
    definition.placement = tuple(names)


def _inside(machine: Submachine, desk: Desk) -> tuple[Entity | Command | Broken, ...]:
    """The statements of the body that have a meaning there."""
    left_out = check_names(machine.body, desk)  # type: ignore[arg-type]
    kept: list[Entity | Command | Broken] = []
    for place, statement in enumerate(machine.body):
        if isinstance(statement, Entity):
            if place in left_out:
                kept.append(Broken(statement.name, statement.span))
            else:
                kept.append(statement)
        elif isinstance(statement, Broken):
            kept.append(statement)
        elif isinstance(statement, Command) and statement.keyword.key == "param":
            kept.append(statement)
        elif isinstance(statement, Command):
            desk.tell(
                Problem(
                    "E244",
                    f".{statement.keyword.text} cannot stand inside a submachine",
                    statement.span,
                    label="only entities and .param stand here",
                    help="move it outside",
                )
            )
    return tuple(kept)


def _measure(definitions: dict[str, Definition], desk: Desk) -> None:
    """Count what one instance of each holds, inner ones first; whatever contains itself is broken."""
    done: set[str] = set()
    for name in definitions:
        open_: dict[str, list[Entity]] = {}
        path = [name]
        while path:
            key = path[-1]
            if key in done:
                path.pop()
                continue
            todo = open_.setdefault(key, _known_instances(definitions[key], definitions, desk))
            inner = todo.pop() if todo else None
            if inner is None:
                _count(definitions[key], definitions)
                done.add(key)
                path.pop()
            elif target(inner) in open_:
                if target(inner) not in done:
                    _tell_circle(inner, path, definitions, desk)
            elif target(inner) not in done:
                path.append(target(inner))


def target(instance: Entity) -> str:
    """The key of the submachine an instance names, "" if it names none."""
    name = instance.arguments[0] if instance.arguments else None
    return name.key if isinstance(name, Name) else ""


def _known_instances(definition: Definition, definitions: dict[str, Definition], desk: Desk) -> list[Entity]:
    known = []
    for instance in reversed(definition.instances):
        if target(instance) in definitions:
            known.append(instance)
        elif instance.arguments and isinstance(instance.arguments[0], Name):
            desk.tell(unknown_submachine(instance, instance.arguments[0], definitions, desk))
    return known


def _count(definition: Definition, definitions: dict[str, Definition]) -> None:
    inner = [definitions[target(i)] for i in definition.instances if target(i) in definitions]
    definition.entities = len(definition.statements) + sum(d.entities for d in inner)
    definition.depth = 1 + max((d.depth for d in inner), default=0)
    definition.broken = definition.broken or any(d.broken for d in inner)


def _tell_circle(inner: Entity, path: list[str], definitions: dict[str, Definition], desk: Desk) -> None:
    circle = path[path.index(target(inner)) :]
    for key in circle:
        definitions[key].broken = True
    names = [definitions[key].name.text for key in circle]
    chain = " → ".join((*names[:8], *(["…"] if len(names) > 8 else []), names[0]))
    desk.tell(
        Problem(
            "E243",
            f"the submachine {names[0]} contains itself: {chain}",
            inner.span,
            label="closes the circle",
            help="remove this instance",
        )
    )
