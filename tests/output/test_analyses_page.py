"""What analyses found, in the standalone page: modes that move, curves over a parameter, histograms, heat maps."""

import pytest

import chainlist
from chainlist.analyses.base import Finding, run_analyses
from chainlist.analyses.sweep import Sweep
from chainlist.model.analysis import Asked
from chainlist.output.charts import images_of
from chainlist.output.page import Image, page
from chainlist.output.panels import scene_of

TEXT = """* Double pendulum, <b>looked at</b>
.param a=30deg b=20deg m=gauss(1,0.1)
B1 (sin(a),-cos(a)) m
B2 (sin(a)+sin(b),-cos(a)-cos(b)) 1
C1 B1 (0,0)
C2 B1 B2
.tran 0 0.5 10ms
.modes
.meas low MIN Y(B2)
.plot CONSTRAINTS(ALL)
"""


def swept(cards):
    return Finding(Asked("step", None), Sweep(chainlist.ensemble(TEXT + cards, workers=1)))


@pytest.fixture(scope="module")
def images():
    run = chainlist.simulate(TEXT)
    sweeps = [swept(".step a 0.1 0.4 0.1\n"), swept(".step a 0.1 0.3 0.1\n.step b 0.1 0.3 0.1\n"), swept(".mc 12\n")]
    return images_of([*run_analyses(run.mechanism, run), *sweeps])


def test_every_kind_of_result_is_a_picture(images):
    kinds = [(image.title, image.kind) for image in images]
    assert ("Mode 1", "gif") in kinds and ("Mode 2", "gif") in kinds and ("Modes", "png") in kinds
    assert ("low", "png") in kinds and ("low over a and b", "png") in kinds and ("low, 12 runs", "png") in kinds
    assert all(image.data[:4] == (b"GIF8" if image.kind == "gif" else b"\x89PNG") for image in images)


def test_titles_are_escaped():
    text = page(scene_of(chainlist.simulate(TEXT), [], []), [Image('a "<script>', "png", b"\x89PNG")])
    assert "<script>" not in text.split('class="analyses"')[1].split("</figure>")[0]


@pytest.mark.browser
def test_the_page_shows_them_without_asking_for_anything(open_page, images):
    opened = open_page(page(scene_of(chainlist.simulate(TEXT), [], []), images))
    opened.settle()
    shown = opened.run(
        "[...document.querySelectorAll('.analyses img')].map(i => [i.alt, i.naturalWidth, i.clientWidth])"
    )
    assert [alt for alt, _, _ in shown] == [image.title for image in images]
    assert all(natural > 300 and client > 200 for _, natural, client in shown)
