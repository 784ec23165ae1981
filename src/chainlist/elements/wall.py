"""W: a wall that bodies do not pass, or bodies that do not pass one another.

W1 LINE(0,1,0) REST=0.8
W2 B1 B2 LINE(0,1,{0.1*sin(9*time)})
W3 CIRCLE((0,0),2) INSIDE MU=0.3
W4 B1 B2 REST=1
W5 ALL
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

from chainlist.elements.base import (
    Card,
    ElementType,
    Native,
    Parts,
    Placed,
    Reading,
    Refused,
    Round,
    Row,
    Switch,
    register,
    shortest,
)
from chainlist.elements.directions import cross, dot, length, minus, place, tangents, unit, velocity
from chainlist.elements.switching import read_contact, rubbing
from chainlist.elements.turning import spin_about
from chainlist.formula import Constant, End, Formula, Point, Quantity

SHAPES = {2: ("line", "circle"), 3: ("plane", "sphere")}
_EXAMPLE = {2: "LINE(0,1,0) or CIRCLE((0,0),1)", 3: "PLANE(0,1,0,0) or SPHERE((0,0,0),1)"}


def read(card: Card) -> Reading:
    every = card.word("ALL") is not None
    bodies: list[End] = []
    while not every and card.peek_name() is not None and not card.peek_call():
        bodies.append(card.body())
    if card.peek_call() is None:
        return _read_pairs(card, bodies, every=every)
    if every:
        card.refuse(
            "a wall is for all bodies unless some are named", help="leave ALL out; W1 ALL alone is for all pairs"
        )
    return _read_wall(card, bodies)


def _read_pairs(card: Card, bodies: list[End], *, every: bool) -> Reading:
    contact, belt = read_contact(card), card.named("BELT")
    if not every and len(bodies) < 2:
        card.refuse(
            f"what is the wall? {_EXAMPLE[card.dimension]} is missing",
            help="a wall is written W1 LINE(k1,k2,konst); two bodies that do not pass one another W1 B1 B2",
            lacking=True,
        )
    elif belt is not None:
        card.refuse("BELT is for walls: bodies that meet carry nothing along", help="leave BELT out")
    if any(key in ("MU", "MUS") for key, _ in contact):
        card.refuse("bodies that meet have no friction between them", help="leave MU out: only walls and sliders rub")
    return Reading(tuple(bodies), form="pairs", vectors=contact, keys=("ALL",) if every else ())


def _read_wall(card: Card, bodies: list[End]) -> Reading:
    shape = card.peek_call() or ""
    if shape not in SHAPES[card.dimension]:
        where = "the plane" if card.dimension == 2 else "space"
        card.fail(f"{shape.upper()}(…) is no wall of {where}", help=f"write {_EXAMPLE[card.dimension]}")
    if shape in ("circle", "sphere"):
        with card.inside(shape.upper()):
            bodies.append(card.end())
            numbers: tuple[Formula, ...] = (card.expression("time", "length"),)
        if isinstance(numbers[0], Constant) and numbers[0].value <= 0:
            card.refuse(
                f"the radius must be positive, not {numbers[0].value:g}", help=f"write {_EXAMPLE[card.dimension]}"
            )
    else:
        wants = ("number",) * card.dimension
        numbers = card.expressions(shape.upper(), "time", *wants, "length")
        if numbers[:-1] == (Constant(0.0),) * card.dimension:
            card.refuse(f"a {shape} whose first numbers are all 0 is none", help=f"write {_EXAMPLE[card.dimension]}")
    inside = card.word("INSIDE") is not None
    if inside and shape in ("line", "plane"):
        card.refuse(f"a {shape} has no inside", help="turn its signs around: LINE(0,-1,-2) keeps bodies below y = 2")
    contact = read_contact(card)
    belt = card.named("BELT")
    if belt is not None and card.dimension == 3:
        card.refuse("BELT has no direction in space", help="BELT is for walls of the plane")
    if belt is not None and not any(key in ("MU", "MUS") for key, _ in contact):
        card.refuse("BELT moves nothing without friction", help="give MU= as well", lacking=True)
    vectors = contact if belt is None else (*contact, ("BELT", (belt,)))
    return Reading(tuple(bodies), (), numbers, form=shape, vectors=vectors, keys=("INSIDE",) if inside else ())


def parts(placed: Placed) -> Parts:
    known = {one.end: one for one in placed.everyone}
    if placed.form == "pairs":
        return Parts(switches=tuple(_pairs(placed, known)))
    round_ = placed.form in ("circle", "sphere")
    named = placed.ends[:-1] if round_ else placed.ends
    centre = placed.ends[-1] if round_ else None
    bodies = [known[str(end)] for end in named] or [one for one in placed.everyone if one.end != centre]
    if placed.form in ("line", "plane"):
        if all(value == 0.0 for value in placed.first[:-1]):
            raise Refused("its first numbers are all 0 at the start: that is no wall", help="they give its direction")
        return Parts(switches=tuple(_beside_line(placed, body) for body in bodies))
    return Parts(switches=tuple(_beside_circle(placed, body, centre) for body in bodies if centre is not None))


def _pairs(placed: Placed, known: dict[str, Round]) -> list[Switch]:
    bodies = list(placed.everyone) if placed.keys else [known[str(end)] for end in placed.ends]
    found = []
    for one, other in combinations(bodies, 2):
        reach = one.radius + other.radius
        same = one.holder != "" and one.holder == other.holder
        if reach == 0.0 or same:
            if placed.keys:
                continue
            if same:
                raise Refused(
                    f"{one.end} and {other.end} are points of one body", help="they always keep their distance"
                )
            raise Refused(
                f"{one.end} and {other.end} are points, which never meet",
                help="give them a RADIUS: B1 (0,0) 1 RADIUS=0.1",
            )
        row = Native("C", (one.end, other.end), (reach * reach, reach))
        rest = placed.setting("REST") or 0.0
        found.append(Switch(row, 1.0, (one.end, other.end), restitution=rest))
    if not found:
        raise Refused("no body has a RADIUS: points never meet", help="give bodies one: B1 (0,0) 1 RADIUS=0.1")
    return found


def _beside_line(placed: Placed, body: Round) -> Switch:
    *normal, konst = placed.formulas
    numbers = [n.value for n in placed.formulas if isinstance(n, Constant)]
    if len(numbers) == len(placed.formulas):
        *across, away = numbers
        row: Row | Native = Native("S", (body.end,), (*across, away + body.radius * math.hypot(*across)))
    else:
        along = dot(normal, place(body.end, len(normal)))
        row = Row((along - konst) / length(normal) - body.radius)
    switch = Switch(row, 1.0, (body.end,), restitution=placed.setting("REST") or 0.0)
    return rubbing(placed, switch, lambda: _slips(placed, body, unit(normal), velocity(body.end, len(normal))))


def _beside_circle(placed: Placed, body: Round, centre: End) -> Switch:
    inside = "INSIDE" in placed.keys
    radius, d = placed.formulas[0], len(body.place)
    if inside and isinstance(radius, Constant) and radius.value <= body.radius:
        raise Refused(f"{body.end} does not fit inside", help=f"a radius above {body.radius:g} is needed")
    reach = radius - body.radius if inside else radius + body.radius
    ends = (body.end, centre)
    row: Row | Native = Row(Quantity("DIST", ends) - reach)
    if isinstance(reach, Constant):
        row = Native("C", ends, (reach.value * reach.value, reach.value))
    away = minus(place(body.end, d), place(centre, d))
    normal = unit([-x for x in away] if inside else away)
    speed = minus(velocity(body.end, d), velocity(centre, d))
    switch = Switch(row, -1.0 if inside else 1.0, (body.end,), restitution=placed.setting("REST") or 0.0)
    return rubbing(placed, switch, lambda: _slips(placed, body, normal, speed))


def _slips(placed: Placed, body: Round, normal: Sequence[Formula], speed: Sequence[Formula]) -> list[Row]:
    """Speeds of the surface of a body along a wall with this normal: one in the plane, two in space."""
    belt, found = placed.setting("BELT") or 0.0, []
    for t in tangents(normal):
        slip = dot(t, speed) - belt
        if body.radius and body.spin:
            slip = slip + body.radius * Quantity("OMEGA", body.spin)
        elif body.radius and body.body is not None:  # ω × (−r n) along t is −r ω·(n × t)
            slip = slip - body.radius * spin_about(body.body, cross(normal, t))
        found.append(Row(slip, of_velocities=True))
    return found


def carried(reading: Reading, rotation: tuple[Point, ...], shift: Point, handed: float) -> Reading:
    """The normal of a line or plane turns, and the whole is shifted; in a mirror a belt runs the other way."""
    vectors = tuple((key, (handed * v[0],) if key == "BELT" else v) for key, v in reading.vectors)
    if reading.form not in ("line", "plane"):
        return replace(reading, vectors=vectors)
    *normal, konst = reading.formulas
    zero: Formula = Constant(0.0)
    turned = [sum((r * n for r, n in zip(line, normal, strict=True)), zero) for line in rotation]
    along = sum((n * d for n, d in zip(turned, shift, strict=True)), zero)
    return replace(reading, formulas=(*turned, konst + along), vectors=vectors)


def spell(reading: Reading, text: Callable[[Formula], str]) -> tuple[str | None, ...]:
    """The words of a card that reads so."""
    settings = [f"{key}={shortest(value[0])}" for key, value in reading.vectors]
    if reading.form == "pairs":
        return (*(None for _ in reading.ends), *reading.keys, *settings)
    shape, numbers = reading.form.upper(), [text(formula) for formula in reading.formulas]
    if reading.form in ("circle", "sphere"):
        named: list[str | None] = [None] * (len(reading.ends) - 1)
        return (*named, f"{shape}(", None, ",", *numbers, ")", *reading.keys, *settings)
    return (*(None for _ in reading.ends), f"{shape}({','.join(numbers)})", *reading.keys, *settings)


register(
    ElementType(
        letter="W",
        name="wall",
        syntax="W<name> [<body> …] LINE(<k1>,<k2>,<konst>) | CIRCLE(<point>,<r>) [INSIDE] [REST=<e>] [MU=<μ>] [MUS=<μs>] [BELT=<v>]"
        " | W<name> <body> <body> | ALL [REST=<e>]; in space PLANE(<a>,<b>,<c>,<d>), SPHERE(<point>,<r>)",
        meaning="a wall that bodies do not pass, k1·x + k2·y ≥ konst, or bodies with RADIUS= that do not pass one another",
        read=read,
        parts=parts,
        carried=carried,
        spell=spell,
        meets_all=True,
        instead=(
            ("x", "a wall is written by its numbers, k1*x+k2*y at least konst: x=0 is LINE(1,0,0)"),
            ("y", "a wall is written by its numbers, k1*x+k2*y at least konst: y=0 is LINE(0,1,0)"),
        ),
        picture="wall",
        units=("m", "m/s", "N"),
        count=("wall", "walls"),
    )
)
