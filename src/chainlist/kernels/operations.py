"""The operations of a tape, by number. LEAVES come first; what stands below says how many operands each one has."""

# Leaves: a constant, the time, a coordinate of a point, a component of its velocity.
CONST = 0
TIME_LEAF = 1
PLACE = 2
SPEED = 3

# Arithmetic.
ADD = 10
SUBTRACT = 11
MULTIPLY = 12
DIVIDE = 13
NEGATE = 14
POWER = 15  # to a constant exponent
POWER_OF = 16  # to any exponent, of a positive base

# Smooth functions.
SQRT = 20
SIN = 21
COS = 22
TAN = 23
ASIN = 24
ACOS = 25
ATAN = 26
EXP = 27
LOG = 28
TANH = 29
SINH = 30
COSH = 31
ATAN2 = 32  # (y, x)
TURN = 33  # (y, x), continuous from landing to landing: `c` is its place in the memory of angles
SMOOTH = 34  # 0 to 1 for x from 0 to 1, twice continuously differentiable
LENGTH = 35  # the root of a sum of squares; of two points in one place it has no direction, and derivative 0

# Functions with corners. Where they depend on the time alone their branch is chosen once for each piece between breakpoints.
ABS = 40
SIGN = 41
STEP = 42
RAMP = 43
FLOOR = 44
MOD = 45
MIN = 46
MAX = 47
LESS = 48  # (a, b): 1 where a < b
LESS_EQUAL = 49
AND = 50
OR = 51
NOT = 52
CHOOSE = 53  # (condition, a, b)
TABLE = 54  # (x): cubics between knots; `b` is where the table begins, `c` how many knots it has
