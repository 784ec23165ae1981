"""Studies over runs: comparisons of methods."""
