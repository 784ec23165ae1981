"""Letters that have no meaning in a statement, and what whoever typed them may have wanted."""

from __future__ import annotations

import re
import unicodedata

from chainlist.syntax.vocabulary import SCALES, UNIT_NAMES

COMMENT = "a comment line starts with `*`, a comment behind a statement with `;`"
GOES_ON = "a long statement goes on in the next line, which then begins with `+`"
COMPOUND = "units stand directly behind a number, and there are no compound units: write the bare SI number"
NAMES = "names are made of the letters A to Z, digits and `_`"

_CURES = {
    "^": "a power is written `**`: 2**3",
    ":": "numbers are separated by spaces, also those of a range: .tran 0 10 1ms, .step L 1 2 0.1",
    "−": "this is a typographic minus sign: write `-`",
    "–": "this is a dash: write `-`",
    "—": "this is a dash: write `-`",
    "‐": "this is a typographic hyphen: write `-`",
    "‑": "this is a typographic hyphen: write `-`",
    "‒": "this is a dash: write `-`",
    "―": "this is a dash: write `-`",
    "×": "multiplication is written `*`",
    "·": "multiplication is written `*`",
    "“": 'this is a typographic quotation mark: write `"`',
    "”": 'this is a typographic quotation mark: write `"`',
    "„": 'this is a typographic quotation mark: write `"`',
    "«": 'write the quotation mark `"`',
    "»": 'write the quotation mark `"`',
    "'": 'texts stand between double quotation marks: `"`',
    "#": COMMENT,
    "%": COMMENT,
    "$": COMMENT,
    "!": COMMENT,
    "[": "points and arguments stand between round brackets: (0,0)",
    "]": "points and arguments stand between round brackets: (0,0)",
    "&": "both conditions: write `and` between them",
    "|": "one condition or the other: write `or` between them",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "°": "degrees are written `deg`: 30deg",
    "√": "a square root is written sqrt(2)",
    "π": "write `pi`",
    "µ": "micro is written `u`: 5us",
    "μ": "micro is written `u`: 5us",
    "…": "an ellipsis stands on a line of its own",
    "\\": GOES_ON,
}
_COMPOUND = re.compile(r"(?<![\w.])[\d.][\w.]*[A-Za-z](?:[*/][A-Za-z]+\d*)*[*/][A-Za-z]+$")
_PERCENT = re.compile(r"\btol\([^()]*,\s*[\d.]+$", re.IGNORECASE)
_SHARE = re.compile(r"\w=([\d.]+)$")
_DOTTED = re.compile(r"\s*\.step\s+\.param\s+(.+)", re.IGNORECASE | re.DOTALL)
_VERSUS = re.compile(r"\s*\.(?:plot|print)\b(?:.*[\s\"])?([^\s:\"]+)\s*:\s*([^\s:\"]+)[^:]*", re.IGNORECASE | re.DOTALL)
_FACTOR = re.compile(r"([*/]?)([A-Za-z]+)(?:\*\*)?([1-4]?)")
_NEAR = 40  # characters in which a number and its unit have room
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
# Letters of other alphabets that look like ours.
_LOOKALIKE = str.maketrans("АВСЕНКМОРТХУаеорсхуΑΒΕΗΚΜΟΡΤΧ", "ABCEHKMOPTXYaeopcxyABEHKMOPTX")


_RANGE = re.compile(r"\s*(\.\w+(?:\s+\w+)??)[\s=]+([-\w.+]+):([-\w.+]+):([-\w.+]+)\s*")
_NAMED = re.compile(r"\s*(\.?[A-Za-z]\w*)\s*")
_PLAIN = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)([a-z]*)")
_SMALL = {"ms": 1e-3, "us": 1e-6, "mm": 1e-3, "cm": 1e-2}


def _spaced(range: re.Match[str]) -> str:
    """`.step a 1 2 0.1` for `1:2:0.1` of Python and for `1:0.1:2` of MATLAB: the step is what goes into the range."""
    first, middle, last = range.group(2, 3, 4)
    numbers = [_PLAIN.fullmatch(text) for text in (first, middle, last)]
    a, b, c = (float(one[1]) * _SMALL.get(one[2], 1.0) if one else 0.0 for one in numbers)
    stop, step = (last, middle) if abs(c - a) >= abs(b) and abs(b - a) < abs(c) else (middle, last)
    return f"{range[1]} {first} {stop} {step}"


def _is_number(text: str) -> bool:
    return _PLAIN.fullmatch(text) is not None


def shown(letter: str) -> str:
    """The letter, or its number if it cannot be seen."""
    return letter if letter.isprintable() else f"U+{ord(letter):04X}"


def ordinary(text: str) -> str:
    """The text with ordinary letters and digits in place of those that look like them."""
    return unicodedata.normalize("NFKC", text.translate(_LOOKALIKE))


def ends_compound_unit(text: str) -> bool:
    """Whether a text ends with what can only be a number and a compound unit: 9.81m/s, in the middle of 9.81m/s2."""
    return _COMPOUND.search(text[-_NEAR:]) is not None


def si_scale(unit: str) -> str | None:
    """What a number with a unit is multiplied with to have it in SI: `*1E3` for N/mm, "" for m/s2; None of what is no unit."""
    factors = [_FACTOR.fullmatch(part) for part in re.findall(r"[*/]?(?:\*\*|[^*/])+", unit)]
    ten, behind = 0, ""
    for factor in factors:
        if factor is None or factor[2] not in (*UNIT_NAMES, *SCALES):
            return None
        divides, power, text = factor[1] == "/", int(factor[3] or 1), SCALES.get(factor[2], "1E0")
        if text.startswith("1E"):
            ten += int(text[2:]) * (-power if divides else power)
        else:
            bracketed = f"({text})" if divides and "/" in text else text
            behind += f"{'/' if divides else '*'}{bracketed}" * power
    if not factors:
        return None
    return f"{behind}*1E{ten}" if ten else behind


def without_unit(value: str, unit: str) -> str:
    """The cure where a unit stands behind something else than a number: `L m`, `{2*L mm}`, `k N/mm`."""
    rule = "a unit stands behind a plain number alone, all else is in SI units"
    scale = si_scale(unit)
    if scale is None:
        return rule
    opened = value.startswith("{") and value.endswith("}")
    inner = value[1:-1].strip() if opened else value
    if scale:
        inner = f"({inner}){scale}" if re.search(r"[-+]", inner) else f"{inner}{scale}"
    meant = f"{{{inner}}}" if opened else inner
    return f"{rule}: write `{meant}`"


def cure(text: str, at: int) -> str:
    """What to write instead of the letter at `at`."""
    letter = text[at]
    if letter == "'" and at and text[at - 1].isalnum():
        return NAMES
    if (letter == "^" or letter in _SUPERSCRIPTS) and ends_compound_unit(text[:at]):
        return f"{COMPOUND} (a power of a parameter is written `**`)"
    if text.startswith("!=", at):
        return (
            "whether two values differ by more than rounding is written abs(a-b)>1E-9; a condition is denied by `not`"
        )
    if letter == "%" and (percent := _PERCENT.search(text[max(0, at - _NEAR) : at])) is not None:
        return f"the tolerance is a bare number, in percent: write {percent[0]})"
    if letter == "%" and (share := _SHARE.search(text[max(0, at - _NEAR) : at])) and _is_number(share[1]):
        return f"a share is a number without a sign: write {float(share[1]) / 100:g}; {COMMENT}"
    if letter == "." and (dotted := _DOTTED.fullmatch(text)) is not None:
        return f"leave out .param: write .step {' '.join(dotted[1].split())}"
    if letter == ":" and (versus := _VERSUS.fullmatch(text)) is not None:
        return f"one item over another, the first up, the second across: write VS({versus[2]},{versus[1]})"
    if letter == ":" and (range := _RANGE.fullmatch(text)) is not None:
        return f"numbers are separated by spaces: write {_spaced(range)}"
    if letter == ":" and (named := _NAMED.fullmatch(text[:at])) is not None:
        what = "a command" if named[1].startswith(".") else "a name"
        return f"no colon stands behind {what}: write {named[1]} {' '.join(text[at + 1 :].split())}".rstrip()
    if letter in _CURES:
        return _CURES[letter]
    twin = letter.translate(_LOOKALIKE)
    if twin != letter:
        return f"this letter of another alphabet only looks like `{twin}`: type it anew"
    if letter in _SUPERSCRIPTS:
        return f"a power is written `**`: **{_SUPERSCRIPTS.index(letter)}"
    plain = unicodedata.normalize("NFKC", letter)
    if plain != letter and plain.isascii() and plain.isprintable() and plain.strip():
        return f"write the ordinary `{plain}`"
    return NAMES if letter.isalpha() else "remove it"
