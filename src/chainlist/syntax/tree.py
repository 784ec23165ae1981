"""The tree of a chainlist: what was written, before any of it means something.

Values; two trees are equal when they say the same, wherever they stand: spans do not count.
Sums, products and powers hold all their operands in one node, so that the depth of a tree is the depth
of the brackets that were written, which `Limits.nesting` bounds: walking it recursively is safe.
"""

from __future__ import annotations

from dataclasses import field

from chainlist.syntax.source import Span, value


def _span() -> Span:
    """A field for the place in the text, left out of comparisons."""
    return field(compare=False, repr=False)  # type: ignore[no-any-return]


# The inside of a card


@value
class Number:
    """`0.4s`: the digits as written, and the unit as written ("" if none)."""

    text: str
    unit: str
    span: Span = _span()


@value
class Name:
    """A name as written: a body, a constraint (`X1.C5` too), a parameter, a keyword such as ALL or RK4."""

    text: str
    span: Span = _span()
    key: str = field(init=False, compare=False, repr=False)  # names are looked up without regard to case, and often

    def __init__(self, text: str, span: Span):
        self.text, self.span, self.key = text, span, text.lower()  # type: ignore[misc]


@value
class Signed:
    """`-x`, `--x`: one or more signs before an operand."""

    signs: str
    operand: Expr
    span: Span = _span()


@value
class Sum:
    """`a+b-c`: signs[i] stands before terms[i + 1]."""

    terms: tuple[Expr, ...]
    signs: tuple[str, ...]
    span: Span = _span()


@value
class Product:
    """`a*b/c`: operators[i] stands before factors[i + 1]."""

    factors: tuple[Expr, ...]
    operators: tuple[str, ...]
    span: Span = _span()


@value
class Power:
    """`a**b**c`, which is a**(b**c); the parts after the first may be Signed: the sign is that of all that follows it."""

    parts: tuple[Expr, ...]
    span: Span = _span()


@value
class Group:
    """`(expr)`"""

    inner: Expr
    span: Span = _span()


@value
class Braces:
    """`{expr}`"""

    inner: Expr
    span: Span = _span()


@value
class Comparison:
    """`a<b`: the operator is one of < <= > >=."""

    left: Expr
    operator: str
    right: Expr
    span: Span = _span()


@value
class Logic:
    """`a and b and c`, or the same with `or`: all parts of one node have the same operator."""

    operator: str
    parts: tuple[Expr, ...]
    span: Span = _span()


@value
class Not:
    """`not a`"""

    operand: Expr
    span: Span = _span()


@value
class Point:
    """`(x,y)`"""

    coordinates: tuple[Expr, ...]
    span: Span = _span()


@value
class Call:
    """`f(a,b)`: a function of an expression, LINE(…), or an item of .plot; its arguments may be points and names."""

    function: Name
    arguments: tuple[Expr, ...]
    span: Span = _span()


Expr = Number | Name | Signed | Sum | Product | Power | Group | Braces | Comparison | Logic | Not | Point | Call


@value
class Text:
    """A quoted text, or the raw word after TEXTTRACEFILE=; `.title` and `.include` take one too."""

    text: str
    span: Span = _span()


@value
class Together:
    """`"Q(B1) PATH(B1)"`: items that share a panel of .plot."""

    items: tuple[Expr, ...]
    span: Span = _span()


@value
class Setting:
    """`key=value`"""

    key: Name
    value: Expr | Text
    span: Span = _span()


@value
class Equality:
    """`f(a,b)=expr` of .func, with a call before the `=`; `{expr}={expr}` of a constraint by expression."""

    left: Call | Braces
    right: Expr
    span: Span = _span()


Argument = Expr | Text | Together | Setting | Equality


# Statements


@value
class Line:
    """How one physical line of a statement is laid out: what the printer must keep.

    `before` are the comment and blank lines between the line above and this one; `words` counts the arguments
    that begin here; `comment` is the text after `;`.
    """

    words: int
    comment: str = ""
    before: tuple[str, ...] = ()


@value
class Entity:
    """`B1 (0,-1) 1 IC_VEL=(1,0)`"""

    name: Name
    arguments: tuple[Argument, ...]
    lines: tuple[Line, ...]
    span: Span = _span()


@value
class Command:
    """`.tran 0 10 1E-3`: the keyword in lower case without its dot."""

    keyword: Name
    arguments: tuple[Argument, ...]
    lines: tuple[Line, ...]
    span: Span = _span()


@value
class Ellipsis:
    """`...`"""

    comment: str
    span: Span = _span()


@value
class Remark:
    """A comment line as written, from its `*` on, or "" for a blank line."""

    text: str
    span: Span = _span()


@value
class Broken:
    """A statement that could not be read and was reported; `name` is the entity it would have defined, if it has one.

    It keeps its place, so that what refers to it is not reported as well. A failed ellipsis has the `stems` of the names
    that it would have defined; a failed .include might have defined `anything`.
    """

    name: Name | None
    span: Span = _span()
    stems: tuple[str, ...] = ()
    anything: bool = False


@value
class Submachine:
    """`.submachine NAME formal, …` to `.end NAME`. `body` holds entities, .param commands, ellipses and remarks."""

    head: Command
    body: tuple[Statement, ...]
    end: Command
    span: Span = _span()


Statement = Entity | Command | Ellipsis | Remark | Broken | Submachine


@value
class Chainlist:
    """One file: its first line, its statements, and what stands behind `.end` (kept for the printer).

    An included file has no title line: its title is None.
    """

    title: Text | None
    statements: tuple[Statement, ...]
    rest: tuple[str, ...]
    span: Span = _span()
