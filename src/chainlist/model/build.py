"""Statements → Mechanism: the one way from the tree to everything that a run depends on."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chainlist.elements.base import is_rigid, shortest
from chainlist.model.analysis import known_analyses, read_card
from chainlist.model.asked import Asked
from chainlist.model.assembly import World, try_out
from chainlist.model.chance import Draw
from chainlist.model.checks import check_settings
from chainlist.model.commands import (
    COMMANDS,
    DEFAULT_TRANSIENT,
    GivenOptions,
    outside_transient,
    override,
    read_settings,
    read_title,
    read_transient,
    second_command,
    unknown_command,
)
from chainlist.model.definitions import define_functions, function_cards
from chainlist.model.desk import Desk, Problem
from chainlist.model.entities import INSTANCE, letter_of
from chainlist.model.finish import finished_bodies, finished_elements, rigid_bodies
from chainlist.model.frame import Frame, define_parameters
from chainlist.model.items import ItemReader, Names
from chainlist.model.mechanism import Body, Element, Mechanism, Plot, Print, Stop, Transient
from chainlist.model.options import OPTIONS
from chainlist.model.outside import Meant, no_such_parameter
from chainlist.model.parameters import Scope
from chainlist.model.requests import default_plot, read_plots, read_prints
from chainlist.model.rigidbody import RigidBody
from chainlist.model.soundness import check_lengths, check_smoothness, check_weightless
from chainlist.model.stops import read_stops
from chainlist.model.submachine import Definition, check_names, example_of, read_definitions, target
from chainlist.model.weight import gravity_set
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.expand import Expanded
from chainlist.syntax.limits import Limits
from chainlist.syntax.source import Source, Span
from chainlist.syntax.tree import Broken, Command, Entity, Expr, Name, Number, Signed, Submachine


def build(
    expanded: Expanded,
    report: Diagnostics,
    limits: Limits | None = None,
    *,
    params: Mapping[str, float] | None = None,
    options: Mapping[str, Any] | None = None,
    tran: Sequence[Any] | None = None,
    draw: Draw | None = None,
) -> Mechanism | None:
    """The mechanism, or None if the report holds errors. `params`, `options` and `tran` replace what the text says.

    `draw` is the member of a sample whose values random parameters take; without it they have their mean.
    """
    desk = Desk(report, limits or Limits())
    desk.title = expanded.title.text if expanded.title else ""
    desk.incomplete = any(isinstance(s, Broken) and s.anything for s in expanded.statements)
    builder = _Builder(expanded, desk)
    builder.scope.draw = draw
    return builder.build(params or {}, options or {}, tran)


@dataclass
class _Machine:
    """What the entities amount to."""

    bodies: tuple[Body, ...]
    elements: tuple[Element, ...]
    world: World
    rigid: tuple[RigidBody, ...] = ()
    stops: tuple[Stop, ...] = ()
    built: bool = True  # False: too large, nothing is known of its names

    def names(self) -> Names:
        constraints: dict[str, str] = {}
        links: dict[str, str] = {}
        forces: dict[str, str] = {}
        turning: list[str] = []
        no_force: list[str] = []
        for element in self.elements:
            name = element.name
            key = name.lower()
            (constraints if element.has_rows else forces)[key] = name
            if element.is_arm:
                links[key] = name
            if element.turns:
                turning.append(key)
            if element.gives != "N":
                no_force.append(key)
        broken = self.world.is_broken if self.built else lambda key: True
        formals = {
            f"{instance.name}.{formal}".lower(): actual
            for instance in self.world.instances
            for formal, actual in instance.actuals.items()
        }
        bodies = {b.name.lower(): b.name for b in self.bodies}
        inner = frozenset(b.name.lower() for b in self.bodies if b.is_inner)
        return Names(
            bodies,
            constraints,
            links,
            forces,
            turning,
            no_force,
            broken,
            formals,
            rigid={r.name.lower(): r.name for r in self.rigid},
            held={r.name: r.held for r in self.rigid},
            inner=inner,
        )


class _Builder:
    def __init__(self, expanded: Expanded, desk: Desk):
        self.expanded = expanded
        self.desk = desk
        self.statements = expanded.statements
        self.others = [s for s in expanded.statements if type(s) is not Entity]  # few, however large the chainlist
        self.commands = [s for s in self.others if isinstance(s, Command)]
        self.broken = [s for s in self.others if isinstance(s, Broken)]
        self.scope = Scope(desk)

    def build(
        self, params: Mapping[str, float], options: Mapping[str, Any], tran: Sequence[Any] | None
    ) -> Mechanism | None:
        self.desk.gravity = gravity_set(self._commands("options"), options)
        self._parameters(params)
        machine = self._machine()
        settings = read_settings(self._commands("options"), self.scope, self.desk)
        override(settings, options, self.scope, self.desk)
        transient = self._transient(tran)
        check_settings(settings, transient, machine.elements, self.desk)
        check_smoothness(machine.elements, machine.bodies, transient, self.desk)
        # A body that was refused may hold the points without mass.
        if not any(map(is_rigid, machine.world.broken)):
            check_weightless(machine.elements, machine.bodies, self.desk)
        reader = ItemReader(self.desk, self.scope, machine.names())
        plots, prints = self._requests(reader, settings)
        analyses = self._analyses(reader)
        if self.desk.report.errors:
            return None
        self.scope.tell_unused()
        return Mechanism(
            title=read_title(self.expanded.title, self._commands("title")),
            bodies=machine.bodies,
            constraints=tuple(e for e in machine.elements if e.has_rows),
            forces=tuple(e for e in machine.elements if not e.has_rows),
            rigid=machine.rigid,
            options=settings.options(),
            transient=transient,
            plots=plots,
            prints=prints,
            stops=machine.stops,
            analyses=analyses,
            diagnostics=tuple(self.desk.report.diagnostics),
            source=self.expanded.span.source,
            text=self.expanded.text,
            parameters=self.scope.values(),
            parameter_units=self.scope.units(),
            functions=function_cards(self.others),
        )

    def _commands(self, keyword: str) -> list[Command]:
        return [command for command in self.commands if command.keyword.key == keyword]

    def _is_broken(self, *keywords: str) -> bool:
        """True if a card of this command could not be read: then nobody is told that it is missing."""
        pattern = re.compile(rf"\.({'|'.join(keywords)})\b", re.IGNORECASE)
        return any(pattern.match(broken.span.text) for broken in self.broken)

    def _analyses(self, reader: ItemReader) -> tuple[Asked, ...]:
        """Commands that are not the model's own: analyses, or unknown."""
        found: list[Asked] = []
        seen: dict[str, Command] = {}
        for command in self.commands:
            key = command.keyword.key
            if key in COMMANDS:
                continue
            analysis = known_analyses().get(key)
            if analysis is None:
                self.desk.tell(unknown_command(command, self.desk))
                continue
            if analysis.once and key in seen:
                self.desk.tell(second_command(command, seen[key]))
            seen.setdefault(key, command)
            asked = read_card(command, analysis, reader, found, self.commands)
            if asked is not None:
                found.append(asked)
        return tuple(found)

    # Parameters

    def _parameters(self, params: Mapping[str, float]) -> None:
        define_parameters(self.others, self.scope)
        define_functions(self.others, self.scope)
        for name, number in params.items():
            text = f"{name}={number}"
            try:
                self._override(Name(name, Span(Source("<params>", text), 0, len(text))), number)
            except Problem as problem:
                self.desk.tell(problem)
        self.scope.evaluate_all()

    def _override(self, name: Name, number: Any) -> None:
        cell = self.scope.find(name.key)
        if cell is None:
            written = [cell.name.text for key in self.scope.keys() if (cell := self.scope.find(key))]
            problem = no_such_parameter(name, number, written)
            if (option := OPTIONS.get(name.key)) is not None:
                given = shortest(float(number)) if isinstance(number, numbers.Real) else number
                problem.help = (
                    f"{option.name} is a setting: write --set {option.name}={given}, in Python {option.key}={given}"
                )
            raise problem
        if not isinstance(number, numbers.Real) or not math.isfinite(number):
            what, help = f"the parameter {name.text} must be a finite number", "give a number, in SI units"
            if hasattr(number, "__len__") and not isinstance(number, str):
                help += f"; for several runs chainlist.ensemble(…, params={{{name.text!r}: …}})"
            raise Problem("E205", what, name.span, label="not a number", help=help)
        self._check_degrees(name, cell.expression, number)
        self.scope.set(cell.name, float(number))

    def _check_degrees(self, name: Name, expression: Expr | None, outside: Any) -> None:
        """A bare number from outside is one in SI, where the text has degrees."""
        if isinstance(outside, Meant):
            return
        number = float(outside)
        written = expression.operand if isinstance(expression, Signed) else expression
        if isinstance(written, Number) and written.unit == "deg" and abs(number) > math.tau:
            given = shortest(number)
            message = f"{name.text} is given in deg, and {given} without a unit is {given} rad: more than a turn"
            help = f'write {given}deg, in Python "{given}deg"'
            self.desk.tell(Problem("N206", message, name.span, label="no unit", help=help))

    # Entities

    def _machine(self) -> _Machine:
        definitions = read_definitions((s for s in self.others if isinstance(s, Submachine)), self.desk)
        self._broken_definitions(definitions)
        left_out = check_names(self.statements, self.desk)
        world = World(self.desk, definitions)
        if left_out:
            world.broken.update(
                s.name.key for place, s in enumerate(self.statements) if place in left_out and isinstance(s, Entity)
            )
        if not self._fits_limits(definitions):
            return _Machine((), (), world, built=False)
        frame = Frame(self.desk, self.scope, self.statements, left_out=left_out)
        world.build(frame)
        world.check_actuals()
        self._try_unused(definitions)
        rigid = rigid_bodies(world, self.desk)
        bodies = finished_bodies(world, self.desk, rigid)
        elements = finished_elements(world, self.desk, rigid)
        check_lengths(bodies, elements, self.desk)
        if not bodies and not self.desk.report.errors:
            self.desk.tell(
                Problem(
                    "E231",
                    "there is no body in this chainlist",
                    None,
                    help=f"a submachine is built by an instance of it: {example_of(next(iter(definitions.values())))}"
                    if definitions
                    else "add one below the title line: B1 (0,-1) 1",
                )
            )
        stops = read_stops(self._commands("stop"), frame, world, rigid)
        return _Machine(bodies, elements, world, () if rigid is None else rigid.bodies(), stops)

    def _try_unused(self, definitions: dict[str, Definition]) -> None:
        if not definitions:
            return
        inside = (instance for definition in definitions.values() for instance in definition.instances)
        outside = (s for s in self.statements if isinstance(s, Entity) and letter_of(s) == INSTANCE)
        used = {target(instance) for instance in (*inside, *outside)}
        limits = self.desk.limits
        for key, definition in definitions.items():
            small = definition.entities <= limits.entities and definition.depth <= limits.submachines
            if key not in used and not definition.broken and small:
                try_out(definition, definitions, self.scope)

    def _broken_definitions(self, definitions: dict[str, Definition]) -> None:
        """A submachine whose first line could not be read is known by its name all the same."""
        for broken in self.broken:
            found = re.match(r"\.submachine\s+(\w+)", broken.span.text, re.IGNORECASE)
            if found is not None:
                name = Name(found[1], broken.span)
                definitions.setdefault(name.key, Definition(name, broken=True))

    def _fits_limits(self, definitions: dict[str, Definition]) -> bool:
        """Count before anything is built: instances of instances grow fast."""
        if not definitions:
            return True
        limits = self.desk.limits
        total = 0
        for statement in self.statements:
            total += 1
            if not isinstance(statement, Entity) or letter_of(statement) != INSTANCE:
                continue
            definition = definitions.get(target(statement))
            if definition is None or definition.broken:
                continue
            total += definition.entities
            problem = ""
            if definition.depth > limits.submachines:
                problem = f"instances stand inside one another more than {limits.submachines} deep"
            elif total > limits.entities:
                problem = f"more than {limits.entities:,} entities"
            if problem:
                at = statement.span
                self.desk.tell(
                    Problem(
                        "E249",
                        f"{problem} with {statement.name.text}",
                        at,
                        label="too many",
                        help="use fewer instances",
                    )
                )
                return False
        return True

    # Requests

    def _transient(self, tran: Sequence[Any] | None) -> Transient:
        commands = self._commands("tran")
        found = read_transient(commands, self.scope, self.desk)
        if tran is not None:
            found = outside_transient(tran, self.scope, self.desk)
        elif not commands and not self._is_broken("tran"):
            help = "add a line such as .tran 0 10 1E-3"
            message = "no .tran: the motion is computed from 0 to 10 s in steps of 1 ms"
            self.desk.tell(Problem("N201", message, None, help=help))
        return found or DEFAULT_TRANSIENT

    def _requests(self, reader: ItemReader, settings: GivenOptions) -> tuple[tuple[Plot, ...], tuple[Print, ...]]:
        asked, traced = self._commands("plot"), self._commands("print")
        plots, prints = read_plots(asked, reader), read_prints(traced, reader)
        if not asked and not traced and not self._is_broken("plot", "print"):
            plots = (default_plot(reader),)
            settings.values.setdefault("plotmode", "ANIMATEWITHSTROBO")
            message = "no output was asked for: the mechanism is animated and its energy plotted"
            self.desk.tell(Problem("N202", message, None, help="add a line such as .plot CONSTRAINTS(ALL) Etotal"))
        return plots, prints
