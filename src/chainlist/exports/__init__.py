"""Mechanisms for other programs. Each file that is named here registers one target of `chainlist export`."""

from chainlist.exports import exudyn, mjcf, sympy, urdf
from chainlist.exports.base import REGISTRY, CannotExport, Export

__all__ = ["REGISTRY", "CannotExport", "Export", "exudyn", "mjcf", "sympy", "urdf"]
