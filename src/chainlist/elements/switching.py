"""What elements share that hold only at times: restitution, friction, and conditions under which they begin and end."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from chainlist.elements.base import Card, Placed, Reading, Row, Switch
from chainlist.formula import Constant, Formula, Quantity, function
from chainlist.formula.conditions import margin

CONDITIONS = ("CUT", "FROM", "RELEASE")


def read_contact(card: Card) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """REST=, MU= and MUS=, where they are given."""
    return (*read_rest(card), *read_friction(card))


def read_friction(card: Card) -> tuple[tuple[str, tuple[float, ...]], ...]:
    mu, sticking = card.named("MU"), card.named("MUS")
    for key, value in (("MU", mu), ("MUS", sticking)):
        if value is not None and value < 0:
            card.refuse(f"{key} must not be negative, not {value:g}", help="friction is a number such as 0.3")
    if sticking is not None and 0 <= sticking < (mu or 0.0):
        card.refuse(
            f"MUS is {sticking:g}, less than MU: what slips would then stick at once", help="MUS is at least MU"
        )
    return tuple((key, (value,)) for key, value in (("MU", mu), ("MUS", sticking)) if value is not None)


def read_rest(card: Card) -> tuple[tuple[str, tuple[float, ...]], ...]:
    rest = card.named("REST")
    if rest is not None and not 0 <= rest <= 1:
        card.refuse(
            f"REST is {rest:g}, and it must lie between 0 and 1", help="0: it stays; 1: it bounces without loss"
        )
    return () if rest is None else (("REST", (rest,)),)


def read_conditions(card: Card, *keys: str) -> tuple[tuple[str, ...], tuple[Formula, ...]]:
    """Conditions that are given, by their keys."""
    found = [(key, card.named_expression(key, "condition")) for key in keys]
    given = [(key, formula) for key, formula in found if formula is not None]
    for key, formula in given:
        if isinstance(formula, Constant):
            card.refuse(f"{key} is a condition that never changes", help=f"write {key}={{time>2}}, or leave it out")
    return tuple(key for key, _ in given), tuple(formula for _, formula in given)


def condition(placed: Placed, key: str) -> Formula | None:
    """By how much the condition of this key holds, None where it is not given."""
    given = [name for name in placed.keys if name in CONDITIONS]
    if key not in given:
        return None
    return margin(placed.formulas[len(placed.formulas) - len(given) + given.index(key)])


def conditional(placed: Placed, switch: Switch) -> Switch:
    """The switch with the conditions of its card: CUT, FROM, RELEASE, and BREAK, which is a force."""
    until = condition(placed, "CUT") or condition(placed, "RELEASE")
    ends_as = "is released" if "RELEASE" in placed.keys else "is cut"
    limit = placed.setting("BREAK")
    if limit is not None:
        force: Formula = Quantity("TENSION", (placed.name,))
        breaks = (force if switch.side else function("abs", force)) - limit
        until, ends_as = (breaks, "breaks") if until is None else (function("max", breaks, until), "breaks or is cut")
    return replace(switch, until=until, since=condition(placed, "FROM"), ends_as=ends_as)


def rubbing(reading: Reading, switch: Switch, tangents: Callable[[], Sequence[Row]]) -> Switch:
    """The switch with the friction of its card; without any, nobody asks how fast it slips."""
    mu = reading.setting("MU") or 0.0
    sticking = reading.setting("MUS")
    sticking = mu if sticking is None else sticking
    if not sticking:
        return switch
    return replace(switch, friction=mu, sticking=sticking, tangents=tuple(tangents()))
