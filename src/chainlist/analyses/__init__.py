"""Studies over runs, and comparisons of methods. Each file that is named here registers one command of the chainlist."""

from chainlist.analyses import equilibrium, modes  # isort: skip
from chainlist.model.analysis import REGISTRY

__all__ = ["REGISTRY", "equilibrium", "modes"]
