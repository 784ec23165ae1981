"""Words of the layers above that messages about spelling must know; tests hold them against what those layers read."""

FUNCTIONS_OF_ONE = frozenset("sin cos tan asin acos atan sqrt exp log sinh cosh tanh abs ramp sign step floor".split())
# The functions of expressions, which the model computes (`model/evaluate.py`).
FUNCTION_NAMES = FUNCTIONS_OF_ONE | frozenset("atan2 hypot smooth min max mod if pulse pwl table spline".split())
UNIT_NAMES = frozenset("s ms us min m cm mm km kg g t rad deg N kN Hz J".split())
# Of those that are no SI units: how an expression is turned into SI.
SCALES = {
    **{"ms": "1E-3", "us": "1E-6", "min": "60", "cm": "1E-2", "mm": "1E-3", "km": "1E3"},
    **{"g": "1E-3", "t": "1E3", "deg": "pi/180", "kN": "1E3", "rpm": "2*pi/60"},
}
CONDITION_KEYS = frozenset(("cut", "from", "release"))  # named parameters of entities whose values are conditions
