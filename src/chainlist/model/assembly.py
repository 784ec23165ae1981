"""Assembly: bodies put in place, instances of submachines built and moved to where they belong.

A *world* is a system of coordinates in which bodies stand. An instance whose placement is given works in the world around it;
one without is laid out in a world of its own at (0,0), which is then moved as a whole to the bodies that both share.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field, replace
from functools import cached_property

from chainlist.model.card import named_in_ellipsis
from chainlist.model.desk import Desk, Problem
from chainlist.model.entities import Path, PlacedBody, PlacedElement, read_body, read_element
from chainlist.model.frame import Frame, Identity, Standing, define_parameters
from chainlist.model.instance import Actuals, definition_name, read_instance
from chainlist.model.mechanism import Point
from chainlist.model.parameters import Scope
from chainlist.model.placement import NoFit, Turnable, allowance, extent, fitting_motion
from chainlist.model.plain import plain_body, plain_link
from chainlist.model.submachine import Definition, unknown_submachine
from chainlist.syntax.diagnostics import Related
from chainlist.syntax.tree import Entity


class Instance:
    """One instance of a submachine on its way into the mechanism."""

    def __init__(self, entity: Entity, definition: Definition, given: Actuals, outer: Frame, path: Path):
        self.entity = entity
        self.definition = definition
        self.outer = outer
        self.path = path
        self.name = outer.full_name(entity.name)
        self.actuals = {key: outer.full_name(actual) for key, actual in given.bodies.items()}
        self.spans = {key: actual.span for key, actual in given.bodies.items()}
        # Bodies inside other instances: they can be held on to, but not made here.
        self.borrowed = {outer.full_name(actual).lower() for actual in given.bodies.values() if "." in actual.text}
        self.placement_given = given.placement is not None or not definition.placement
        self.done = False
        self._laid_out: World | None = None
        identity = Identity(f"{self.name}.", path, definition.name.text, self.actuals)
        self.frame = Frame(outer.desk, self._scope(given), definition.statements, identity)

    def _scope(self, given: Actuals) -> Scope:
        """Parameters: what the instance gives, the defaults of the rest, and the .param cards inside."""
        outermost = self.outer.scope
        while outermost.outer is not None:
            outermost = outermost.outer
        scope = Scope(self.outer.desk, outermost, Related(self.entity.span, f"in the instance {self.name}"))
        corner = self.outer.scope.point(given.placement) if given.placement else (0.0,) * len(self.definition.placement)
        for name, coordinate in zip(self.definition.placement, corner, strict=True):
            scope.set(name, coordinate)
        for formal in self.definition.formals:
            if formal.name.key in given.values:
                scope.define(*given.values[formal.name.key], self.outer.scope)
            elif formal.default is not None:
                scope.define(formal.name, formal.default)
        define_parameters(self.definition.statements, scope)
        return scope

    def laid_out(self, definitions: dict[str, Definition]) -> World:
        """The instance in a world of its own, at (0,0)."""
        if self._laid_out is None:
            self._laid_out = World(self.outer.desk, definitions)
            self._laid_out.build(self.frame)
        return self._laid_out


@dataclass(order=True)
class _Turn:
    """When an instance is tried: in which round, and there in the order of the text."""

    round: int
    path: Path
    instance: Instance = field(compare=False)


class World(Standing):
    """One system of coordinates: the bodies that stand in it, and the constraints between them."""

    def __init__(self, desk: Desk, definitions: dict[str, Definition]):
        super().__init__()
        self.desk = desk
        self.definitions = definitions
        self.constraints: list[PlacedElement] = []
        self.instances: list[Instance] = []  # every instance that was placed here
        self._frames: list[Frame] = []
        self._turns: list[_Turn] = []
        self._waiting: dict[str, list[Instance]] = {}  # body → instances that are tried again when it stands
        self._tried: dict[Path, Instance] = {}  # instances that could not be placed yet
        self._now: tuple[int, Path] = (0, ())

    @cached_property
    def largest(self) -> float:
        """The largest coordinate of a body, once all of them stand [m]."""
        return max((abs(x) for body in self.bodies.values() for x in body.position), default=0.0)

    def build(self, frame: Frame) -> None:
        """Build a frame and all that is inside it."""
        self._open(frame)
        while self._turns:
            turn = heapq.heappop(self._turns)
            self._now = (turn.round, turn.path)
            if not turn.instance.done:
                self._try(turn.instance)
        self._give_up_waiting()
        for opened in self._frames:
            self._read_constraints(opened)
        self._frames.clear()  # they point back here: what reading leaves behind shall go without a search for garbage

    def check_actuals(self) -> None:
        """Every body that an instance was given must exist in the end."""
        for instance in self.instances:
            for formal, actual in instance.actuals.items():
                if actual.lower() not in self.bodies and not self.is_broken(actual.lower()):
                    self.desk.tell(_missing(instance, formal), instance.outer.where)
                    self.broken.add(actual.lower())

    def size(self) -> float:
        """The diagonal of the box around everything in this world."""
        points = [body.position for body in self.bodies.values()]
        points += [end for element in self.constraints for end in element.ends if isinstance(end, tuple)]
        return extent(points)

    # Opening a frame: bodies first, then instances

    def _open(self, frame: Frame, instance: Instance | None = None) -> None:
        frame.standing = self
        frame.scope.evaluate_all()
        self._frames.append(frame)
        self.broken.update(frame.broken_names())
        self._open_bodies(frame, instance)
        for place, entity in frame.instance_cards:
            try:
                self._queue(self._instance(entity, frame, place), self._now[0])
            except Problem as problem:
                self.desk.tell(problem, frame.where)
                self.broken.update(frame.names_given_up(entity))

    def _open_bodies(self, frame: Frame, instance: Instance | None) -> None:
        found: list[tuple[PlacedBody, str]] = []
        space = self.desk.space
        for place, entity in frame.body_cards:
            name = frame.full_name(entity.name)
            try:
                path = frame.path(place)
                body = plain_body(entity, name, path, space.told) or read_body(entity, frame, name, path)
                found.append((body, entity.name.key))
            except Problem as problem:
                self.desk.tell(problem, frame.where)
                self.broken.add(name.lower())
        size = 0.0 if instance is None else extent([body.position for body, _ in found] + frame.anchors())
        for body, local in found:
            standing = self.bodies.get(body.name.lower())
            if standing is None:
                self._stand(body)
            elif instance is not None:
                self._compare(instance, local, body.position, standing.position, size)

    def _compare(self, instance: Instance, local: str, expected: Point, standing: Point, size: float) -> None:
        """A body that stands already must be where the instance expects it."""
        off = extent([expected, standing])
        if off > allowance(size, [standing]):
            help = "move one of the two" + (", or leave the placement out" if instance.definition.placement else "")
            actual = instance.actuals[local]
            message = f"{instance.name} expects {actual} at {_shown(expected)}, but it stands at {_shown(standing)}"
            self.desk.tell(self._off(instance, local, f"{message}: off by {off:.3g}", off, help), instance.outer.where)

    def _stand(self, body: PlacedBody) -> None:
        key = body.name.lower()
        self.bodies[key] = body
        now_round, now_path = self._now
        for instance in self._waiting.pop(key, ()):
            self._queue(instance, now_round if instance.path > now_path else now_round + 1)

    # Instances

    def _instance(self, entity: Entity, frame: Frame, place: int) -> Instance:
        name = definition_name(entity)
        definition = self.definitions.get(name.key)
        if definition is None:
            raise unknown_submachine(entity, name, self.definitions, self.desk)
        if definition.broken:
            raise Problem()
        given = read_instance(entity, definition, lambda problem: self.desk.tell(problem, frame.where))
        return Instance(entity, definition, given, frame, frame.path(place))

    def _queue(self, instance: Instance, round: int) -> None:
        heapq.heappush(self._turns, _Turn(round, instance.path, instance))

    def _wait(self, instance: Instance, keys: list[str]) -> None:
        self._tried[instance.path] = instance
        for key in keys:
            self._waiting.setdefault(key, []).append(instance)

    def _try(self, instance: Instance) -> None:
        missing = [key for key in instance.borrowed if key not in self.bodies]
        if missing:
            self._wait(instance, missing)
        elif instance.placement_given:
            instance.done = True
            self.instances.append(instance)
            self._open(instance.frame, instance)
        else:
            self._fit(instance)

    def _fit(self, instance: Instance) -> None:
        """Move an instance to the bodies it shares with those that stand."""
        laid = instance.laid_out(self.definitions)
        shared = [key for key in laid.bodies if key in self.bodies]
        if not shared:
            self._wait(instance, list(laid.bodies))
            return
        standing = [self.bodies[key].position for key in shared]
        motion = fitting_motion([laid.bodies[key].position for key in shared], standing, laid.size())
        if isinstance(motion, Turnable):
            names = " and ".join(self.bodies[shared[which]].name for which in motion.line)
            self.desk.tell(_turnable(instance, names), instance.outer.where)
            self._fail(instance)
            return
        if isinstance(motion, NoFit):
            local = next(f for f, actual in instance.actuals.items() if actual.lower() == shared[motion.which])
            message = f"{instance.name} does not fit: {instance.actuals[local]} is off by {motion.off:.3g}"
            mirror = "of one axis" if len(standing[0]) == 3 else "about a horizontal or vertical axis"
            help = f"tried: a shift, a mirror {mirror}, a rotation; check the shared bodies"
            self.desk.tell(self._off(instance, local, message, motion.off, help), instance.outer.where)
            self._fail(instance)
            return
        instance.done = True
        for key, body in laid.bodies.items():
            if key not in self.bodies:
                self._stand(motion.body(body))
        carrying = replace(motion, start_of=self._start_of)
        self.constraints.extend(carrying.element(element) for element in laid.constraints)
        self.broken.update(laid.broken)
        self.instances.extend((instance, *laid.instances))

    def _fail(self, instance: Instance) -> None:
        instance.done = True
        self.broken.add(instance.name.lower())
        self.broken.update(actual.lower() for actual in instance.actuals.values())

    def _give_up_waiting(self) -> None:
        """What still waits cannot be placed; only the first of those that wait for one another says so."""
        for path in sorted(path for path, instance in self._tried.items() if not instance.done):
            instance = self._tried[path]
            keys = [actual.lower() for actual in instance.actuals.values()]
            missing = [key for key in instance.borrowed if key not in self.bodies]
            if not any(self.is_broken(key) for key in (*keys, *self._broken_inside(instance))):
                formal = next((f for f, actual in instance.actuals.items() if actual.lower() in missing), None)
                self.desk.tell(_missing(instance, formal) if formal else _unplaced(instance), instance.outer.where)
            self._fail(instance)

    def _broken_inside(self, instance: Instance) -> list[str]:
        """If bodies of the instance itself could not be read, that is why it cannot be placed."""
        if instance.placement_given or instance.borrowed:
            return []
        broken = instance.laid_out(self.definitions).broken
        self.broken.update(broken)
        return list(broken)

    # Constraints, once every name is known

    def _read_constraints(self, frame: Frame) -> None:
        for place, entity in frame.constraint_cards:
            name = frame.full_name(entity.name)
            try:
                path = frame.path(place)
                plain = plain_link(entity, frame, name, path)
                self.constraints.append(plain or read_element(entity, frame, name, path))
            except Problem as problem:
                self.desk.tell(named_in_ellipsis(problem, entity), frame.where)
                self.broken.add(name.lower())

    def _start_of(self, name: str) -> Point | None:
        body = self.bodies.get(name.lower())
        return None if body is None else body.start

    def _off(self, instance: Instance, local: str, message: str, off: float, help: str) -> Problem:
        actual = instance.actuals[local]
        placed = Related(self.bodies[actual.lower()].span, f"{actual} was placed by this")
        return Problem("E247", message, instance.spans[local], label=f"off by {off:.3g}", help=help, also=[placed])


def try_out(definition: Definition, definitions: dict[str, Definition], outer: Scope) -> None:
    """Read the cards of a submachine that has no instance, so that its mistakes are told too.

    What an instance would give is unknown: whatever depends on it stays silent.
    """
    scope = Scope(outer.desk, outer)
    for formal in definition.formals:
        if formal.default is not None:
            scope.define(formal.name, formal.default)
        elif not formal.is_body:
            scope.give_up(formal.name)
    for name in definition.placement:
        scope.give_up(name)
    define_parameters(definition.statements, scope)
    title = definition.name.text
    actuals = {formal.name.key: formal.name.text for formal in definition.bodies}
    world = World(outer.desk, definitions)
    world.broken.update(actuals)
    world.build(Frame(outer.desk, scope, definition.statements, Identity(f"{title}.", (), title, actuals)))


def _unplaced(instance: Instance) -> Problem:
    words = instance.entity.span.text.split("\n")[0].rstrip(" ,")
    return Problem(
        "E246",
        f"nothing fixes where {instance.name} stands",
        instance.entity.span,
        label="none of its bodies stands already",
        help=f"give its placement: {words}, {instance.outer.desk.space.origin}",
    )


def _turnable(instance: Instance, names: str) -> Problem:
    return Problem(
        "E246",
        f"{instance.name} could be turned about the line through {names}",
        instance.entity.span,
        label="the bodies that stand already lie on one line",
        help=f"share a third body off this line, or give its placement: {instance.outer.desk.space.origin}",
    )


def _missing(instance: Instance, formal: str) -> Problem:
    actual = instance.actuals[formal]
    return Problem(
        "E248",
        f"there is no body {actual}: {instance.definition.name.text} does not make it",
        instance.spans[formal],
        label="not defined",
        help=f"define it outside: {actual} {instance.outer.desk.space.origin} 1"
        if "." not in actual
        else "check the name of the instance and of the body",
    )


def _shown(point: Point) -> str:
    return f"({','.join(f'{c:.6g}' for c in point)})"
