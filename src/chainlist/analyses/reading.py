"""What cards of several analyses hold: conditions, and expressions over measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chainlist.analyses.crossings import Passing
from chainlist.formula.functions import apply
from chainlist.model.analysis_card import AnalysisCard
from chainlist.model.building import FormulaReader, Piece
from chainlist.model.desk import Problem
from chainlist.model.evaluate import CONSTANTS
from chainlist.model.formula import formula_text
from chainlist.model.mechanism import Constant, Formula, Operation, Quantity
from chainlist.model.parameters import Scope
from chainlist.syntax.tree import Call, Name


def read_passing(card: AnalysisCard) -> Passing:
    """`Y(B1)=0` or `{Y(B1)<0}`."""
    formula, is_condition = card.condition()
    return Passing(formula, is_condition)


@dataclass(frozen=True)
class Expression:
    """An expression over measures, which stand in it as quantities without arguments."""

    formula: Formula

    def value(self, measures: Mapping[str, float]) -> float:
        return float(self.values(measures))

    def values(self, measures: Mapping[str, Any]) -> Any:
        """The same for arrays of measures."""
        return _value(self.formula, {name.lower(): value for name, value in measures.items()})


def _value(formula: Formula, measures: Mapping[str, Any]) -> Any:
    match formula:
        case Constant():
            return formula.value
        case Quantity():
            return measures[formula.function.lower()]
        case Operation():
            return apply(formula.operator, *(_value(operand, measures) for operand in formula.operands))


class _Reader(FormulaReader):
    """Names are measures or parameters."""

    def __init__(self, scope: Scope, known: Sequence[str]):
        super().__init__(scope)
        self.known = {name.lower(): name for name in known}

    def named(self, name: Name) -> Piece:
        is_parameter = self.parameters.find(name.key) is not None
        if name.key in self.known and (is_parameter or name.key in CONSTANTS):
            what = "parameter" if is_parameter else "constant"
            message = f"{name.text} is a measure above and a {what}: which one is meant?"
            help = f"call the measure {name.text}_measured, and write that or {name.text} here"
            raise Problem("E503", message, name.span, label="two of one name", help=help)
        if name.key in self.known:
            return Piece(Quantity(self.known[name.key]))
        if name.key in CONSTANTS or is_parameter:
            return Piece(Constant(self.parameters.named(name)))
        meant = self.scope.desk.meant(name.key, list(self.known))
        listed = ", ".join(self.known.values()) or "none so far"
        help = f"did you mean {self.known[meant]}?" if meant else f"measures above this one: {listed}"
        raise Problem("E503", f"there is no measure {name.text} above", name.span, label="unknown", help=help)

    def item_of(self, call: Call) -> Piece:
        help = f"measure it first: .meas m1 MAX {call.span.text}, then PARAM {{m1}}"
        message = "PARAM computes with measures, and this is no measure"
        raise Problem("E503", message, call.span, label="not a measure", help=help)


def read_expression_of_measures(card: AnalysisCard, known: Sequence[str]) -> Expression:
    """The next word, over measures whose cards stand above."""
    word = card.expression_word()
    formula = _Reader(card.reader.scope, known).evaluate(word).formula
    card.words.append(f"{{{formula_text(formula, lambda quantity: '')}}}")
    return Expression(formula)
