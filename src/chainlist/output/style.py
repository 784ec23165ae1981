"""Letters, lines and colours of all figures, as matplotlib takes them."""

from __future__ import annotations

from typing import Any

STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "mathtext.fontset": "dejavusans",
    "font.size": 8.5,
    "axes.titlesize": 8.5,
    "axes.labelsize": 8.5,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "legend.handlelength": 1.8,
    "legend.labelspacing": 0.25,
    "legend.columnspacing": 1.2,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E4E7EB",
    "grid.linewidth": 0.5,
    "lines.linewidth": 0.9,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "axes.formatter.limits": (-4, 5),
    "axes.formatter.use_mathtext": True,
    "path.simplify_threshold": 0.2,
    "svg.fonttype": "path",
    "svg.hashsalt": "chainlist",
    "pdf.fonttype": 42,
}
