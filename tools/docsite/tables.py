"""Tables of the pages, written from the registries of the program: `<!-- table: options -->` in a page is replaced.

Nothing here knows an option, an item or a message by name: what the program gains, the pages gain.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from importlib import resources
from pathlib import Path

from chainlist import elements, formulations, integrators, solvers
from chainlist.analyses.worth import Amount
from chainlist.examples import gallery
from chainlist.model.analysis import known_analyses
from chainlist.model.entities import BODY_SYNTAX, INSTANCE_SYNTAX
from chainlist.model.evaluate import CONSTANTS, FUNCTIONS
from chainlist.model.observables import OBSERVABLES
from chainlist.model.options import OPTIONS
from chainlist.model.units import UNITS
from chainlist.run.dimension import dimension
from docsite import peers
from docsite.blocks import up
from docsite.faces import program_commands, python_face
from docsite.short import SHORT

DOCS = Path(__file__).resolve().parents[2] / "docs"
# What those see who read the pages in the repository: the table as `make tables` wrote it, or of what is long a short one.
_PLACE = re.compile(r"^<!-- table: ([\w-]+) -->(?:\n(?:\|.*|- .*))*$", re.MULTILINE)
_ANCHOR = re.compile(r"\{ #[\w-]+ \}")  # of the site alone


def filled(markdown: str, page: str) -> str:
    """The page with its tables."""

    def replace(found: re.Match[str]) -> str:
        return TABLES[found.group(1)]().replace("%TOP%/", up(page))

    return _PLACE.sub(replace, markdown)


def for_files(markdown: str) -> str:
    """The page as the repository has it."""

    def replace(found: re.Match[str]) -> str:
        name = found.group(1)
        shown = _ANCHOR.sub("", (SHORT.get(name) or TABLES[name])())
        return f"<!-- table: {name} -->\n{shown}"

    return _PLACE.sub(replace, markdown)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(head)
    lines = [_line(head), _line("---" for _ in head), *(_line(row) for row in rows)]
    return "\n".join(lines)


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def code(text: str) -> str:
    return f"`{text}`" if text else ""


def options() -> str:
    """Each option with an anchor of its own."""
    rows = []
    for option in OPTIONS.values():
        values = ", ".join(map(code, option.choices)) if option.choices else option.range
        unit = f" [{option.unit}]" if option.unit else ""
        name = f"`{option.name}`{{ #{option.key} }}"
        default = code(option.default_text) if option.default is not None else option.default_text
        rows.append((name, default, values, f"{option.meaning}{unit}"))
    return table(("option", "default", "values", "meaning"), rows)


def entities() -> str:
    rows = [("B", "body", code(BODY_SYNTAX), "a point mass")]
    rows += [(k.letter, k.name, code(k.syntax), k.meaning) for k in elements.REGISTRY.values()]
    rows += [("X", "instance", code(INSTANCE_SYNTAX), "a submachine, placed")]
    return table(("letter", "what", "how it is written", "meaning"), rows)


def forms() -> str:
    """Each letter with the examples that stand at the top of its file."""
    rows = []
    for kind in elements.REGISTRY.values():
        text = (inspect.getmodule(kind.read).__doc__ or "").strip()
        examples = [line for line in text.splitlines()[1:] if re.match(rf"{kind.letter}\d", line)]
        rows.append((kind.letter, kind.name, "<br>".join(map(code, examples)), kind.meaning))
    return table(("letter", "what", "for example", "meaning"), rows)


def observables() -> str:
    rows = []
    for item in OBSERVABLES.values():
        unit = str(dimension(item.unit)) or _units_by_letter(item.unit_of)
        kind = "picture" if item.picture else "vector" if item.vector else "number"
        rows.append((code(item.name), code(item.usage), kind, unit, item.meaning))
    return table(("item", "how it is written", "kind", "unit", "meaning"), rows)


def _units_by_letter(which: int | None) -> str:
    """What differs from element to element, for those whose rows have units."""
    if which is None:
        return ""
    found = {kind.letter: str(dimension(kind.units[which])) for kind in elements.REGISTRY.values()}
    return ", ".join(f"{unit} ({letter})" for letter, unit in found.items() if unit)


def crossing() -> str:
    """From how many members on a batch is chosen, by the estimate of the program."""
    head = ("5,000 steps", *(f"`{form}`" if form else "no measure" for form in ("", "MAX", "PERIOD", "AVG")))
    rows = []
    for name, links in (("double pendulum", 2), ("four-bar linkage", 3), ("16 links", 16)):
        amounts = [Amount(1, 5000, 5001, links, forms) for forms in ((), ("MAX",), ("PERIOD",), ("AVG",))]
        rows.append((name, *(str(amount.crossing) for amount in amounts)))
    return table(head, rows)


def analyses() -> str:
    rows = [(code(a.syntax.replace("|", "\\|")), a.meaning) for a in known_analyses().values()]
    return table(("command", "meaning"), rows)


def units() -> str:
    dimensions: dict[str, list[str]] = {}
    for unit in UNITS.values():
        dimensions.setdefault(unit.dimension, []).append(f"`{unit.name}` {unit.meaning}")
    return table(("measures", "units"), ((name, ", ".join(names)) for name, names in dimensions.items()))


def functions() -> str:
    rows = [(code(f.usage), f.meaning, "" if f.smoothness == "smooth" else f.smoothness) for f in FUNCTIONS.values()]
    return table(("function", "meaning", "where it is not smooth"), [*rows, *((code(c), "", "") for c in CONSTANTS)])


def systems() -> str:
    rows = [
        (
            code(s.name),
            s.meaning,
            "yes" if s.adaptive else "no",
            str(s.highest_order) if s.highest_order < 99 else "any",
        )
        for s in formulations.REGISTRY.values()
    ]
    return table(("`DAESYSTEM=`", "what it is", "with adaptive steps", "highest order it keeps"), rows)


def methods() -> str:
    rows = []
    for m in integrators.REGISTRY.values():
        kind = "adaptive" if m.adaptive else "symplectic" if m.holds_constraints else "fixed step"
        rows.append((code(m.name), str(m.order), kind, m.meaning))
    return table(("`INTEGRATOR=`", "order", "kind", "what it is"), rows)


def algorithms() -> str:
    rows = [
        (code(s.name), s.meaning, "no: breaks down" if s.full_rank_only else "yes") for s in solvers.REGISTRY.values()
    ]
    return table(("`MPI_ALGO=`", "what it is", "dependent rows"), rows)


def messages() -> str:
    """All pages of `chainlist explain`, one heading each, errors first."""
    pages = resources.files("chainlist.syntax").joinpath("explain")
    kinds = {"E": "Errors", "W": "Warnings", "N": "Notes"}
    names = sorted(page.name for page in pages.iterdir())
    parts = []
    for letter, title in kinds.items():
        parts.append(f"## {title}")
        for name in (n for n in names if n.startswith(letter)):
            text = pages.joinpath(name).read_text(encoding="utf-8").strip()
            head, _, body = text.partition("\n")
            body = re.sub(r"^## (.*)$", r"**\1**", body, flags=re.MULTILINE)
            anchor = name.removesuffix(".md").lower()
            parts.append(f"### {head.removeprefix('# ')} {{ #{anchor} }}\n{body}")
    return "\n\n".join(parts)


def gallery_cards() -> str:
    """A card for each example: its picture, which leads to the motion, its name, its line."""
    cards = []
    for example in gallery():
        cards.append(
            f'<div class="card" markdown="1">\n'
            f"[![{example.title}](%TOP%/gallery/{example.name}.png){{ loading=lazy }}](%TOP%/gallery/{example.name}.html)"
            f"{{ target=_blank }}\n\n**{example.title}**<br>{example.summary}<br>`{example.name}`\n\n</div>"
        )
    return '<div class="cards" markdown="1">\n\n' + "\n\n".join(cards) + "\n\n</div>"


def exercises() -> str:
    """Every exercise that there is, by the heading of its page."""
    pages = sorted(DOCS.glob("exercises/[0-9]*.md"), key=lambda path: int(path.stem))
    heads = [(path.name, path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")) for path in pages]
    return "\n".join(f"- [{head}]({name})" for name, head in heads)


TABLES: dict[str, Callable[[], str]] = {
    "options": options,
    "entities": entities,
    "forms": forms,
    "observables": observables,
    "analyses": analyses,
    "crossing": crossing,
    "units": units,
    "functions": functions,
    "systems": systems,
    "methods": methods,
    "algorithms": algorithms,
    "messages": messages,
    "gallery": gallery_cards,
    "exercises": exercises,
    "commands": program_commands,
    "python": python_face,
    "peers-step": peers.step,
    "peers-accuracy": peers.accuracy,
    "peers-precision": peers.precision,
    "peers-lever": peers.lever,
    "peers-iftomm": peers.iftomm,
    "peers-bodies": peers.bodies,
    "peers-machine": peers.machine,
}
