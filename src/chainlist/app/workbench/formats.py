"""The formats in which a run can be taken away."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Format:
    """One entry of the download menu."""

    key: str
    suffix: str
    name: str
    meaning: str


FORMATS: dict[str, Format] = {
    format.key: format
    for format in (
        Format("page", ".html", "Page", "one file that plays anywhere, offline"),
        Format(
            "sliders", ".html", "Page with sliders", "the same for other values of its parameters too, computed now"
        ),
        Format("trace", ".txt", "Text trace", "as the chainlist's .print asks, or all positions"),
        Format("npz", ".npz", "NumPy", "arrays for Python"),
        Format("mat", ".mat", "MATLAB", "arrays for MATLAB and Octave"),
        Format("csv", ".csv", "CSV", "a table for spreadsheets"),
        Format("nc", ".nc", "NetCDF", "names and units travel with the data"),
        Format("table", ".csv", "Table of runs", "every run of .step and .mc, a line each"),
        Format("raw", ".raw", "SPICE raw file", "for waveform viewers"),
        Format("png", ".png", "Picture, PNG", "the mechanism, with its paths"),
        Format("svg", ".svg", "Picture, SVG", "the same as vector graphics"),
        Format("plots", ".zip", "Plots", "every figure as PNG, SVG and PDF"),
        Format("gif", ".gif", "Animation, GIF", "for slides and mails"),
        Format("mp4", ".mp4", "Animation, MP4", "needs the extra chainlist[video]"),
    )
}
