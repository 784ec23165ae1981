"""What others call the measures of `.meas`, and the card that was meant."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chainlist.syntax.tree import Argument, Call, Name

_CALLED = {
    **dict.fromkeys(("average", "mean", "ave"), "AVG"),
    **dict.fromkeys(("maximum", "peak", "highest", "largest", "top"), "MAX"),
    **dict.fromkeys(("minimum", "lowest", "smallest", "bottom"), "MIN"),
    **dict.fromkeys(("range", "p2p", "pkpk", "peaktopeak", "span", "swing"), "PP"),
    **dict.fromkeys(("integral", "integrate", "int", "sum"), "INTEG"),
    **dict.fromkeys(("rootmeansquare", "effective"), "RMS"),
}
_WINDOW = re.compile(r"\s+(?:FROM|TO)\s*=\s*(?:\{[^{}]*\}|\S+)", re.IGNORECASE)  # what FIND does not take
_AT_THE_END = frozenset(("final", "last", "end", "value"))


def meant_card(word: Argument, choices: Sequence[str], name: Name | None, behind: str) -> str:
    """The cure of `.meas a AVERAGE X(B1)` and its like, "" where nothing is known; `behind` is the rest of the card."""
    if "FIND" not in choices or name is None:
        return ""
    head = f".meas {name.text}"
    if isinstance(word, Name):
        return _called(word.key, head, name.text, behind)
    if isinstance(word, Call) and word.function.text.upper() in choices and len(word.arguments) == 1:
        return f"write {head} {word.function.text.upper()} {word.arguments[0].span.text} {behind}".rstrip()
    if isinstance(word, Call) and re.match(r"(WHEN\b|AT\s*=)", behind, re.IGNORECASE):
        energy = re.match(r"WHEN\s+T\s*=", behind, re.IGNORECASE)
        kinetic = " (T is the kinetic energy; what passes is Time)" if energy else ""
        return f"write {head} FIND {word.span.text} {behind}{kinetic}"
    if isinstance(word, Call) and (first := re.match(r"(\w+)\b(?!\()", behind)) and first[1].upper() in choices:
        return f"write {head} {first[1].upper()} {word.span.text} {behind[first.end() :].strip()}".rstrip()
    if name.key in _CALLED:
        return f"the measure has no name: write .meas m1 {_CALLED[name.key]} {word.span.text} {behind}".rstrip()
    return ""


def _called(key: str, head: str, name: str, item: str) -> str:
    key = key.replace("_", "")
    if re.match(r"(\w+\s*=|$)", item):
        return ""  # nothing is measured: the item is missing
    if key in _CALLED:
        return f"write {head} {_CALLED[key]} {item}"
    if key in _AT_THE_END:
        return f"write {head} FIND {_WINDOW.sub('', item)} AT=END"
    if key in ("amplitude", "ampl", "amp"):
        return f"half of the swing from peak to peak: write .meas {name}_pp PP {item} and .meas {name} PARAM {{{name}_pp/2}}"
    if key in ("frequency", "freq"):
        return f"one over the period: write .meas {name}_p PERIOD {item} and .meas {name} PARAM {{1/{name}_p}}"
    if key in ("std", "sigma", "deviation", "stddev"):
        parts = f".meas {name}_r RMS {item}, .meas {name}_a AVG {item}"
        return f"from two others: write {parts} and .meas {name} PARAM {{sqrt({name}_r**2-{name}_a**2)}}"
    return ""
