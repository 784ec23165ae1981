"""A motion inside a notebook: the standalone page in a frame of its own.

The frame is sandboxed and carries everything in itself, so that it works offline, in a saved notebook, and in one
that was exported as HTML; it can neither see nor disturb the notebook around it.
"""

from __future__ import annotations

from html import escape

from chainlist.model.mechanism import Mechanism
from chainlist.run.trajectory import Trajectory

HEIGHT = 640  # pixels


def repr_html(trajectory: Trajectory) -> str:
    """What a notebook shows for a trajectory: its animation, plots and report."""
    from chainlist.output.figures import figures, notes
    from chainlist.output.page import page
    from chainlist.output.panels import scene_of

    if len(trajectory) == 0:
        return f"<pre>{escape(str(trajectory.status))}</pre>"
    return frame(page(scene_of(trajectory, figures(trajectory), notes(trajectory))))


def mechanism_html(mechanism: Mechanism) -> str:
    """What a notebook shows for a mechanism: a drawing of its start, what it is made of, and its degrees of freedom."""
    from chainlist.compile.checks import check
    from chainlist.output.thumbnail import HEIGHT as TALL
    from chainlist.output.thumbnail import WIDTH, thumbnail

    freedom = check(mechanism).freedom
    lines = [
        f"<b>{escape(mechanism.title or 'untitled')}</b>",
        escape(str(mechanism).rpartition(": ")[2]),
        escape(str(freedom)),
    ]
    lines += [f"{escape(name)} = {value:.6g}" for name, value in mechanism.parameters.items()]
    picture = (
        f'<div style="width:{2 * WIDTH}px;height:{2 * TALL}px">{thumbnail(mechanism)}</div>' if mechanism.bodies else ""
    )
    return f'<div style="display:flex;gap:1em;align-items:center">{picture}<div>{"<br>".join(lines)}</div></div>'


def frame(html: str, height: int = HEIGHT) -> str:
    """A page inside another one."""
    style = f"width:100%;height:{height}px;border:1px solid #8884;border-radius:8px;background:#fff"
    return f'<iframe sandbox="allow-scripts" title="chainlist" style="{style}" srcdoc="{escape(html)}"></iframe>'


# A trajectory shows itself in a notebook; how, only this layer above it knows.
Trajectory._repr_html_ = repr_html  # type: ignore[attr-defined]
