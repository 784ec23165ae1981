"""Rigid bodies: their vectors, the points they hold, and the rows that keep them rigid and joined.

A body is its centre and its axes, vectors with the mass of the body; the axes are as long as its radii of gyration. Every
point of it is a fixed weighted sum of these. The first body that names a B holds it; a later one that names it too is
joined to the first by linear rows. Where two bodies share a second point, the distance of the two is kept by the first
already: the row of the later one that says so again is left out, so that no set is redundant.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter

from chainlist.elements import REGISTRY
from chainlist.elements.base import Native, Parts, nothing
from chainlist.elements.rigid import ROTOR
from chainlist.equations.equation import LINEAR, QUADRATIC
from chainlist.equations.primitive import linear_form
from chainlist.equations.value import place_at_start
from chainlist.formula import End, Moving, Point
from chainlist.model import inertia, shapes
from chainlist.model.assembly import World
from chainlist.model.bodyframe import BodyFrame, directions_of, inertia_of
from chainlist.model.desk import Desk, Problem
from chainlist.model.entities import PlacedBody, PlacedElement
from chainlist.model.mechanism import Body
from chainlist.model.pose import fitted
from chainlist.model.rigidbody import PinnedPoint, RigidBody, Shape
from chainlist.model.rotor import axial_moment, gyroscopic, rotor_axis
from chainlist.syntax.diagnostics import Related

ROD = next(letter for letter, kind in REGISTRY.items() if kind.is_link)
ROUNDING = 1e-15  # components of a unit vector
_ROUND: dict[str, Shape] = {"DISK": "disk", "HOOP": "hoop", "BALL": "ball", "SHELL": "shell"}


class Rigid:
    """All rigid bodies of a mechanism."""

    def __init__(self, world: World, desk: Desk) -> None:
        self.world, self.desk = world, desk
        self.frames: dict[str, BodyFrame] = {}
        self.holder: dict[str, BodyFrame] = {}  # key of a body → the frame that holds it
        self.named: set[str] = set()  # keys of the bodies that cards of rigid bodies name, also of those that failed
        for element in sorted((e for e in world.constraints if e.kind.rigid), key=attrgetter("path")):
            try:
                self._add(element)
            except Problem as problem:
                desk.tell(problem)
                world.broken.add(element.name.lower())

    def _add(self, element: PlacedElement) -> None:
        world = self.world
        keys = [end.lower() for end in element.ends if isinstance(end, str)]
        self.named.update(keys)
        if any(key not in world.bodies or world.is_broken(key) for key in keys):
            raise Problem()
        frame = self._frame(element, [world.bodies[key] for key in keys if key not in self.holder])
        self._join(frame)
        self._keep_rigid(frame)
        self.frames[element.name.lower()] = frame
        for key in keys:
            self.holder.setdefault(key, frame)
        for body in self._vectors(frame):
            world.bodies[body.name.lower()] = body

    # Where the mass is

    def _frame(self, element: PlacedElement, own: Sequence[PlacedBody]) -> BodyFrame:
        places = tuple(self._place(end) for end in element.ends)
        try:
            mass = inertia_of(element, _without_rounding(places, nothing(max(self.world.largest, _largest(places)))))
            mass = inertia.merged(mass, *(inertia.point(body.mass, body.position) for body in own if body.mass > 0))
            if mass.mass <= 0:
                raise ValueError("its mass is 0, and so are those of its points: give it a mass")
            spins = element.reading.form.endswith(ROTOR)
            if not spins:
                inertia.check_held_points(mass, places)
            given = dict(element.reading.vectors)
            if spins:
                directions, lengths = rotor_axis(mass, places, given["OMEGA"])
            else:
                directions, lengths = directions_of(mass, places, given.get("ALONG", (1.0, 0.0)))
        except ValueError as refusal:
            raise _no_such_body(element, refusal) from None
        except ArithmeticError:  # huge masses that no sum holds, points so near that their distance vanishes
            extreme = ValueError("its mass, or the distance of its points, is beyond all numbers: write kg and m")
            raise _no_such_body(element, extreme) from None
        starts = [self._start(end) for end in element.ends]
        return BodyFrame(element, places, mass, directions, lengths, fitted(places, starts))

    def _place(self, end: End) -> Point:
        if isinstance(end, Moving):
            return place_at_start(end)
        return self.world.bodies[end.lower()].position if isinstance(end, str) else end

    def _start(self, end: End) -> Point:
        return self.world.bodies[end.lower()].start if isinstance(end, str) else self._place(end)

    # Joints

    def _join(self, frame: BodyFrame) -> None:
        """Rows at points that others hold too, or that the ground does."""
        partners: dict[int, list[int]] = {}
        for k, end in enumerate(frame.element.ends):
            if not isinstance(end, str):
                partners.setdefault(0, []).append(k)
            elif end.lower() in self.holder:
                partners.setdefault(id(self.holder[end.lower()]), []).append(k)
        for shared in partners.values():
            spanned = self._join_at(frame, shared)
            told = any(isinstance(frame.element.ends[k], Moving) for k in shared)
            if spanned and not frame.implied and not told:
                frame.implied = spanned
            if len(spanned) == len(frame.places[0]) - 1 and isinstance(frame.element.ends[shared[0]], str):
                self._tell_weld(frame, shared)

    def _join_at(self, frame: BodyFrame, shared: Sequence[int]) -> list[Point]:
        """Rows at the points shared with one partner; the directions between them, orthonormal, along the frame's own."""
        spanned: list[Point] = []
        first = frame.coordinates(frame.places[shared[0]])
        for k in shared:
            place = frame.places[k]
            across = _across(inertia.minus(frame.coordinates(place), first), spanned)
            length = math.hypot(*across)
            if k != shared[0]:
                if length <= 1e-9 * frame.size or len(spanned) == len(place) - 1:
                    continue  # it follows from the others
                spanned.append(tuple(x / length for x in across))
            end = frame.element.ends[k]
            other = self.holder[end.lower()].name if isinstance(end, str) else ""
            frame.joints.append(PinnedPoint(end, other, len(frame.rows)))
            frame.rows += self._pin(frame, end, place)
        return spanned

    def _pin(self, frame: BodyFrame, end: End, place: Point) -> Iterator[Native]:
        """One linear row for each coordinate: where this body has the point, less where the other, or the ground, has it."""
        terms = list(frame.weights(place))
        if isinstance(end, str):
            terms += [(name, -alpha, -beta) for name, alpha, beta in self.holder[end.lower()].weights(place)]
        for c in range(len(place)):
            ends: list[End] = [name for name, _, _ in terms]
            numbers = [x for _, alpha, beta in terms for x in linear_form(c, alpha, beta, len(place))]
            if isinstance(end, Moving):
                ends.append(end)
                numbers += linear_form(c, -1.0, 0.0, len(place))
            yield Native(LINEAR, tuple(ends), (end[c] if isinstance(end, tuple) else 0.0, *numbers))

    def _tell_weld(self, frame: BodyFrame, shared: Sequence[int]) -> None:
        names = [str(frame.element.ends[k]) for k in shared]
        other = self.holder[names[0].lower()]
        message = f"{frame.name} and {other.name} share {', '.join(names)}: they are welded together"
        help = "to let them turn, let them share one point only"
        also = [Related(other.element.span, other.name)]
        self.desk.tell(Problem("W207", message, frame.element.span, label="a weld", help=help, also=also))

    # Rigidity

    def _keep_rigid(self, frame: BodyFrame) -> None:
        """Lengths of its axes, and angles between them, as far as no other body keeps them."""
        start = self._axes_at_start(frame)
        if not frame.implied:
            origin = (0.0,) * len(frame.places[0])
            for axis, vector in zip(frame.axes, start, strict=True):
                squared = math.fsum(x * x for x in vector)
                frame.rows.append(Native(ROD, (axis, origin), (squared, math.sqrt(squared))))
            for i in range(len(start)):
                for j in range(i):
                    ends = (frame.axes[j], frame.axes[i])
                    frame.rows.append(Native(QUADRATIC, ends, (0.0, 0.0, 0.5, 0.5, 0.0)))
        elif len(frame.places[0]) > 2:
            frame.rows += _rigid_but(frame)

    def _axes_at_start(self, frame: BodyFrame) -> list[Point]:
        turned = (frame.pose.direction(direction) for direction in frame.directions)
        return [tuple(k * x for x in vector) for vector, k in zip(turned, frame.lengths, strict=False)]

    # What the mechanism gets

    def _vectors(self, frame: BodyFrame) -> Iterator[PlacedBody]:
        """The centre and the axes, as bodies of the world."""
        element, mass = frame.element, frame.mass.mass
        still = (0.0,) * len(frame.mass.centre)
        omega = dict(element.reading.vectors).get("OMEGA")
        start = frame.pose.point(frame.mass.centre)
        yield PlacedBody(element.name, frame.mass.centre, mass, start, still, element.span, element.path)
        for axis, direction, k, vector in zip(
            frame.axes, frame.directions, frame.lengths, self._axes_at_start(frame), strict=False
        ):
            laid = tuple(k * x for x in direction)
            velocity = still if omega is None else _cross(omega, vector)
            yield PlacedBody(axis, laid, mass, vector, velocity, element.span, element.path, omega is not None)

    def body(self, placed: PlacedBody, order: int) -> Body:
        """A body of the world as the mechanism keeps it."""
        key = placed.name.lower()
        frame = self.holder.get(key)
        found = Body(
            placed.name,
            placed.position,
            placed.mass,
            placed.start,
            placed.velocity,
            placed.span,
            placed.velocity_given,
            radius=placed.radius,
            order=order,
        )
        if frame is not None:
            start = frame.pose.point(placed.position)
            return replace(
                found, mass=0.0, own_mass=placed.mass, start=start, role="held", weights=frame.weights(placed.position)
            )
        if key in self.frames:
            return replace(found, role="centre")
        return replace(found, role="axis") if key.rpartition(".")[0] in self.frames else found

    def parts(self, name: str) -> Parts:
        frame = self.frames[name.lower()]
        omega = dict(frame.element.reading.vectors).get("OMEGA")
        if frame.element.reading.form.endswith(ROTOR) and omega is not None:
            axle = frame.pose.direction(frame.directions[0])
            return Parts(tuple(frame.rows), gyroscopic(frame.mass, frame.axes[0], frame.lengths[0], axle, omega))
        return Parts(rows=tuple(frame.rows))

    def arm(self, name: str) -> tuple[End, End] | None:
        """What stands for the direction of a body in the plane: its axis, from the origin."""
        frame = self.frames.get(name.lower())
        return None if frame is None or len(frame.places[0]) > 2 else ((0.0, 0.0), frame.axes[0])

    def bodies(self) -> tuple[RigidBody, ...]:
        return tuple(_rigid_body(frame) for frame in self.frames.values())


def _cross(omega: Point, vector: Point) -> Point:
    """ω × a."""
    if len(omega) == 1:
        return (-omega[0] * vector[1], omega[0] * vector[0])
    (a, b, c), (x, y, z) = omega, vector
    return (b * z - c * y, c * x - a * z, a * y - b * x)


def _across(v: Point, basis: Sequence[Point]) -> Point:
    """v without its part along orthonormal vectors."""
    for direction in basis:
        along = inertia.dot(v, direction)
        v = tuple(x - along * y for x, y in zip(v, direction, strict=True))
    return v


def _rigid_but(frame: BodyFrame) -> Iterator[Native]:
    """Products of body-fixed directions, those that span `implied` first: e_i·e_j = δ_ij but where both are implied."""
    rank = len(frame.lengths)
    basis = list(frame.implied)
    units = [tuple(1.0 if k == unit else 0.0 for k in range(rank)) for unit in range(rank)]
    while len(basis) < rank:
        across = max((_across(unit, basis) for unit in units), key=lambda v: math.hypot(*v))
        basis.append(tuple(x / math.hypot(*across) for x in across))
    for i in range(len(frame.implied), len(basis)):
        for j in range(i + 1):
            # an axis that is not in it would cost as much as one that is
            used = [n for n in range(rank) if max(abs(basis[i][n]), abs(basis[j][n])) > ROUNDING]
            one, two = ([basis[n][axis] / frame.lengths[axis] for axis in used] for n in (i, j))
            weights = [
                0.5 * (a * d + b * c) for a, b in zip(one, two, strict=True) for c, d in zip(one, two, strict=True)
            ]
            yield Native(QUADRATIC, tuple(frame.axes[axis] for axis in used), (1.0 if i == j else 0.0, *weights))


def _rigid_body(frame: BodyFrame) -> RigidBody:
    reading = frame.element.reading
    radius = reading.values[1] or 0.0
    form = reading.form.removesuffix(ROTOR)
    shape: Shape = _ROUND.get(form, "body" if not radius else "disk" if len(frame.mass.centre) == 2 else "body")
    if form == "ROD" or (form == "UNIFORM" and len(frame.places) == 2):
        shape = "rod"
    elif form == "UNIFORM":
        shape = "polygon" if len(frame.directions) == 2 else "solid"
    given = dict(reading.vectors)
    axis = given.get("AXIS")
    middle = frame.coordinates(given.get("CG", frame.places[0])) if radius else ()
    normal: Point = ()
    if axis is not None and len(axis) == 3:
        normal = tuple(inertia.dot(shapes.unit(axis), direction) for direction in frame.directions)
    return RigidBody(
        frame.name,
        tuple(frame.element.ends),
        shape,
        frame.mass.mass,
        frame.name,
        frame.axes,
        frame.lengths,
        tuple(frame.coordinates(place) for place in frame.places),
        radius,
        middle,
        normal,
        *_spin(frame),
        tuple(frame.joints),
        frame.element.span,
    )


def _spin(frame: BodyFrame) -> tuple[float, float]:
    """Of a rotor its spin, and the moment about its axle."""
    omega = dict(frame.element.reading.vectors).get("OMEGA")
    if omega is None or not frame.element.reading.form.endswith(ROTOR):
        return 0.0, 0.0
    return inertia.dot(omega, frame.pose.direction(frame.directions[0])), axial_moment(frame.mass, frame.directions[0])


def _largest(places: Sequence[Point]) -> float:
    return max((abs(x) for place in places for x in place), default=0.0)


def _without_rounding(places: tuple[Point, ...], distance: float) -> tuple[Point, ...]:
    """The places, each one that only rounding parts from one before it as that one."""
    found: list[Point] = []
    for place in places:
        found.append(next((other for other in found if math.dist(place, other) <= distance), place))
    return tuple(found)


def _thick(element: PlacedElement) -> str:
    """The moments of a disk or hoop a tenth of its radius thick, as an example; "" where its axis is none of the coordinates'."""
    mass, radius = element.reading.values
    along = [i for i, x in enumerate(dict(element.reading.vectors).get("AXIS", ())) if x]
    form = element.reading.form
    if len(along) != 1 or mass is None or radius is None or form not in ("DISK", "HOOP"):
        return ""
    turning = mass * radius**2 * (0.5 if form == "DISK" else 1.0)
    across = 0.5 * turning + mass * (0.1 * radius) ** 2 / 12
    moments = ",".join(f"{turning if i in along else across:.4g}" for i in range(3))
    return f", such as J=({moments}) of one {0.1 * radius:.3g} m thick"


def _no_such_body(element: PlacedElement, refusal: ValueError) -> Problem:
    message, _, cure = str(refusal).partition(": ")
    help, at = cure or "change its mass, its points, CG or J", element.span
    if isinstance(refusal, inertia.OffBody):
        help = "give its centre of mass and the moments of a body that is not thin: CG=(x,y,z) J=(Jxx,Jyy,Jzz)"
        if "CG" in dict(element.reading.vectors):
            help = f"give it the moments of a body that is not thin: J=(Jxx,Jyy,Jzz){_thick(element)}"
        form = element.reading.form
        help += f", in place of {form}" if form in element.span.text.upper().split() else ""
        if form in ("DISK", "HOOP"):
            help += "; or, if this is its axle and it spins freely, ROTOR OMEGA=(wx,wy,wz)"
        at = element.end_spans[refusal.which] if element.end_spans else at
    return Problem("E234", f"{element.name}: {message}", at, label="no such body", help=help)
