"""From placed entities to those of the mechanism: in the order of the text, lengths taken from where everything stands."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

from chainlist.elements import REGISTRY
from chainlist.elements.base import Law, Native, Parts, Placed, Reading, Refused, Round, Row, is_rigid, shortest
from chainlist.elements.rigid import words
from chainlist.equations.value import place_at_start, value_at
from chainlist.formula import End, Formula, Moving, Operation, Point, Quantity
from chainlist.formula.analysis import uses
from chainlist.model.assembly import World
from chainlist.model.desk import Desk, Problem
from chainlist.model.entities import PlacedBody, PlacedElement
from chainlist.model.formula import expression_text
from chainlist.model.mechanism import Body, Element
from chainlist.model.oneofall import all_at_once
from chainlist.model.plain import finished_link
from chainlist.model.soundness import check_direction, check_element, check_together
from chainlist.model.turned import instead_in_space, of_two_bodies, turned
from chainlist.model.units import LARGEST, SMALLEST
from chainlist.syntax.source import Span

if TYPE_CHECKING:
    from chainlist.model.rigid import Rigid


def finished_bodies(world: World, desk: Desk, rigid: Rigid | None) -> tuple[Body, ...]:
    """All bodies, those of an instance where the instance stands in the text; points that rigid bodies hold are the last."""
    ordered = sorted(world.bodies.values(), key=attrgetter("path"))
    for body in ordered:
        numbers = (*body.position, *body.start, *body.velocity)
        # the sum shows whether one of them is no number, which no comparison does
        within = math.isfinite(sum(numbers)) and -LARGEST <= min(numbers) and max(numbers) <= LARGEST
        if not within or not (body.mass == 0.0 or SMALLEST <= body.mass <= LARGEST):
            if rigid is None or body.name.rpartition(".")[0].lower() not in rigid.frames:  # its centre says it too
                desk.tell(_out_of_range(body))
            world.broken.add(body.name.lower())
    if rigid is None:
        return tuple(
            Body(b.name, b.position, b.mass, b.start, b.velocity, b.span, b.velocity_given, radius=b.radius)
            for b in ordered
        )
    found = [rigid.body(body, order) for order, body in enumerate(ordered)]
    return tuple(sorted(found, key=lambda body: body.role == "held"))


def rigid_bodies(world: World, desk: Desk) -> Rigid | None:
    """None where there is none."""
    if not any(element.kind.rigid for element in world.constraints):
        return None
    from chainlist.model.rigid import Rigid

    return Rigid(world, desk)


def finished_elements(world: World, desk: Desk, rigid: Rigid | None) -> tuple[Element, ...]:
    """All elements in the order of the text; those that refer to others see these by their ends."""
    placed = sorted(world.constraints, key=attrgetter("path"))
    plain = [finished_link(element, world) if rigid is None else None for element in placed]
    done = tuple([element for element in plain if element is not None])
    if len(done) == len(placed):
        return done
    arms, known = _arms(placed, rigid)
    held = frozenset() if rigid is None else rigid.holder.keys()
    found: list[Element] = []
    places = {body.name: body.start for body in world.bodies.values()}
    for element, finished in zip(placed, plain, strict=True):
        if finished is not None:
            found.append(finished)
            continue
        if rigid is not None and element.kind.rigid:
            if element.name.lower() in rigid.frames:
                found.append(_rigid_element(element, rigid))
            continue
        try:
            finished = _with_bodies(_finished(element, world, arms, known, rigid), held)
            if finished.given is not None:
                check_element(finished)
                check_direction(finished, places, world.largest, desk)
            found.append(finished)
        except Problem as problem:
            desk.tell(problem)
            world.broken.add(element.name.lower())
    check_together(found, desk)
    return tuple(found)


def _arms(
    placed: list[PlacedElement], rigid: Rigid | None
) -> tuple[dict[str, PlacedElement], dict[str, PlacedElement]]:
    """All elements that have an angle, and all elements, by their names."""
    arms = {e.name.lower(): e for e in placed if e.kind.is_link and len(e.ends) == 2}
    if rigid is not None:
        arms.update(_arms_of_bodies(placed, rigid))
    return arms, {e.name.lower(): e for e in placed}


def finished_condition(formula: Formula, span: Span, world: World, rigid: Rigid | None) -> Formula:
    """A condition of the chainlist itself, with the names of its bodies and links as they are spelled."""
    asking = PlacedElement(".stop", REGISTRY["G"], Reading(()), span, (), ())
    return _with_ends(formula, asking, world, *_arms(world.constraints, rigid))


def _arms_of_bodies(placed: list[PlacedElement], rigid: Rigid) -> dict[str, PlacedElement]:
    """In the plane a rigid body turns like a link from the origin to the end of its axis."""
    found = {}
    for element in placed:
        if element.name.lower() not in rigid.frames:
            continue
        arm = rigid.arm(element.name)
        found[element.name.lower()] = element
        if arm is not None:
            found[element.name.lower()] = replace(element, reading=replace(element.reading, ends=arm))
    return found


def _rigid_element(element: PlacedElement, rigid: Rigid) -> Element:
    parts = rigid.parts(element.name)
    form = element.reading.form
    arm = rigid.arm(element.name)
    axis = "" if arm is None else str(arm[1])
    card = words(element.reading)
    return Element(element.name, element.kind.letter, element.ends, (), element.span, card, form, (), parts, axis)


def _with_bodies(element: Element, held: Collection[str]) -> Element:
    """Kernels see bodies that move by themselves: at points of rigid bodies a formula takes their place."""
    switched = [switch.row for switch in element.parts.switches]
    natives = [part for part in (*element.parts.rows, *element.parts.forces, *switched) if isinstance(part, Native)]
    if not any(isinstance(end, str) and end.lower() in held for native in natives for end in native.ends):
        return element
    rows: list[Row | Native] = []
    forces: list[Law | Native] = []
    for part in (*element.parts.rows, *element.parts.forces):
        if isinstance(part, Row):
            rows.append(part)
        elif isinstance(part, Law):
            forces.append(part)
        else:
            spelled = _by_formula(part, element)
            rows, forces = [*rows, *spelled.rows], [*forces, *spelled.forces]
    switches = [
        replace(switch, row=_by_formula(switch.row, element).rows[0]) if _at(switch.row, held) else switch
        for switch in element.parts.switches
    ]
    return replace(element, given=Parts(tuple(rows), tuple(forces), tuple(switches)))


def _at(row: Row | Native, held: Collection[str]) -> bool:
    return isinstance(row, Native) and any(isinstance(end, str) and end.lower() in held for end in row.ends)


def _by_formula(native: Row | Native, element: Element) -> Parts:
    assert isinstance(native, Native)
    by_formula = REGISTRY[native.kind].by_formula
    if by_formula is None:
        message = (
            f"{element.name} cannot hold on to a point of a rigid body: the type {element.type.name} has only a kernel"
        )
        help = "give its type `by_formula`, or pin a body with a small mass to that point and hold on to it"
        raise Problem("E228", message, element.span, label="a point of a rigid body", help=help)
    return by_formula(native.ends, native.parameters)


def _everyone(world: World, rigid: Rigid | None) -> tuple[Round, ...]:
    """All bodies that the text names, with the disks and balls about them."""
    disks = {}
    for element in world.constraints:
        reading = element.reading
        if rigid is not None and element.kind.rigid and len(reading.ends) == 1 and reading.values[1]:
            disks[str(reading.ends[0]).lower()] = (element.name, float(reading.values[1]))
    found = []
    for body in sorted(world.bodies.values(), key=attrgetter("path")):
        if body.name.split(".")[-1][0].upper() != "B":
            continue  # centres and axes of rigid bodies
        name, radius = disks.get(body.name.lower(), ("", body.radius))
        if name and rigid is not None:
            arm = rigid.arm(name)
            found.append(Round(body.name, body.position, radius, arm or (), rigid.frames[name.lower()], name))
        else:
            frame = None if rigid is None else rigid.holder.get(body.name.lower())
            holder = "" if frame is None else frame.name
            found.append(Round(body.name, body.position, radius, holder=holder))
    return tuple(found)


def _finished(
    element: PlacedElement,
    world: World,
    arms: dict[str, PlacedElement],
    known: dict[str, PlacedElement],
    rigid: Rigid | None,
) -> Element:
    reading, kind = element.reading, element.kind
    ends = tuple(_end(end, world) for end in reading.ends)
    points = tuple(_position(end, world) for end in ends)
    of = tuple(_arm(name, element, world, arms, known) for name in reading.of)
    others = tuple(known[arm.name.lower()].reading for arm in of)
    turning = [arm for arm in of if len(arm.ends) == 2 and not (arm.kind.rigid and arm is known[arm.name.lower()])]
    of_ends = [tuple(_end(end, world) for end in arm.ends) for arm in turning]
    formulas = tuple(_with_ends(formula, element, world, arms, known) for formula in reading.formulas)
    placed = Placed(
        ends,
        reading.values,
        formulas,
        reading.form,
        tuple(arm.name for arm in of),
        points=points,
        arms=tuple((one, two) for one, two in of_ends),
        arm_points=tuple((_position(one, world), _position(two, world)) for one, two in of_ends),
        bodies=tuple(rigid.frames[arm.name.lower()] for arm in of if rigid is not None and arm.kind.rigid),
        others=tuple(replace(other, ends=tuple(_end(end, world) for end in other.ends)) for other in others),
        other_points=tuple(tuple(_position(_end(end, world), world) for end in other.ends) for other in others),
        vectors=reading.vectors,
        keys=reading.keys,
        name=element.name,
        everyone=_everyone(world, rigid) if kind.meets_all else (),
        first=_first_values(element, ends, formulas),
        size=max(world.largest, *(abs(x) for point in points for x in point), 0.0),
    )
    try:
        parts = None if kind.parts is None else kind.parts(placed)
        parameters: tuple[float, ...] = ()
        if parts is None:
            assert kind.parameters is not None
            parameters = kind.parameters(placed.values, points)
            if kind.row is None:
                parts = Parts(forces=(Native(kind.letter, ends, parameters),))
    except ArithmeticError:
        raise _out_of_range(element) from None
    except Refused as refusal:
        message = f"{element.name}: {refusal}"
        raise Problem("E228", message, element.span, label="has no meaning", help=refusal.help) from None
    _check_anchors(element, ends)
    if parts is None:
        _check_numbers(element, ends, parameters)
    elif not all(value is None or abs(value) <= LARGEST for value in placed.values):
        raise _out_of_range(element)
    return Element(
        element.name, kind.letter, ends, parameters, element.span, element.words, reading.form, placed.of, parts
    )


def _first_values(
    element: PlacedElement, ends: tuple[End, ...], formulas: tuple[Formula, ...]
) -> tuple[float | None, ...]:
    """The values at the time 0 of formulas of the time, which must be finite, as must be those of moving anchors."""
    moving = [formula for end in ends if isinstance(end, Moving) for formula in end.coordinates]
    found = [value_at(formula) if uses(formula) <= {"time"} else None for formula in (*formulas, *moving)]
    for formula, value in zip((*formulas, *moving), found, strict=True):
        if value is not None and not abs(value) <= LARGEST:
            message = f"{element.name}: {expression_text(formula)} is no finite number at the start"
            help = "what depends on the time must have a value from the time 0 on"
            raise Problem("E205", message, element.span, label="not a number at the time 0", help=help)
    return tuple(found[: len(formulas)])


def _with_ends(
    formula: Formula,
    element: PlacedElement,
    world: World,
    arms: dict[str, PlacedElement],
    known: dict[str, PlacedElement],
) -> Formula:
    """A formula in which links stand for their two ends: ANGLE(C1) is ANGLE(B1,(0,0)). Bodies get their own spelling."""
    match formula:
        case Quantity():
            if formula.function in ("ANGLE", "OMEGA") and (len(formula.arguments) == 1 or of_two_bodies(formula)):
                turning = [_arm(str(name), element, world, arms, known) for name in formula.arguments]
                if any(len(arm.ends) != 2 or (arm.kind.rigid and arm is known[arm.name.lower()]) for arm in turning):
                    raise _no_number(element, formula)
                return turned(formula.function, [tuple(_end(end, world) for end in arm.ends) for arm in turning])
            if formula.function == "TENSION":
                return Quantity(
                    "TENSION", (_arm(str(formula.arguments[0]), element, world, arms, known, any_link=True).name,)
                )
            return Quantity(formula.function, tuple(_end(end, world, element.span) for end in formula.arguments))
        case Operation():
            operands = tuple(_with_ends(operand, element, world, arms, known) for operand in formula.operands)
            return Operation(formula.operator, operands)
        case _:
            return formula


def _no_number(element: PlacedElement, item: Quantity) -> Problem:
    text = f"{item.function}({','.join(map(str, item.arguments))})"
    message, help = f"{element.name}: {text} is no number in space", instead_in_space(item)
    return Problem("E281", message, element.span, label="a vector", help=help)


def _arm(
    name: str,
    element: PlacedElement,
    world: World,
    arms: dict[str, PlacedElement],
    known: dict[str, PlacedElement],
    *,
    any_link: bool = False,
) -> PlacedElement:
    """The link of this name; `any_link`: also a string over pegs, which has no angle."""
    if name.lower() in arms:
        return arms[name.lower()]
    if any_link and name.lower() in known and known[name.lower()].kind.is_link:
        return known[name.lower()]
    if world.is_broken(name.lower()):
        raise Problem()
    if name.lower() in known:
        other = known[name.lower()]
        what = "a string over pegs has no angle" if other.kind.is_link else f"{other.name} is a {other.kind.name}"
        message, label = f"{element.name} needs a link, and {what}", "not a link"
        at = _name_in(element.span, name)
        help = "name a link between two ends: C1"
        if any_link:
            pulls = other.kind.picture in ("spring", "damper", "force")
            item = "TORQUE" if other.kind.turns else "FORCE" if pulls else "TENSION"
            measure = f".meas {other.name}_at WHEN {{{item}({other.name})<1}}"
            help = f"a run knows the forces of links alone; {measure} finds when any other passes a value"
        raise Problem("E226", message, at, label=label, help=help)
    if name.rpartition(".")[2].lower() == "all":
        raise all_at_once(element, _name_in(element.span, name), known if any_link else arms, any_link=any_link)
    meant = world.desk.meant(name.lower(), list(arms))
    kind = REGISTRY.get(name.rpartition(".")[2][:1].upper())
    if kind is not None and not kind.rigid and not kind.is_link:
        message, own = f"{element.name}: {name} would be a {kind.name}", element.kind.name
        help = f"a {own} needs a link or a rigid body: name one, such as {next(iter(arms.values())).name if arms else 'C1'}"
        raise Problem("E226", message, _name_in(element.span, name), label="not a link", help=help)
    what, mass = ("rigid body", " 1") if kind is not None and kind.rigid else ("link", "")
    help = f"did you mean {arms[meant].name}?" if meant else f"define it: {name} B1 B2{mass}"
    at = _name_in(element.span, name)
    raise Problem("E226", f"{element.name}: there is no {what} {name}", at, label="not defined", help=help)


def _name_in(span: Span, name: str) -> Span:
    """Where a card names another entity; the card itself where it does so in other words."""
    found = list(re.finditer(rf"(?<![\w.]){re.escape(name.split('.')[-1])}(?![\w.])", span.text, re.IGNORECASE))
    return Span(span.source, span.start + found[0].start(), span.start + found[0].end()) if found else span


def _end(end: End, world: World, at: Span | None = None) -> End:
    """The end with its body's own spelling; a body that failed takes its elements along, in silence."""
    if not isinstance(end, str):
        return end
    body = world.bodies.get(end.lower())
    if body is None and not world.is_broken(end.lower()) and is_rigid(end):
        help = f"define it: {end} B1 B2 1"
        raise Problem("E226", f"there is no rigid body {end}", at, label="not defined", help=help)
    if body is None or (world.broken and body.name.lower() in world.broken):
        raise Problem()
    return body.name


def _position(end: End, world: World) -> Point:
    if isinstance(end, Moving):
        return place_at_start(end)
    return world.bodies[end.lower()].position if isinstance(end, str) else end


def _check_anchors(element: PlacedElement, ends: tuple[End, ...]) -> None:
    for end in ends:
        if isinstance(end, tuple) and not all(abs(c) <= LARGEST for c in end):
            raise _out_of_range(element)


def _check_numbers(constraint: PlacedElement, ends: tuple[End, ...], parameters: tuple[float, ...]) -> None:
    """A constraint needs numbers that can be computed with, and a length that is not zero if it has one."""
    kind, name = constraint.kind, constraint.name
    if not all(map(math.isfinite, parameters)):
        raise _out_of_range(constraint)
    if kind.length is not None and kind.length(parameters) <= 0:
        names = " and ".join(end if isinstance(end, str) else "its anchor" for end in ends)
        raise Problem(
            "E229",
            f"the {kind.name} {name} has length zero",
            constraint.span,
            label=f"{names} stand in one place",
            help="move one of the ends: in one place they have no direction",
        )
    scale = kind.force_scale(parameters) if kind.force_scale is not None else 1.0
    if not SMALLEST <= scale <= LARGEST or not max(map(abs, parameters), default=0.0) * scale <= LARGEST:
        raise _out_of_range(constraint)


def _out_of_range(entity: PlacedBody | PlacedElement) -> Problem:
    return Problem(
        "E205",
        f"{entity.name}: its numbers are too large or too small to compute with",
        entity.span,
        label="out of range",
        help=f"lengths, masses and speeds go from {shortest(SMALLEST)} to {shortest(LARGEST)} in SI units",
    )
