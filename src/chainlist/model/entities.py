"""Entities: what a card of a body or of a constraint says, in the coordinates in which it is written."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from chainlist.elements import REGISTRY, ElementType
from chainlist.elements.base import Reading
from chainlist.model.card import EntityCard, Surroundings
from chainlist.model.commands import COMMANDS
from chainlist.model.desk import Problem
from chainlist.model.mechanism import End, Point
from chainlist.model.synonyms import letter_meant
from chainlist.model.trial import check_reading
from chainlist.syntax import tree
from chainlist.syntax.source import Span, value
from chainlist.syntax.tree import Argument, Entity, Name, Number, Signed

BODY = "B"
INSTANCE = "X"
BODY_SYNTAX = "B<name> (<x>,<y>[,<z>]) <mass> [IC_POS=(<x>,<y>[,<z>])] [IC_VEL=(<vx>,<vy>[,<vz>])] [RADIUS=<r>]"
INSTANCE_SYNTAX = "X<name> <submachine> <body> … [(<x0>,<y0>[,<z0>])]"

_MISFITS = ("E222", "E223", "E224")  # the words are not those of such an entity

# The place of an entity in the expanded text: its statement, and for what is inside an instance the statement there.
Path = tuple[int, ...]


@value
class PlacedBody:
    """A body with its full name (`X1.B5`) and its numbers."""

    name: str
    position: Point
    mass: float
    start: Point
    velocity: Point
    span: Span
    path: Path
    velocity_given: bool = False
    radius: float = 0.0


@value
class PlacedElement:
    """A constraint whose numbers are still those of its card: lengths come from the positions when all bodies stand."""

    name: str
    kind: ElementType
    reading: Reading
    span: Span
    path: Path
    words: tuple[str | None, ...]
    end_spans: tuple[Span, ...] = ()  # of the ends in the text, where they are all on the card

    @property
    def ends(self) -> tuple[End, ...]:
        return self.reading.ends


def letter_of(entity: Entity) -> str:
    """The first letter of a name, which is the type of the entity."""
    return entity.name.text[0].upper()


def check_letter(name: Name, whole: Span, arguments: Sequence[Argument] = ()) -> None:
    """An unknown letter is a problem; the help says what may have been meant, or lists the letters there are."""
    letter = name.text[0].upper()
    if name.key in COMMANDS:
        raise Problem(
            "E220",
            f"{name.text} is not the name of an entity",
            name.span,
            label="a command starts with a dot",
            help=f"write .{name.text}",
        )
    if letter in (BODY, INSTANCE) or letter in REGISTRY:
        return
    known = [
        f"{BODY} (body)",
        *(f"{kind.letter} ({kind.name})" for kind in REGISTRY.values()),
        f"{INSTANCE} (instance)",
    ]
    raise Problem(
        "E220",
        f"no entity begins with {letter}: {name.text} means nothing",
        name.span,
        label="the first letter decides what it is",
        help=letter_meant(name, whole, arguments)
        or _looks_like(name, arguments)
        + f"the letters are {', '.join(known)}; a command starts with a dot, a comment with *",
    )


def _looks_like(name: Name, arguments: Sequence[Argument]) -> str:
    """Somebody's M1 (0,1) 2 or L1 B1 B2."""
    if len(arguments) > 1 and isinstance(arguments[0], tree.Point) and isinstance(arguments[1], Number | Signed | Name):
        return f"call a body {BODY}…, such as {BODY}{name.text}; "
    ends = [a for a in arguments if isinstance(a, tree.Point) or (isinstance(a, Name) and a.text[0].upper() == BODY)]
    if len(ends) == len(arguments) == 2:
        return f"call a link C…, such as C{name.text}; "
    return ""


def read_body(entity: Entity, around: Surroundings, full_name: str, path: Path) -> PlacedBody:
    card = EntityCard(entity, around, "body", BODY_SYNTAX)
    position: Point | None = None
    try:
        position = card.point()
        mass = card.number("mass")
    except Problem as problem:
        if problem.code in _MISFITS and (other := letter_meant(entity.name, entity.span, entity.arguments)):
            problem.help = other + card.first_letter()
        elif problem.code == "E222" and position is not None:
            problem.help = card.named_in_vain or _where_the_mass_is(entity, card.span_of(0).text)
        raise
    start = card.named_point("IC_POS")
    velocity = card.named_point("IC_VEL", "number")
    radius = card.named("RADIUS", "length")
    if mass < 0 and card.all_taken:  # a word too many may belong to the mass: 0,5
        card.tell(
            Problem(
                "E227",
                f"the mass of {entity.name.text} must be positive, not {mass:g}",
                card.span_of(1),
                label="not positive",
                help="write a positive mass in kg; a point that does not move is an anchor: (x,y) in the link, "
                "and no body",
            )
        )
    if radius is not None and radius < 0:
        card.tell(Problem("E227", f"RADIUS must not be negative, not {radius:g}", entity.span, help="write RADIUS=0.1"))
    card.finish()
    still = (0.0,) * len(position)
    given = velocity is not None
    numbers = (position, mass, start or position, velocity or still)
    return PlacedBody(full_name, *numbers, entity.span, path, given, radius or 0.0)


def _where_the_mass_is(entity: Entity, place: str) -> str:
    """The cure of a point without a number behind its place; one that a rigid body has is mostly no mass of its own."""
    name = entity.name.text
    holder = _holders(entity.span.source.text).get(entity.name.key)
    if holder is None:
        return f"write its mass in kg behind its place: {name} {place} 1"
    return f"the mass of {holder} stands there: for a point of it without a mass of its own write {name} {place} 0"


@functools.lru_cache(maxsize=1)  # a text may lack the masses of all its bodies
def _holders(text: str) -> dict[str, str]:
    """Which rigid bodies the text seems to make of which points, by their keys."""
    found: dict[str, str] = {}
    for rigid in re.finditer(r"^[ \t]*(R\w*)([^;\n=]*)", text, re.IGNORECASE | re.MULTILINE):
        for word in re.findall(r"\bB\w*", rigid[2], re.IGNORECASE):
            found.setdefault(word.lower(), rigid[1])
    return found


def read_element(entity: Entity, around: Surroundings, full_name: str, path: Path) -> PlacedElement:
    kind = REGISTRY[letter_of(entity)]
    card = EntityCard(entity, around, kind.name, kind.syntax)
    card.instead = dict(kind.instead)
    try:
        reading = kind.read(card)
    except Problem as problem:
        if problem.code in _MISFITS and (other := letter_meant(entity.name, entity.span, entity.arguments)):
            problem.help = other + card.first_letter()
        elif entity.arguments and problem.span == entity.arguments[0].span:
            problem.help = _looks_like(entity.name, entity.arguments) + problem.help
        raise
    check_reading(kind, reading)
    card.finish()
    words, spans = card.words_of(reading.ends), card.spans_of(reading.ends)
    return PlacedElement(full_name, kind, reading, entity.span, path, words, spans)
