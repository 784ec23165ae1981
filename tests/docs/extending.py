"""The files of `docs/extending.md`: plug-ins, and chainlists that use them."""

from tests.docs.pages import DOCS
from tools.docsite.blocks import blocks

FILES = {b.title: b.text for b in blocks((DOCS / "extending.md").read_text(encoding="utf-8")) if b.title}
PLUGINS = sorted(name for name in FILES if name.endswith(".py"))
