"""What examples register or import is forgotten after each test."""

import sys

import pytest

from tests.command import plugins_forgotten
from tests.docs.extending import PLUGINS


@pytest.fixture(autouse=True)
def forgotten():
    modules = set(sys.modules)
    with plugins_forgotten():
        yield
    own_names = {plugin.removesuffix(".py") for plugin in PLUGINS}  # under which a page imports them
    for name in own_names - modules:
        sys.modules.pop(name, None)
