"""R: a rigid body: a rod between two points, a plate or solid with corners, a disk or ball about a point.

R1 (0,0) B1 2
R1 B2 (0,0) B3 2
R2 B1 B2 B3 5 CG=(0.2,0.1) J=0.3
R3 B1 B2 B3 1.5 UNIFORM
R4 B1 RADIUS=0.1 0.5 OMEGA=20
R5 (0,0,0) B1 2 CG=(0,1,0) J=(0.02,0.01,0.02) ROTOR OMEGA=(0,300,0)

What it puts into the equations depends on the bodies that it shares points with: `model/rigid.py` writes it.
"""

from dataclasses import replace

from chainlist.elements.base import Card, ElementType, Reading, register, shortest
from chainlist.formula import Point

ROUND = ("HOOP", "BALL", "SHELL", "DISK")
ROTOR = "+ROTOR"  # behind the form of a reading


def read(card: Card) -> Reading:
    ends = card.ends(1)
    mass = card.number("mass")
    shape = card.word("UNIFORM", *ROUND)
    rotor = card.word("ROTOR") is not None
    radius = card.named("RADIUS", "length")
    centre = card.named_numbers("CG", "length")
    moments = card.named_numbers("J")
    axis = card.named_numbers("AXIS")
    along = card.named_numbers("ALONG")
    omega = card.named_numbers("OMEGA")
    if mass < 0:
        card.refuse(f"the mass must not be negative, not {mass:g}", help="write a positive mass in kg")
    if len(set(ends)) < len(ends):
        card.refuse("the same point is named twice", help="name each point of the body once")
    _check_form(card, len(ends), shape, radius, centre, moments, axis)
    form = shape or ("GIVEN" if moments is not None else "DISK" if radius is not None else "ROD")
    if len(ends) == 1 and card.dimension == 2 and along is None:
        along = (1.0, 0.0)  # from where its angle counts: it turns with a submachine
    named = (("CG", centre), ("J", moments), ("AXIS", axis), ("ALONG", along), ("OMEGA", omega))
    vectors = tuple((key, value) for key, value in named if value is not None)
    if rotor and (card.dimension == 2 or omega is None):
        what = "a ROTOR is a body of space with a spin: it needs OMEGA"
        card.refuse(what, help="write OMEGA=(0,0,100), or leave ROTOR out", lacking=omega is None)
    form += ROTOR if rotor else ""
    return Reading(ends, (mass, radius), form=form, vectors=vectors)


def _check_form(
    card: Card,
    points: int,
    shape: str | None,
    radius: float | None,
    centre: Point | None,
    moments: Point | None,
    axis: Point | None,
) -> None:
    if shape == "UNIFORM" and radius is not None:
        card.refuse("UNIFORM is the body of its corners, RADIUS a round one", help="leave one of the two out")
    if axis is not None and (radius is None or shape in ("BALL", "SHELL")):
        card.refuse("only a disk or a hoop has an AXIS", help="leave AXIS out")
    elif axis is not None and len(axis) != card.dimension:
        help = (
            "write AXIS=(0,0,1)" if card.dimension == 3 else "leave AXIS out: a body of the plane turns about one axis"
        )
        card.refuse(f"AXIS has {len(axis)} components, not {card.dimension}", help=help)
    if radius is not None and radius <= 0:
        card.refuse(f"RADIUS must be positive, not {radius:g}", help="write RADIUS=0.1")
    if radius is not None and points > 1 and centre is None and moments is None:
        card.refuse(
            "a body with a RADIUS has one point, its centre",
            help="give CG=(x,y), the place of its middle, if it holds other points too",
            lacking=True,
        )
    if shape in ROUND and radius is None:
        card.refuse(f"a {shape} needs its RADIUS", help=f"write {card.name} B1 RADIUS=0.1 1 {shape}", lacking=True)
    if shape is not None and moments is not None:
        card.refuse(f"{shape} gives the moments already", help="leave J out, or leave the shape out")
    if shape is None and radius is None and points == 1 and moments is None:
        help = f"write {card.name} B1 RADIUS=0.1 1, or {card.name} B1 1 J=0.01"
        card.refuse("a body of one point needs a RADIUS, or its J", help=help, lacking=True)
    if moments is not None and centre is None and points > 1:
        help = "give CG=(x,y), where it is at the start"
        card.refuse("J is about the centre of mass: where is it?", help=help, lacking=True)


def words(reading: Reading) -> tuple[str | None, ...]:
    """Its card, wherever its submachine stands; None for each point."""
    mass, radius = reading.values
    found: list[str | None] = [*(None for _ in reading.ends), shortest(mass or 0.0)]
    shape = reading.form.removesuffix(ROTOR)
    if shape not in ("ROD", "GIVEN"):
        found.append(shape)
    if shape != reading.form:
        found.append("ROTOR")
    if radius is not None:
        found.append(f"RADIUS={shortest(radius)}")
    for key, numbers in reading.vectors:
        text = ",".join(map(shortest, numbers))
        found.append(f"{key}=({text})" if len(numbers) > 1 else f"{key}={text}")
    return tuple(found)


def carried(reading: Reading, rotation: tuple[Point, ...], shift: Point, handed: float) -> Reading:
    """Its centre moves, its tensor and its spin turn; in a mirror a spin goes the other way."""

    def turned(v: Point) -> Point:
        return tuple(sum(r * x for r, x in zip(line, v, strict=True)) for line in rotation)

    found = []
    for key, v in reading.vectors:
        if key == "CG":
            v = tuple(x + d for x, d in zip(turned(v), shift, strict=True))
        elif key in ("AXIS", "ALONG"):
            v = turned(v)
        elif key == "OMEGA":
            v = (handed * v[0],) if len(v) == 1 else tuple(handed * x for x in turned(v))
        elif key == "J" and len(v) > 1:
            v = _turned_tensor(v, rotation)
        found.append((key, v))
    return replace(reading, vectors=tuple(found))


def _turned_tensor(given: Point, rotation: tuple[Point, ...]) -> Point:
    xx, yy, zz, xy, xz, yz = (*given, 0.0, 0.0, 0.0)[:6]
    old = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    new = [[sum(a[k] * old[k][m] * b[m] for k in range(3) for m in range(3)) for b in rotation] for a in rotation]
    return (new[0][0], new[1][1], new[2][2], new[0][1], new[0][2], new[1][2])


register(
    ElementType(
        letter="R",
        name="rigid body",
        syntax="R<name> <point> … <mass> [CG=(<x>,<y>) J=<j> | UNIFORM] [OMEGA=<w>] | R<name> <point> RADIUS=<r> <mass> [HOOP]",
        meaning="a rod between two points, a plate with corners, a disk about a point, or any body with CG and J",
        read=read,
        carried=carried,
        rigid=True,
        picture="body",
        units=("m", "m/s", "N"),
        count=("rigid body", "rigid bodies"),
    )
)
