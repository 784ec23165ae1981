"""Checks of settings that need no numbers of the mechanism: what goes with what, and what is worth a warning."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from decimal import Decimal
from itertools import pairwise

from chainlist import integrators
from chainlist.model.combinations import clashes, misfits
from chainlist.model.commands import GivenOptions
from chainlist.model.desk import Desk, Problem
from chainlist.model.mechanism import Element, Transient
from chainlist.model.options import OPTIONS, Options
from chainlist.syntax.diagnostics import Related

_MULTIPLE = 1e-9  # how near to a whole number SAVE/step must be


def check_settings(settings: GivenOptions, transient: Transient, elements: Collection[Element], desk: Desk) -> None:
    options = settings.options()
    _check_combinations(settings, options, desk)
    _check_elements(settings, options, elements, desk)
    _check_damping(settings, options, desk)
    _check_gravity(settings, options, desk)
    if options.window is not None and desk.space.dimension == 3:
        _refuse_window(settings, desk)
    _check_strings(elements, desk)
    if options.save is not None and not integrators.REGISTRY[options.integrator].adaptive:
        _check_save(options.save, transient.step, settings, desk)


def _check_combinations(settings: GivenOptions, options: Options, desk: Desk) -> None:
    for clash in clashes(options):
        option = OPTIONS[clash.key]
        also = [Related(settings.spans["integrator"], "the integrator")] if "integrator" in settings.spans else []
        desk.tell(
            Problem(
                "E260",
                clash.text(options),
                settings.spans.get(clash.key),
                label=clash.why,
                help=f"use {option.name}={option.default}, or another integrator such as RK4",
                also=also,
            )
        )


def _check_elements(settings: GivenOptions, options: Options, elements: Iterable[Element], desk: Desk) -> None:
    for misfit in misfits(options, elements):
        option = OPTIONS[misfit.key]
        desk.tell(
            Problem(
                "E260",
                misfit.text(options),
                settings.spans.get(misfit.key),
                label=misfit.why,
                help=f"use {option.name}={option.default}, or leave {misfit.element.name} out",
                also=[Related(misfit.element.span, f"the {misfit.element.type.name}")],
            )
        )


def _check_damping(settings: GivenOptions, options: Options, desk: Desk) -> None:
    for key in ("dampalpha", "dampbeta"):
        value = getattr(options, key)
        if value >= 2:
            desk.tell(
                Problem(
                    "W202",
                    f"{OPTIONS[key].name}={value:g} makes most integrators unstable: it is in units of 1/step",
                    settings.spans.get(key),
                    label="2 or more",
                    help="1 removes the error of a step; use a value below 2",
                )
            )


def _check_gravity(settings: GivenOptions, options: Options, desk: Desk) -> None:
    """A minus is for who thinks of y: here the number points down by itself."""
    if isinstance(options.gravity, float | int) and options.gravity < 0:
        down = f"{-options.gravity:g}"
        desk.tell(
            Problem(
                "N203",
                f"gravity={options.gravity:g} points upwards, and bodies fall up",
                settings.spans.get("gravity"),
                label="negative",
                help=f"gravity is counted downwards: write gravity={down}, or the vector gravity=(0,-{down})",
            )
        )


def _refuse_window(settings: GivenOptions, desk: Desk) -> None:
    desk.tell(
        Problem(
            "E260",
            "WINDOW is a part of the plane, and this machine is in space",
            settings.spans["window"],
            label="has no meaning in space",
            help="leave it out; VIEW says from where a machine in space is seen, as in VIEW=(30,20)",
        )
    )


def _check_strings(elements: Iterable[Element], desk: Desk) -> None:
    """Three bodies in a link look like a row of rods, and are a string over the one in the middle."""
    for element in elements:
        if not element.type.is_link or len(element.ends) < 3 or not all(isinstance(end, str) for end in element.ends):
            continue
        names = [str(end) for end in element.ends]
        over = " and ".join(names[1:-1])
        rods = ", ".join(f"C… {one} {two}" for one, two in pairwise(names))
        desk.tell(
            Problem(
                "N204",
                f"{element.name} is a string from {names[0]} over {over} to {names[-1]}: its length in all is kept",
                element.span,
                label="a string, not rods",
                help=f"rods are written one by one: {rods}",
            )
        )


def _check_save(save: float, step: float, settings: GivenOptions, desk: Desk) -> None:
    """Samples fall on steps: SAVE is a multiple of the step."""
    if save / step > 1 / _MULTIPLE:
        return  # some multiple is always as near as that
    count = max(1, round(save / step))
    if abs(save - count * step) <= _MULTIPLE * save:
        return
    nearest = format((Decimal(repr(step)) * count).normalize(), "f")
    desk.tell(
        Problem(
            "E259",
            f"SAVE={save:g} is not a multiple of the step {step:g}",
            settings.spans.get("save"),
            label="falls between two steps",
            help=f"the nearest is SAVE={nearest}",
        )
    )
