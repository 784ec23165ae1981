"""Words of the layers above that messages about spelling must know; tests hold them against what those layers read."""

FUNCTIONS_OF_ONE = frozenset("sin cos tan asin acos atan sqrt exp log sinh cosh tanh abs ramp sign step floor".split())
# The functions of expressions, which the model computes (`model/evaluate.py`).
FUNCTION_NAMES = FUNCTIONS_OF_ONE | frozenset("atan2 hypot smooth min max mod if pulse pwl table spline".split())
UNIT_NAMES = frozenset("s ms us min m cm mm km kg g t rad deg N kN Hz J".split())
CONDITION_KEYS = frozenset(("cut", "from", "release"))  # named parameters of entities whose values are conditions
