"""An item that is asked for after the chainlist was read: `DERIVATIVE(C1)*10` as a text, over a mechanism that stands."""

from __future__ import annotations

import math
from collections.abc import Iterable

from chainlist.model.analysis import known_analyses, read_card
from chainlist.model.asked import Asked
from chainlist.model.definitions import enter_functions
from chainlist.model.desk import Desk, Problem
from chainlist.model.items import ItemReader, Names
from chainlist.model.mechanism import Item, Mechanism
from chainlist.model.parameters import Scope
from chainlist.syntax.cards import CardLine, CardText, Kind
from chainlist.syntax.diagnostics import Diagnostic, Diagnostics
from chainlist.syntax.errors import ChainlistError
from chainlist.syntax.inside import read_arguments
from chainlist.syntax.limits import Limits
from chainlist.syntax.source import Source, Span
from chainlist.syntax.tokens import BadCard, Tokenizer
from chainlist.syntax.tree import Argument, Command, Name


def ask(mechanism: Mechanism, text: str, *, pictures: bool = True) -> Item:
    """The item that a text means, read as `.plot` would; raises `ChainlistError` where it means none."""
    found = ask_all(mechanism, text, pictures=pictures)
    if len(found) != 1:
        second = found[1].span if found else None
        what = "more than one item" if found else "no item"
        help = "ask for one at a time; spaces inside an item need braces: {Q(B1) - Q(B2)}" if found else "such as X(B1)"
        raise ChainlistError([_diagnosed(Problem("E278", f"this is {what}", second, help=help))])
    return found[0]


def ask_all(mechanism: Mechanism, text: str, *, pictures: bool = True) -> tuple[Item, ...]:
    """The items of a text in which spaces stand between them."""
    report = Diagnostics()
    source = Source("<item>", text)
    arguments = _arguments(CardText(Kind.COMMAND, source, [CardLine(text, 0, 0)]), report)
    reader = ItemReader(*_context(mechanism, report, Span(source, 0, 0)))
    found, wrong = [], []
    for argument in arguments:
        try:
            found.append(reader.item(argument, pictures=pictures))
        except Problem as problem:
            wrong.append(_diagnosed(problem))
    if wrong:
        raise ChainlistError(wrong)
    return tuple(found)


def ask_card(
    mechanism: Mechanism, cards: Iterable[str], *, alone: bool = False, given_as: str = "<measure>"
) -> list[Asked]:
    """What cards of analyses ask for, `.meas top MAX Y(B1)`; raises `ChainlistError` with all that is wrong.

    They stand behind those of the chainlist; `alone`: in their place. `given_as` is what messages call their text.
    """
    report = Diagnostics()
    before = () if alone else mechanism.analyses
    found: list[Asked] = []
    for text in cards:
        source = Source(given_as, text)
        keyword = text.split()[0].lstrip(".")
        whole = Span(source, 0, len(text))
        words = " " * (1 + len(keyword)) + text[1 + len(keyword) :]
        arguments = _arguments(CardText(Kind.COMMAND, source, [CardLine(words, 0, 0)]), report)
        reader = ItemReader(*_context(mechanism, report, Span(source, 0, 0)))
        command = Command(Name(keyword, Span(source, 0, 1 + len(keyword))), arguments, (), whole)
        asked = read_card(command, known_analyses()[keyword.lower()], reader, (*before, *found))
        if asked is not None:
            found.append(asked)
    if report.errors:
        raise ChainlistError(report.sorted())
    return found


def _arguments(card: CardText, report: Diagnostics) -> tuple[Argument, ...]:
    try:
        tokens = Tokenizer(card, report, Limits().nesting, items=True).read(0)
        return read_arguments(card, tokens, report)
    except BadCard:
        raise ChainlistError(report.sorted()) from None


def _context(mechanism: Mechanism, report: Diagnostics, place: Span) -> tuple[Desk, Scope, Names]:
    desk = Desk(report, Limits())
    desk.space.fix(mechanism.dimension)
    scope = Scope(desk)
    for name, value in mechanism.parameters.items():
        scope.set(Name(name, place), value)
    enter_functions(mechanism.functions, scope)
    names = Names(
        bodies={body.name.lower(): body.name for body in mechanism.bodies},
        constraints={constraint.name.lower(): constraint.name for constraint in mechanism.constraints},
        links={c.name.lower(): c.name for c in mechanism.constraints if c.is_arm},
        rigid={body.name.lower(): body.name for body in mechanism.rigid},
        held={body.name: body.held for body in mechanism.rigid},
        inner=frozenset(b.name.lower() for b in mechanism.bodies if b.is_inner),
        forces={force.name.lower(): force.name for force in mechanism.forces},
        turning=[element.name.lower() for element in mechanism.elements if element.turns],
        no_force=[element.name.lower() for element in mechanism.elements if element.gives != "N"],
        broken=lambda _: False,
        of_a_table=any(math.isnan(body.mass) for body in mechanism.bodies),
    )
    return desk, scope, names


def _diagnosed(problem: Problem) -> Diagnostic:
    report = Diagnostics()
    report.add(problem.code, problem.message, problem.span, label=problem.label, help=problem.help, also=problem.also)
    return report.diagnostics[0]
