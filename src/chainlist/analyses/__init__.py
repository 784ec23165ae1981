"""Studies over runs, and comparisons of methods. Each file that is named here registers one command of the chainlist."""

from chainlist.analyses import equilibrium, modes, measure, fourier, poincare, lyapunov, axes  # isort: skip
from chainlist.model.analysis import REGISTRY

__all__ = ["REGISTRY", "axes", "equilibrium", "fourier", "lyapunov", "measure", "modes", "poincare"]
