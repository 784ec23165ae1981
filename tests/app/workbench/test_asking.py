"""What the editor asks: the answers of the language service, in the units of the browser."""

import pytest

from chainlist.app.workbench.asking import answered
from chainlist.app.workbench.questions import Question
from chainlist.app.workbench.settings import RunLimits

TEXT = "* 🙂 swing\nB1 (1,0) 2\nC1 B1 (0,0) ; 🙂\n.options INT"


def asked(what, at, text=TEXT):
    return answered(what, text, at, RunLimits(), None, "")


def utf16(text):
    return len(text.encode("utf-16-le")) // 2


def test_completion_counts_as_the_browser_does():
    found = asked("complete", utf16(TEXT))
    assert found["from"] == utf16(TEXT) - 3 and not found["more"]
    (option,) = found["options"]
    assert (option["label"], option["apply"], option["again"]) == ("INTEGRATOR", "INTEGRATOR=", True)


def test_hover_says_effective_values_and_where():
    text = TEXT.rpartition("\n")[0] + "\n"
    found = asked("hover", utf16(text[: text.index("B1 (0,0)")]), text)
    assert found["code"] == "B1 (1,0) 2" and "a point with a mass" in found["text"]
    assert found["to"] - found["from"] == 2 and found["from"] == utf16(text[: text.index("B1 (0,0)")])


@pytest.mark.parametrize("what, at", [("hover", 10**9), ("nonsense", 3), ("hover", 0)])
def test_forged_questions_get_no_answer(what, at):
    assert asked(what, at) == {}
    assert Question.of({"number": -1, "what": None, "at": "x", "length": 1.5}) == Question(0, "None", 0, 0)
