"""Formulas as drawings inside the page: no script draws them, and no font has to be there.

`$…$` and `$$…$$` in a page arrive as spans and divs of the class `arithmatex`. Each becomes an SVG in the colour of the
text, with its TeX source for readers who listen. `\\tag{4}` numbers an equation and makes it a target: `#eq-4`.
"""

from __future__ import annotations

import hashlib
import html as entities
import re
from pathlib import Path

import ziafont
import ziamath

ziamath.config.svg2 = False
ziafont.config.svg2 = False
ziafont.config.precision = 2

SIZE = 17.5  # pixels, a little above the letters around it

_FOUND = re.compile(r'<(span|div) class="arithmatex">(.*?)</\1>', re.DOTALL)
_TAG = re.compile(r"\\tag\{([^}]*)\}")


def drawn(page: str, cache: Path) -> str:
    """The page with its formulas drawn; those of the last build are in the folder `cache`."""
    return _FOUND.sub(lambda found: _kept(found, cache), page)


def _kept(found: re.Match[str], cache: Path) -> str:
    """The drawing of a formula; made unless the cache has it."""
    state = Path(__file__).read_text(encoding="utf-8"), ziamath.__version__, ziafont.__version__
    path = cache / f"{hashlib.sha256(repr((state, found.group())).encode()).hexdigest()[:20]}.formula"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f"new-{path.name}")
        fresh.write_text(_replacement(found), encoding="utf-8")
        fresh.replace(path)
    return path.read_text(encoding="utf-8")


def _replacement(found: re.Match[str]) -> str:
    source = entities.unescape(found.group(2)).strip()
    if found.group(1) == "span":
        return _inline(source.removeprefix("\\(").removesuffix("\\)"))
    return _display(source.removeprefix("\\[").removesuffix("\\]"))


def _inline(source: str) -> str:
    formula = ziamath.Latex(source, size=SIZE, inline=True)
    svg = formula.svgxml()
    box = svg.attrib["viewBox"].split()
    below = float(box[1]) + float(box[3])  # how far the drawing reaches below the line of writing
    return f'<span class="formula">{_svg(formula, source, f"vertical-align:{-below / SIZE:.3f}em")}</span>'


def _display(source: str) -> str:
    tag = _TAG.search(source)
    plain = _TAG.sub("", source).strip()
    drawing = _svg(ziamath.Latex(plain, size=SIZE), plain)
    if tag is None:
        return f'<div class="equation">{drawing}</div>'
    name = tag.group(1)
    anchor = "eq-" + re.sub(r"\W+", "-", name.lower()).strip("-")
    return f'<div class="equation" id="{anchor}">{drawing}<a class="number" href="#{anchor}">({name})</a></div>'


def _svg(formula: ziamath.Latex, source: str, style: str = "") -> str:
    """The drawing, sized in units of the letters around it."""
    svg = formula.svgxml()
    width, height = (float(svg.attrib[side]) / SIZE for side in ("width", "height"))
    import xml.etree.ElementTree as tree

    inner = "".join(tree.tostring(part, encoding="unicode") for part in svg)
    inner = re.sub(r'\s*xmlns(:\w+)?="[^"]*"', "", inner).replace('fill="black"', "").replace('stroke="black"', "")
    label = entities.escape(source, quote=True)
    return (
        f'<svg role="img" aria-label="{label}" style="width:{width:.3f}em;height:{height:.3f}em;{style}" '
        f'viewBox="{svg.attrib["viewBox"]}" fill="currentColor">{inner}</svg>'
    )
