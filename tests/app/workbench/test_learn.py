"""Learn: every page is there, is found, leads on; the tour comes once, can be left, and comes again from Help."""

import re

import pytest

from chainlist.app.workbench import learning
from chainlist.app.workbench.checking import check
from chainlist.app.workbench.settings import RunLimits
from chainlist.examples import gallery
from chainlist.language.vocabulary import vocabulary


def test_guide_words_messages_and_examples_are_there():
    pages = learning.pages()
    groups = {page["group"] for page in pages}
    assert groups == {
        "Guide",
        "Language",
        "Elements",
        "Commands",
        "Options",
        "Items",
        "Functions",
        "Messages",
        "Examples",
    }
    assert len({page["key"] for page in pages}) == len(pages)
    assert sum(page["group"] == "Examples" for page in pages) == len(gallery())
    assert sum(page["group"] == "Items" for page in pages) == len(vocabulary().observables)
    items = next(page for page in pages if page["key"] == "language/items")
    assert "FFT(Y(B1))" in items["html"] and "On the site" not in items["html"]


def test_links_lead_to_pages_and_nothing_else_is_in_them():
    keys = {page["key"] for page in learning.pages()}
    for page in learning.pages():
        anchors = set(re.findall(r'id="([^"]+)"', page["html"]))
        for target in re.findall(r'href="([^"]*)"', page["html"]):
            assert target.startswith("#") and target[1:] in keys | anchors, (page["key"], target)
        assert not re.search(r"<(script|img|iframe)|\son\w+=", page["html"])


@pytest.mark.browser
def test_a_learner_searches_reads_and_tries(user):
    user.press("Learn")
    user.wait("document.querySelectorAll('.bench-learn nav li').length > 100")
    user.tab.get_by_role("searchbox").fill("catenary")
    user.wait("document.querySelectorAll('.bench-learn nav li').length < 20")
    user.tab.get_by_role("searchbox").fill("tutorial")
    user.tab.get_by_role("button", name="Tutorial:").first.click()
    user.tab.get_by_role("button", name="Try it").first.click()
    user.wait(
        "!/Double/.test(chainlistEditor.state.doc.toString()) && chainlistBench.run?.text === chainlistEditor.state.doc.toString()"
    )
    assert check(user.text, RunLimits(), None)[0]["ok"]
    user.write("Wrong\nB1 (1,0) 1\nC1 B1 B7\n")
    user.tab.get_by_role("button", name="E226").click()
    user.wait("document.querySelector('.bench-learn h1').textContent.startsWith('E226')")
    user.tab.keyboard.press("Escape")
    user.wait("document.querySelector('.bench-learn').hidden")


@pytest.mark.browser
@pytest.mark.long
def test_the_tour_comes_once_is_left_and_comes_again_from_help(visit):
    user = visit(tour=True)
    user.wait("document.querySelector('.bench-tour')")
    titles = []
    while True:
        titles.append(user.run("document.querySelector('.bench-tour h2').textContent"))
        last = user.tab.get_by_role("button", name="Done").count()
        user.tab.locator(".bench-tour-next").click()
        if last:
            break
    assert len(titles) == len(set(titles)) == 6
    assert not user.run("document.querySelector('.bench-tour')")
    user.tab.reload()
    user.wait("Boolean(globalThis.chainlistBench)")
    user.tab.wait_for_timeout(1200)
    assert not user.run("document.querySelector('.bench-tour')")
    user.press("Help")
    user.press("Take the tour")
    user.wait("document.querySelector('.bench-tour')")
    user.tab.keyboard.press("Escape")
    user.wait("!document.querySelector('.bench-tour')")
