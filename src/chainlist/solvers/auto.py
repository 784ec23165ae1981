"""AUTO: sparse L D Lᵀ of A M⁻¹ Aᵀ with a rank that is judged at grid points; its kernels are in `kernels/sparse.py`."""

from chainlist.solvers.base import Solver, register

register(Solver("AUTO", "sparse, reveals the rank, replaces straight bars"))
