"""Eight exercises: a text for the student each (`N.md`), and a check (`check_N.py`) of what the student wrote."""

from __future__ import annotations

from importlib import resources

EXERCISES = range(1, 9)


def exercise_text(number: int) -> str:
    """The text of an exercise, in Markdown."""
    return resources.files("chainlist.labs.exercises").joinpath(f"{number}.md").read_text(encoding="utf-8")


def exercise_title(number: int) -> str:
    """The title of an exercise: the first line of its text."""
    return exercise_text(number).splitlines()[0].lstrip("# ")
