"""`FFT(item)`: a spectrum against harmonics that are known exactly, its unit, its panel, and what it refuses."""

import math

import numpy as np
import pytest

import chainlist
from chainlist.model.ask import ask
from chainlist.model.mechanism import Plot
from chainlist.output.packing import pack
from chainlist.output.page import page
from chainlist.output.panels import asked_panels, scene_of
from chainlist.output.plots import draw_figure
from chainlist.run.observables import observe
from chainlist.syntax.errors import ChainlistError

# Two masses on springs that do not know of each other: x = 1 + 0.1 cos(2π·2 t) and x = 5 + 0.02 cos(2π·3.5 t).
TEXT = f"""* Two springs
.options gravity=0
B1 (1.1,0) 1
B2 (5.02,0) 1
K1 B1 (0,0) {{{(2 * math.pi * 2.0) ** 2!r}}} L0=1
K2 B2 (0,0) {{{(2 * math.pi * 3.5) ** 2!r}}} L0=5
.tran 0 4 1E-3
.plot FFT(X(B1,B2)) "FFT(Q(B1))" Y(B1)
"""


@pytest.fixture(scope="module")
def swing():
    return chainlist.simulate(TEXT, integrator="DOP853")


def test_peaks_stand_at_the_frequencies_with_the_amplitudes(swing):
    found = observe(swing, ask(swing.mechanism, "FFT(X(B1,B2))"))
    assert (found.kind, found.unit) == ("spectrum", "m")
    for curve, mean, amplitude, frequency in zip(found.curves, (1, 5), (0.1, 0.02), (2.0, 3.5), strict=True):
        peak = 1 + int(np.argmax(curve.values[1:]))
        assert curve.over[peak] == pytest.approx(frequency, rel=1e-12)
        assert curve.values[peak] == pytest.approx(amplitude, rel=1e-7)
        assert curve.values[0] == pytest.approx(mean, rel=1e-9)
        far = np.abs(curve.over - frequency) > 0.51
        assert curve.values[1:][far[1:]].max() < 0.03 * amplitude


def test_harmonics_of_a_formula_are_exact(swing):
    item = "FFT(0.5+3*sin(2*pi*1.5*Time)+0.25*cos(2*pi*12*Time))"
    (curve,) = observe(swing, ask(swing.mechanism, item)).curves
    heights = {f: curve.values[np.argmin(np.abs(curve.over - f))] for f in (0.0, 1.5, 12.0, 7.0)}
    assert heights == pytest.approx({0.0: 0.5, 1.5: 3.0, 12.0: 0.25, 7.0: 0.0}, abs=1e-4)
    assert heights[1.5] == pytest.approx(3.0, rel=1e-6)


def test_a_frequency_that_does_not_fit_the_run_keeps_its_height(swing):
    (curve,) = observe(swing, ask(swing.mechanism, "FFT(2*cos(2*pi*3.37*Time))")).curves
    peak = int(np.argmax(curve.values))
    assert curve.over[peak] == pytest.approx(3.37, abs=0.032)
    assert curve.values[peak] == pytest.approx(2.0, rel=0.01)


def test_a_panel_shows_what_is_not_faint(swing):
    panels = asked_panels(swing, swing.mechanism.plots)
    spectra = [panel for panel in panels if panel.kind == "spectrum"]
    assert [(p.x_label, p.x_unit, p.y_unit) for p in spectra] == [("frequency, without the mean at 0", "Hz", "m")] * 2
    assert [curve.name for curve in spectra[0].curves] == ["B1", "B2"]
    assert [curve.name for curve in spectra[1].curves] == ["B1 x", "B1 y"]
    assert 3.5 < spectra[0].curves[0].x[-1] < 60
    assert spectra[0].curves[1].x[0] > 0.0 and max(spectra[0].curves[1].y) == pytest.approx(0.02, rel=1e-6)
    scene = scene_of(swing, [], [])
    assert len(pack(scene)) > 1000 and "spectrum" in page(scene)


def test_a_picture_leaves_out_the_mean_which_would_dwarf_the_rest(swing):
    one, *_ = draw_figure(swing, swing.mechanism.plots[0]).axes
    assert one.get_xlabel() == "frequency, without the mean at 0 [Hz]"
    assert one.get_ylim()[1] < 0.12 and one.get_xlim()[0] == 0.0


def test_the_spectrum_of_what_rests_is_no_noise(swing):
    (one,) = draw_figure(swing, Plot(((ask(swing.mechanism, "FFT(Y(B1)+7)"),),))).axes
    assert np.ptp(one.get_ylim()) > 0.01 and np.abs(one.lines[0].get_ydata()).max() < 1e-12


@pytest.mark.parametrize(
    ("card", "words"),
    [
        (".plot FFT(PATH(B1))", "has no numbers over time"),
        (".plot FFT(X(B1),Y(B1))", "takes one item"),
        (".plot FFT(X(B1))*2", "picture"),
        (".plot FFT(FFT(X(B1)))", "has no numbers over time"),
        (".print CONSOLE FFT(X(B1))", "cannot be printed"),
        (".meas top MAX FFT(X(B1))", "FFT"),
        ("F1 B1 ({FFT(X(B1))},0)", "FFT"),
        (".stop {FFT(X(B1))>1}", "FFT"),
    ],
)
def test_what_it_cannot_do_is_said(card, words):
    with pytest.raises(ChainlistError) as error:
        chainlist.parse(TEXT + card + "\n")
    assert words in str(error.value)
