"""What an element of a mechanism must provide, and the table of all of them.

Links, springs, motors: each is one file like `slider.py` or `circle.py`. Every part is optional but the first two:

1. `letter`, `name`, `syntax`, `meaning`: how it is called and written;
2. `read(card)` takes the words of the entity from left to right: what it holds on to (`ends`), its numbers and formulas;
3. by formula: `parts(placed)` gives rows (Φ = 0, or Ψ = 0 of velocities), laws of force and springs as formulas over points.
   Derivatives are found from them, exactly;
4. by kernel, for speed: `parameters(values, points)` turns what was read into the numbers of one row `s.par[k]`, and
   `row(k, s, w, t, q, v)` fills `w.phi[k]` with Φ, `w.J[k, e*DIM + c]` with the derivative of Φ by coordinate c of end e, and
   `w.b[k]` with −(A v)_q v (where Φ depends on the time, also `w.c[k]` with −∂Φ/∂t, and b is −d²Φ/dt² without A a).
   Points are rows of q and v: `s.point[k, e]`. `force(k, s, w, t, q, v)` fills `w.F[k, e*DIM + c]` with the force on end e;
   `energy(k, s, t, q)` returns its potential energy: without one its work is integrated;
5. `register(ElementType(…))`, and a line in `elements/__init__.py`.

The tests find a registered element by themselves and compare its derivatives with finite differences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from chainlist.formula import End, Formula, Point
from chainlist.formula.analysis import Place
from chainlist.syntax.source import value

NOTHING = 1e-12  # of the size of a machine: no length, but what rounding has left


class Card(Protocol):
    """The words of one entity, taken from left to right. Each method reports what is wrong by itself.

    `want` is the unit that a single number may have: "length", "time", "mass", "angle" … or "number". `place` says what an
    expression may use: nothing that moves, the time, also positions, also velocities, also forces (in conditions).
    """

    @property
    def name(self) -> str:
        """Of the entity, as it is written."""

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""

    def body(self) -> End:
        """The next word, which must be the name of a body."""

    def end(self) -> End:
        """The next word: the name of a body, a point (an anchor), or a point whose coordinates are expressions in time."""

    def ends(self, least: int = 2, most: int | None = None, but: Collection[str] = ()) -> tuple[End, ...]:
        """All bodies and points that follow; a name in `but` is a keyword and no body."""

    def link(self) -> str:
        """The next word, the name of a link or of a rigid body; whether it exists is known when all is built."""

    def number(self, want: str = "number") -> float:
        """The next word, a number."""

    def numbers(self, function: str, *wants: str) -> tuple[float, ...]:
        """The next word `FUNCTION(a,b,…)`, or the bare numbers a b …"""

    def expressions(self, function: str, place: Place, *wants: str) -> tuple[Formula, ...]:
        """The same for expressions."""

    def at_end(self) -> bool:
        """Whether the next word is a body or a point, and not the last one; it is not taken."""

    def at_vector(self) -> bool:
        """Whether the next word is the last one, and a point; it is not taken."""

    def named(self, key: str, want: str = "number") -> float | None:
        """The value of `key=value`, None where it is not given."""

    def named_numbers(self, key: str, want: str = "number") -> tuple[float, ...] | None:
        """The numbers of `key=(a,b,…)` or `key=a`, None where it is not given."""

    def expression(self, place: Place = "motion", want: str = "number") -> Formula:
        """The next word, an expression; a `Constant` where nothing in it moves."""

    def named_expression(self, key: str, place: Place = "motion", want: str = "number") -> Formula | None:
        """The expression of `key={…}`, None where it is not given."""

    def equation(self, place: Place = "positions", want: str = "number") -> Formula:
        """The next word `{a}` or `{a}={b}`: the formula that is to be zero."""

    def vector(self, place: Place = "motion", want: str = "number") -> tuple[Formula, ...]:
        """The next word `({x},{y})`."""

    def word(self, *choices: str) -> str | None:
        """The next word if it is one of these keywords, which is then taken; else None."""

    @property
    def read_so_far(self) -> str:
        """The name and the words that were taken, as they are written: for a cure that goes on behind them."""

    def peek_text(self) -> str:
        """The next word as it is written, "" where none is left; it is not taken."""

    def peek_name(self) -> str | None:
        """The next word if it is a name; it is not taken."""

    def peek_call(self) -> str | None:
        """The name in lower case of the next word if it is a call such as `LINE(…)`; it is not taken."""

    def peek_point(self) -> bool:
        """Whether the next word is a point; it is not taken."""

    def count_inside(self) -> int:
        """How many arguments the next word has if it is a call, else 0."""

    def points_inside(self) -> bool:
        """Whether the next word is a call whose arguments are bodies and points alone; it is not taken."""

    def inside(self, name: str) -> AbstractContextManager[None]:
        """`with card.inside("CIRCLE"):` reads the arguments of the next word `CIRCLE(…)`; all of them must be taken."""

    def links_inside(self) -> bool:
        """Whether the next word is a call whose arguments are names of links or rigid bodies; it is not taken."""

    def points_of(self, name: str, lowest: int, highest: int | None = None) -> tuple[End, ...]:
        """The next word `NAME(P,P,…)`: bodies and points."""

    def refuse(self, message: str, help: str = "", *, lacking: bool = False) -> None:
        """Report an error at this entity and read on, so that all its errors are told at once.

        `lacking`: a named parameter is missing. Say so when all that there are have been asked for: where one is given that
        nobody asked for, it is misspelled, and that is told instead.
        """

    def fail(self, message: str, help: str = "", *, lacking: bool = False) -> NoReturn:
        """The same where reading cannot go on: give the entity up."""


class Refused(ValueError):
    """What `parts` raises where an element has no meaning as everything stands."""

    def __init__(self, message: str, help: str = ""):
        super().__init__(message)
        self.help = help


@value
class Reading:
    """What `read` found: the ends in the order of the text, numbers as written (None: not given), formulas.

    `form` tells the forms of one entity apart; `of` are names of other elements that it refers to; `vectors` are
    settings with components, by their key.
    """

    ends: tuple[End, ...]
    values: tuple[float | None, ...] = ()
    formulas: tuple[Formula, ...] = ()
    form: str = ""
    of: tuple[str, ...] = ()
    vectors: tuple[tuple[str, Point], ...] = ()
    keys: tuple[str, ...] = ()  # words and conditions that were given; the last formulas are those of the conditions

    def vector(self, key: str) -> Point | None:
        """The setting of this key, None where it is not given."""
        return next((value for name, value in self.vectors if name == key), None)

    def setting(self, key: str) -> float | None:
        """The same for one number."""
        found = self.vector(key)
        return None if found is None else found[0]


class Axes(Protocol):
    """The vectors of a rigid body that turn with it: their names, how long they are, and unit vectors along them at the start."""

    @property
    def axes(self) -> tuple[str, ...]: ...
    @property
    def lengths(self) -> tuple[float, ...]: ...
    @property
    def directions(self) -> tuple[Point, ...]: ...


@value
class Round:
    """A body as walls and other bodies meet it: a point, or a disk or ball about one, which may turn."""

    end: str
    place: Point
    radius: float = 0.0
    spin: tuple[End, ...] = ()  # in the plane: the two points between which its angle is taken
    body: Axes | None = None  # the rigid body that it is
    holder: str = ""  # name of the rigid body that holds it


@value
class Placed(Reading):
    """The same once everything stands: where its ends are at the start, and the two ends of each element in `of`."""

    points: tuple[Point, ...] = ()
    arms: tuple[tuple[End, End], ...] = ()  # in space empty: no arrow says how a body turns
    arm_points: tuple[tuple[Point, Point], ...] = ()
    bodies: tuple[Axes, ...] = ()  # of each element in `of` that is a rigid body
    others: tuple[Reading, ...] = ()  # what the cards of the elements in `of` say
    other_points: tuple[tuple[Point, ...], ...] = ()  # and where their ends are
    name: str = ""
    everyone: tuple[Round, ...] = ()  # all bodies, for elements that may meet them
    first: tuple[float | None, ...] = ()  # value of each formula at the time 0; None: it depends on more
    size: float = 0.0  # of the machine: its largest coordinate

    def in_one_place(self, one: Point, two: Point) -> bool:
        """Whether nothing but what rounding has left is between two points."""
        return math.dist(one, two) <= nothing(self.size)


def nothing(size: float) -> float:
    """The largest distance [m] that is none, but what rounding has left, in a machine of this size [m].

    Where a machine is all rounding, as with the one length 0.3*cos(90deg), its size says nothing: there it is that of a metre.
    """
    return NOTHING * max(size, 1.0)


@dataclass(frozen=True)
class Row:
    """A constraint by formula: Φ(q, t) = 0 or, of velocities, Ψ(q, v, t) = 0, which must be linear in them.

    `force` times the multiplier is the force or torque that the element gives. `charts`: the formula changes its form on the
    way, between forms that hold the same; so its value may jump where it is not 0.
    """

    formula: Formula
    of_velocities: bool = False
    force: float = 1.0
    charts: bool = False


@dataclass(frozen=True)
class Law:
    """A force along a coordinate: F = f ∂(along)/∂q. f is `force`, or −stiffness·(along − rest), or −damping·d(along)/dt."""

    along: Formula
    force: Formula | None = None
    stiffness: float = 0.0
    rest: float = 0.0
    damping: float = 0.0
    sign: float = 1.0  # of `force`: −1 pulls together


@value
class Native:
    """A row or force by the kernel of an element type: its letter, the points, and the numbers of the kernel."""

    kind: str
    ends: tuple[End, ...]
    parameters: tuple[float, ...]


@dataclass(frozen=True)
class Switch:
    """A row that holds only at times: of a rope, a wall, a link that breaks.

    `side` 1 leaves Φ ≥ 0 free, −1 leaves Φ ≤ 0 free, 0 holds both sides. `tangents` are rows of velocities along the surface,
    for friction. Conditions are formulas that are above 0 where they hold: it ends when `until` does, begins when `since` does.
    """

    row: Row | Native
    side: float = 0.0
    who: tuple[End, ...] = ()  # whom an event names
    restitution: float = 0.0
    friction: float = 0.0  # μ while it slips
    sticking: float = 0.0  # and up to which it sticks
    tangents: tuple[Row, ...] = ()
    until: Formula | None = None
    since: Formula | None = None
    as_found: bool = False  # holds at what Φ is when `since` begins to hold, not at 0
    ends_as: str = "cut"  # what its end is called: cut, breaks, is released


@value
class Touch:
    """What rolling takes for granted, and others must keep: `side`·(normal·point − offset) is the radius."""

    point: End
    normal: Point  # of length 1
    offset: float
    side: float  # on which side of the line the point starts
    radius: float


@value
class Parts:
    """What an element puts into the equations. An element with switches has rows only for what is asked before the run."""

    rows: tuple[Row | Native, ...] = ()
    forces: tuple[Law | Native, ...] = ()
    switches: tuple[Switch, ...] = ()
    touches: tuple[Touch, ...] = ()
    gives: str | None = None  # unit of its force or torque, where it is not the one of its type


@dataclass(frozen=True)
class ElementType:
    letter: str  # first letter of the entity's name
    name: str  # what messages call it
    syntax: str  # shown in error messages and in the manual
    meaning: str  # one line
    read: Callable[[Card], Reading]
    parts: Callable[[Placed], Parts | None] | None = None  # None: what its kernels say
    parameters: Callable[[tuple[float | None, ...], tuple[Point, ...]], tuple[float, ...]] | None = None
    row: Callable[..., Any] | None = None
    force: Callable[..., Any] | None = None
    energy: Callable[..., Any] | None = None
    ends: int = 2  # how many points a kernel holds on to
    # The same as its kernels say, by formula: for ends that are points of rigid bodies.
    by_formula: Callable[[tuple[End, ...], tuple[float, ...]], Parts] | None = None
    # Of a force by kernel along the line of its two ends: stiffness and damping, for implicit methods. None: it is not stiff.
    soft: Callable[[tuple[float, ...]], tuple[float, float]] | None = None
    # 1: TENSION is positive where the constraint pushes its first end towards growing Φ; −1: where it pulls it back.
    tension_sign: float = 1.0
    # Constant factor of a row that makes its multiplier a force; None: there is none, the length of the row changes.
    force_scale: Callable[[tuple[float, ...]], float] | None = None
    # The length that residuals are compared with; None: the longest link of the mechanism.
    length: Callable[[tuple[float, ...]], float] | None = None
    # The values after the points moved by x -> rotation·x + shift (a submachine being placed); None: they stay.
    moved: Callable[[tuple[float | None, ...], tuple[Point, ...], Point], tuple[float | None, ...]] | None = None
    # The reading after the same motion, with its ends, values and the items in its formulas already moved: for vectors, angles and
    # torques. `turn` is the rotation, `handed` −1 for a mirror (and then angles are `turned` minus what they were).
    carried: Callable[[Reading, tuple[Point, ...], Point, float], Reading] | None = None
    # The words of a card that says what was carried: None for each end; the function writes a formula.
    spell: Callable[[Reading, Callable[[Formula], str]], tuple[str | None, ...]] | None = None
    # The words behind the ends that read back to the same parameters, given the positions of the ends; None: those of the
    # card, with all numbers computed (not for a type whose values may have `moved`).
    write: Callable[[tuple[float, ...], tuple[Point, ...]], str] | None = None
    meets_all: bool = False  # it may meet every body: `parts` sees them in `everyone`
    rigid: bool = False  # a body with extent: `model/rigid.py` puts it into the equations
    is_link: bool = False  # a rod between two ends: it has an angle, a motor can turn it
    turns: bool = False  # what it gives is a torque, which TORQUE shows
    gives: str = "N"  # unit of TENSION or FORCE; "" where a formula may make it anything
    picture: str = "line"  # how it is drawn: see output/drawing.py
    units: tuple[str, str, str] = ("", "", "")  # of PHI, DERIVATIVE and LAMBDA
    count: tuple[str, str] = ("", "")  # "link", "links": how a summary counts them; "": among the others
    instead: tuple[
        tuple[str, str], ...
    ] = ()  # named parameters that it does not have, in lower case, and what their writer may want


def shortest(number: float) -> str:
    """The shortest text that reads back to the same bits: 0.2, 1, 1E-9."""
    mantissa, _, exponent = repr(float(number)).partition("e")
    return f"{mantissa.removesuffix('.0')}E{int(exponent)}" if exponent else mantissa.removesuffix(".0")


def kind_of(name: str) -> ElementType | None:
    """The type of an element, by the letter of its full name."""
    return REGISTRY.get(name.split(".")[-1][:1].upper())


def is_rigid(name: str) -> bool:
    """Whether a name is that of a rigid body, by its letter."""
    kind = kind_of(name)
    return kind is not None and kind.rigid


def check_axis(card: Card, names: Iterable[str]) -> None:
    """In space a link has no axis to turn about."""
    for name in names:
        kind = kind_of(name)
        if card.dimension == 3 and kind is not None and kind.is_link:
            card.refuse(
                f"in space the link {name} has no axis to turn about",
                help="move its ends: by forces such as F1 B1 (0,0,1), or by moving anchors",
            )
            return


REGISTRY: dict[str, ElementType] = {}


def register(kind: ElementType) -> ElementType:
    if len(kind.letter) != 1 or not kind.letter.isalpha() or kind.letter != kind.letter.upper():
        raise ValueError(f"an element needs one capital letter, not {kind.letter!r}")
    if kind.letter in REGISTRY or kind.letter in "BX":
        raise ValueError(f"letter {kind.letter!r} is taken")
    REGISTRY[kind.letter] = kind
    return kind
