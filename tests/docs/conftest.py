"""What examples register or import is forgotten after each test."""

import sys

import pytest

from chainlist import elements, integrators, solvers
from chainlist.model import analysis


@pytest.fixture(autouse=True)
def forgotten():
    registries = (elements.REGISTRY, integrators.REGISTRY, solvers.REGISTRY, analysis.known_analyses())
    before = [dict(registry) for registry in registries]
    modules = set(sys.modules)
    yield
    for registry, old in zip(registries, before, strict=True):
        registry.clear()
        registry.update(old)
    for name in (
        "attraction",
        "drag",
        "ellipse",
        "oval",
        "ralston",
        "verlet",
        "schulz",
    ):  # the plug-ins of docs/extending.md
        if name not in modules:
            sys.modules.pop(name, None)
