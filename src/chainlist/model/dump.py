"""Mechanism → text that says all a run depends on: everything expanded, every default written out.

Numbers are written so that they read back to the same bits. Names of what is inside an instance (`X1.C5`) have a dot, which
cannot be defined: they become `C_X1_5`, with the old name as a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from chainlist.elements import REGISTRY
from chainlist.elements.base import shortest
from chainlist.equations.value import place_at_start
from chainlist.formula import Moving
from chainlist.model.asked import Asked
from chainlist.model.formula import end_text, item_text, point_text, quantity_arguments
from chainlist.model.kept import Kept, kept_of
from chainlist.model.mechanism import Body, Element, End, Formula, Item, Mechanism, Plot, Point, Print
from chainlist.model.options import OPTIONS, Options, setting_text

_DOTTED = re.compile(r"(?<![\w.])[A-Za-z]\w*(?:\.[A-Za-z]\w*)+")


class CannotWrite(ValueError):
    """A plug-in's constraint whose card cannot be told from its numbers."""


def dump(mechanism: Mechanism) -> str:
    """The chainlist of a mechanism; `build` makes the same mechanism of it, up to names with dots."""
    return "\n".join((*_lines(mechanism), ""))


def plain_names(mechanism: Mechanism) -> dict[str, str]:
    """Full name → the name a dump gives it. Names without a dot stay."""
    everything = [body.name for body in mechanism.points] + [element.name for element in mechanism.elements]
    taken = {name.lower() for name in everything if "." not in name}
    found = {}
    for name in everything:
        plain = name
        if "." in name:
            *instances, local = name.split(".")
            plain = base = "_".join((local[0], *instances, local[1:])).rstrip("_")
            number = 2
            while plain.lower() in taken:
                plain = f"{base}_{number}"
                number += 1
            taken.add(plain.lower())
        found[name] = plain
    return found


def _lines(mechanism: Mechanism) -> Iterator[str]:
    names = plain_names(mechanism)
    positions = {body.name: body.position for body in mechanism.bodies}
    kept = kept_of(mechanism)
    yield f"* {mechanism.title}".rstrip()
    yield from kept.definitions
    for body in mechanism.points:
        said = kept.cards.get(body.name.lower())
        yield _commented(_body(body, names) if said is None else f"{body.name} {said}", body.name, names)
    for element in mechanism.elements:
        said = kept.cards.get(element.name.lower())
        line = _element(element, names, positions) if said is None else f"{element.name} {_renamed(said, names)}"
        yield _commented(line, element.name, names)
    yield from (_renamed(line, names) for line in _commands(mechanism, kept, names))


def _commands(mechanism: Mechanism, kept: Kept, names: Mapping[str, str]) -> Iterator[str]:
    """Cards that were kept as they are take the place of what would be written for their keyword."""
    times, said = mechanism.transient, kept.commands
    items = _ItemWriter(mechanism, names)
    yield from said.get("tran", [f".tran {shortest(times.start)} {shortest(times.stop)} {shortest(times.step)}"])
    yield from said.get("stop", [f".stop {_renamed(stop.text, names)}" for stop in mechanism.stops])
    yield from _options(mechanism.options, kept)
    yield from said.get("plot", [items.plot(plot) for plot in mechanism.plots])
    yield from said.get("print", [items.print(trace) for trace in mechanism.prints])
    told: set[str] = set()
    for asked in mechanism.analyses:
        line = items.analysis(asked)
        if asked.command in said:
            yield from said[asked.command] if asked.command not in told else ()
        elif kept.lost and asked.command in ("step", "mc"):
            yield f"* {line} ; parameters are numbers here, because {kept.lost}"
        else:
            yield line
        told.add(asked.command)


def _commented(line: str, name: str, names: Mapping[str, str]) -> str:
    return line if names[name] == name else f"{line} ; {name}"


def _body(body: Body, names: Mapping[str, str]) -> str:
    words = [names[body.name], point_text(body.position), shortest(body.given_mass)]
    if body.start != body.position:
        words.append(f"IC_POS={point_text(body.start)}")
    if body.keeps_velocity:
        words.append(f"IC_VEL={point_text(body.velocity)}")
    if body.radius:
        words.append(f"RADIUS={shortest(body.radius)}")
    return " ".join(words)


def _element(element: Element, names: Mapping[str, str], positions: Mapping[str, Point]) -> str:
    kind = REGISTRY[element.letter]
    ends = [_end(end, names) for end in element.ends]
    by_kernel = element.given is None  # its parameters say it all
    if kind.write is not None and by_kernel:
        words = [*ends, kind.write(element.parameters, tuple(_place(end, positions) for end in element.ends))]
    elif element.words and element.words.count(None) == len(ends) and (kind.moved is None or not by_kernel):
        following = iter(ends)
        words = [next(following) if word is None else _renamed(word, names) for word in element.words]
    elif not by_kernel:
        raise CannotWrite(f"{element.name} cannot be written: its numbers are those of a submachine that was moved")
    else:
        raise CannotWrite(f"{element.name} cannot be written: the type {kind.name} has no `write`")
    return " ".join(word for word in (names[element.name], *words) if word)


def _place(end: End, positions: Mapping[str, Point]) -> Point:
    if isinstance(end, Moving):
        return place_at_start(end)
    return positions[end] if isinstance(end, str) else end


def _renamed(word: str, names: Mapping[str, str]) -> str:
    """A word of a card with the names in it that are inside an instance as the dump calls them."""
    return _DOTTED.sub(lambda found: names.get(found[0], found[0]), word)


def _end(end: End, names: Mapping[str, str]) -> str:
    return end_text(end, names)


def _options(options: Options, kept: Kept) -> Iterator[str]:
    """Every option on a line with its meaning; what is chosen by the program is a comment."""
    for key, option in OPTIONS.items():
        value = getattr(options, key)
        if (said := kept.settings.get(option.name.lower())) is not None:
            yield f".options {option.name}={said} ; {option.meaning}"
        elif value is None:
            yield f"* .options {option.name} is not given: {option.default_text}"
        else:
            text = setting_text(value)
            yield f".options {option.name}={text} ; {option.meaning}"


class _ItemWriter:
    def __init__(self, mechanism: Mechanism, names: Mapping[str, str]):
        self.names = names
        self.everything = (
            tuple(body.name for body in mechanism.bodies if not body.is_inner),
            tuple(constraint.name for constraint in mechanism.constraints),
        )

    def plot(self, plot: Plot) -> str:
        panels = ([self._item(item) for item in panel] for panel in plot.panels)
        return " ".join((".plot", *(f'"{" ".join(items)}"' if len(items) > 1 else items[0] for items in panels)))

    def print(self, trace: Print) -> str:
        words = [".print"]
        if trace.text is not None:
            words.append(f"TEXTTRACEFILE={trace.text}" if trace.text == "CONSOLE" else f'TEXTTRACEFILE="{trace.text}"')
        if trace.binary is not None:
            words.append(f'BINTRACEFILE="{trace.binary}"')
        if trace.format is not None:
            words.append(f'FORMAT="{trace.format}"')
        columns = () if trace.text is None else trace.columns  # a binary trace holds the whole state, without columns
        return " ".join((*words, *(self._item(item) for item in columns)))

    def analysis(self, asked: Asked) -> str:
        words = (word if isinstance(word, str) else f"{word[0]}{self._text(word[1])}{word[2]}" for word in asked.words)
        return " ".join((f".{asked.command}", *words))

    def _item(self, item: Item) -> str:
        return self._text(item.formula)

    def _text(self, formula: Formula) -> str:
        return item_text(formula, lambda quantity: quantity_arguments(quantity, self.names, self.everything))
