"""Options as controls: each change is one edit of the text, and nothing else of it moves."""

import pytest

from chainlist.app.workbench.checking import check
from chainlist.app.workbench.settings import RunLimits
from chainlist.model.options import OPTIONS

from .conftest import PENDULUM

GIVEN = PENDULUM + ".options gravity=1.62 ; the moon\n* below\n.options INTEGRATOR=euler\n"


def places(text):
    return {option["name"]: option for option in check(text, RunLimits(), None)[0]["options"]}


def test_values_are_found_where_they_stand_and_new_ones_have_a_place():
    found = places(GIVEN)
    assert set(found) == {option.name for option in OPTIONS.values()}
    assert [GIVEN[slice(*found[name]["at"])] for name in ("gravity", "INTEGRATOR")] == ["1.62", "euler"]
    new = found["DAESYSTEM"]
    assert GIVEN[: new["write"]].endswith("INTEGRATOR=euler") and new["before"] == " " and new["at"] is None
    bare = places(PENDULUM)["GUARD"]
    written = f"{PENDULUM[: bare['write']]}{bare['before']}GUARD=OFF{PENDULUM[bare['write'] :]}"
    assert written == PENDULUM + ".options GUARD=OFF\n"
    ended = PENDULUM + ".end\nwhat stands here is ignored\n"
    above = places(ended)["GUARD"]["write"]
    assert ended[above:].startswith("\n.end")


@pytest.mark.browser
def test_choices_one_after_the_other_over_a_slow_line_find_their_places(user):
    """The second and the third come before the server has read the text that the first has left."""
    user.slow(300)
    user.write(PENDULUM)
    user.tab.get_by_role("tab", name="Options").click()
    user.wait("document.querySelector('[data-option=SAVE]')")
    user.wait("chainlistBench.run?.title === 'A pendulum'")
    for option, value in (("SAVE", "0.5"), ("INTEGRATOR", "DOP853"), ("SAVE", "0.02")):
        user.run(
            "(() => { const control = document.querySelector(`[data-option=${argument[0]}]`);"
            " control.value = argument[1]; control.dispatchEvent(new Event('change')); })()",
            [option, value],
        )
    assert user.text == PENDULUM + ".options SAVE=0.02 INTEGRATOR=DOP853\n"
    user.wait("chainlistBench.run.text === chainlistEditor.state.doc.toString()")


@pytest.mark.browser
def test_what_is_being_written_stays_while_a_reading_comes(user):
    user.write(PENDULUM)
    user.tab.get_by_role("tab", name="Options").click()
    user.tab.get_by_label("SAVE", exact=True).click()
    user.tab.keyboard.type("0.0")
    user.write(PENDULUM.replace("A pendulum", "Renamed") + ".options INTEGRATOR=HEUN\n")
    user.wait("document.querySelector('[data-option=INTEGRATOR]').value === 'HEUN'")
    user.tab.keyboard.type("2\n")
    assert user.text.endswith("INTEGRATOR=HEUN SAVE=0.02\n")


@pytest.mark.browser
def test_a_choice_is_one_edit_and_one_undo(user):
    user.write(GIVEN)
    user.tab.get_by_role("tab", name="Options").click()
    user.wait("document.querySelector('[data-option=INTEGRATOR]')?.value === 'EULER'")
    user.tab.get_by_label("INTEGRATOR", exact=True).select_option("DOP853")
    user.wait("/INTEGRATOR=DOP853/.test(chainlistEditor.state.doc.toString())")
    assert user.text == GIVEN.replace("euler", "DOP853")
    user.wait("chainlistBench.run?.options.INTEGRATOR === 'DOP853'")
    user.tab.get_by_label("SAVE", exact=True).fill("0.02")
    user.tab.get_by_label("SAVE", exact=True).press("Enter")
    user.wait("/INTEGRATOR=DOP853 SAVE=0.02/.test(chainlistEditor.state.doc.toString())")
    user.tab.locator(".cm-content").click()
    for _ in range(2):
        user.tab.keyboard.press("Control+z")
    user.wait("/INTEGRATOR=euler\\n/.test(chainlistEditor.state.doc.toString())")
    assert user.text == GIVEN
    user.write(GIVEN + "C9 nowhere\n")
    user.tab.get_by_text("as soon as the text has no errors").wait_for()
