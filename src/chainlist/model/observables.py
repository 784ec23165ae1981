"""What can be plotted and printed: one table that serves the reading of items, their evaluation and the manual."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Takes = Literal[
    "nothing",
    "bodies",
    "constraints",
    "constraints but no motors",
    "links",
    "two points",
    "two points, or links",
    "two or three points, or links",
    "forces",
    "motors and torques",
    "constraints and forces",
    "POS, VEL or ACC",
    "rigid bodies",
    "a rigid body and its point",
    "an item",
    "two items",
    "a vector",
]


@dataclass(frozen=True)
class ObservableType:
    """One quantity. A vector has a component for each coordinate; a picture is no function of time."""

    name: str
    takes: Takes
    unit: str
    meaning: str
    vector: bool = False
    picture: bool = False
    of_space: bool = False  # it has no meaning in the plane
    spin: bool = False  # one number in the plane; in space, of rigid bodies, a vector
    unit_of: int | None = (
        None  # which of the units of an element type it has: 0 for Φ, 1 for its rate, 2 for the multiplier
    )
    gives: bool = False  # it has the unit of what its element gives, mostly N

    @property
    def usage(self) -> str:
        """How it is written, with example names."""
        return _USAGE[self.takes].format(self.name)

    def components(self, dimension: int) -> int:
        """How many numbers it is at each time."""
        return dimension if self.vector or (self.spin and dimension == 3) else 1

    @property
    def points(self) -> int:
        """How many points it takes at most for one value; 0 where each argument has its own."""
        if self.takes == "a rigid body and its point":
            return 2
        return 3 if self.takes.startswith("two or three points") else 2 if self.takes.startswith("two points") else 0

    @property
    def or_links(self) -> bool:
        """True where names of links may stand in place of points."""
        return self.takes.endswith("or links")


_USAGE: dict[Takes, str] = {
    "nothing": "{0}",
    "bodies": "{0}(B1), {0}(B1,B2) or {0}(ALL)",
    "constraints": "{0}(C1), {0}(C1,C2) or {0}(ALL)",
    "constraints but no motors": "{0}(C1), {0}(C1,C2) or {0}(ALL)",
    "links": "{0}(C1), {0}(C1,C2) or {0}(ALL)",
    "two points": "{0}(B1,B2) or {0}(B1,(0,0))",
    "two points, or links": "{0}(B1,B2), {0}(B1,(0,0)), {0}(C1) or {0}(R1)",
    "two or three points, or links": "{0}(B1,B2), {0}(B1,(0,0)), {0}(B1,B2,B3), {0}(C1) or {0}(R1)",
    "forces": "{0}(K1), {0}(K1,D1) or {0}(ALL)",
    "motors and torques": "{0}(M1), {0}(M1,T1) or {0}(ALL)",
    "constraints and forces": "{0}(F1), {0}(F1,M1) or {0}(ALL)",
    "POS, VEL or ACC": "{0}(POS), {0}(VEL) or {0}(ACC)",
    "rigid bodies": "{0}(R1), {0}(R1,R2) or {0}(ALL)",
    "a rigid body and its point": "{0}(R1,B1) or {0}(R1,(0,0))",
    "an item": "{0}(Y(B1)) or {0}(X(B1)-X(B2))",
    "two items": "{0}(TORQUE(M1),ANGLE(C1)) or {0}(Y(B1,B2),X(B3))",
    "a vector": "{0}(JOINT(R1,B1)) or {0}(V(B1)-V(B2))",
}

_ALL = (
    ObservableType("Time", "nothing", "s", "the time"),
    ObservableType("Q", "bodies", "m", "position, all components", vector=True),
    ObservableType("V", "bodies", "m/s", "velocity, all components", vector=True),
    ObservableType("A", "bodies", "m/s²", "acceleration, all components", vector=True),
    ObservableType("X", "bodies", "m", "x coordinate; X(JOINT(R1,B1)): the x component of a vector, in its unit"),
    ObservableType("Y", "bodies", "m", "y coordinate, or y component of a vector"),
    ObservableType("Z", "bodies", "m", "z coordinate, or z component of a vector, in space", of_space=True),
    ObservableType("VX", "bodies", "m/s", "x component of the velocity"),
    ObservableType("VY", "bodies", "m/s", "y component of the velocity"),
    ObservableType("VZ", "bodies", "m/s", "z component of the velocity, in space", of_space=True),
    ObservableType("SPEED", "bodies", "m/s", "speed: the length of the velocity"),
    ObservableType("AX", "bodies", "m/s²", "x component of the acceleration"),
    ObservableType("AY", "bodies", "m/s²", "y component of the acceleration"),
    ObservableType("AZ", "bodies", "m/s²", "z component of the acceleration, in space", of_space=True),
    ObservableType("NORM", "a vector", "", "length of a vector, in its unit"),
    ObservableType("PATH", "bodies", "m", "the path: y over x; in space as the camera of VIEW sees it", picture=True),
    ObservableType("PHASE", "bodies", "m/s", "phase portrait: vx over x, vy over y, in space vz over z", picture=True),
    ObservableType(
        "FFT",
        "an item",
        "",
        "spectrum: amplitudes of an item over the frequency in Hz, in its own unit; a sine of amplitude a is a peak of height a",
        picture=True,
    ),
    ObservableType(
        "VS",
        "two items",
        "",
        "one item versus another: the first up, the second across, in their own units",
        picture=True,
    ),
    ObservableType("Bodies", "POS, VEL or ACC", "", "the same as Q(ALL), V(ALL) or A(ALL)", vector=True),
    ObservableType(
        "CONSTRAINTS", "constraints", "m", "picture of constraints and the bodies at their ends", picture=True
    ),
    ObservableType("PHI", "constraints", "", "the residual Φ", unit_of=0),
    ObservableType("DERIVATIVE", "constraints", "", "full time derivative of Φ: A·v, with drives A·v − c", unit_of=1),
    ObservableType("LAMBDA", "constraints", "", "the multiplier of equation (1)", unit_of=2),
    ObservableType(
        "TENSION",
        "constraints but no motors",
        "N",
        "force in a link, positive where it pulls; of a slider the force along (k1,k2); of a gear its torque, in N m. ALL: forces alone",
        gives=True,
    ),
    ObservableType("SHEAR", "links", "N", "bending force that a straight bar carries"),
    ObservableType("T", "nothing", "J", "kinetic energy"),
    ObservableType("U", "nothing", "J", "potential energy: sum of m·g·y, and of what springs hold"),
    ObservableType("Etotal", "nothing", "J", "T + U"),
    ObservableType("Work", "nothing", "J", "work of forces, dampers, drives, friction and impacts since the start"),
    ObservableType(
        "EVENTS", "nothing", "", "how many events there were so far: impacts, ropes that come taut, links that break"
    ),
    ObservableType(
        "FORCE",
        "forces",
        "N",
        "pull of a spring, damper or force, positive where it pulls its ends together; at an angle a torque, in N m. ALL: forces alone",
        gives=True,
    ),
    ObservableType("TORQUE", "motors and torques", "J/rad", "torque of a motor or torque, positive counter-clockwise"),
    ObservableType(
        "POWER", "constraints and forces", "W", "power that an element gives to the bodies, by its friction too"
    ),
    ObservableType("DIST", "two points", "m", "distance of two bodies or points"),
    ObservableType(
        "ANGLE",
        "two or three points, or links",
        "rad",
        "angle from the x axis of the arrow from the first point to the second (of a link: as its ends are written),"
        " between −π and π at the start and continuous in time;"
        " of three points: at the second, from its arm to the first to its arm to the third."
        " In space of three points, between 0 and π, or of a rigid body about its hinge, from the start",
    ),
    ObservableType(
        "OMEGA",
        "two points, or links",
        "rad/s",
        "how fast the arrow from the first point to the second turns (of a link: as its ends are written), in the plane;"
        " of a rigid body in space its angular velocity",
        spin=True,
    ),
    ObservableType("CG", "rigid bodies", "m", "centre of mass, all components", vector=True),
    ObservableType(
        "H", "rigid bodies", "kg m²/s", "angular momentum about the centre of mass; in space a vector", spin=True
    ),
    ObservableType(
        "JOINT",
        "a rigid body and its point",
        "N",
        "force that other rigid bodies and the ground put on a rigid body at a point that it shares with them; "
        "what links do there is their TENSION",
        vector=True,
    ),
)

OBSERVABLES: dict[str, ObservableType] = {observable.name.lower(): observable for observable in _ALL}

# Operations over other formulas, not quantities of their own.
SPECTRUM = "FFT"
VERSUS = "VS"
NORM = "NORM"
COMPONENTS = ("X", "Y", "Z")  # of a vector; of a body they are quantities
ONE_NUMBER_OF_A_VECTOR = (*COMPONENTS, NORM)

# What `Bodies(…)` means.
BODIES_OF = {"pos": "Q", "vel": "V", "acc": "A"}
