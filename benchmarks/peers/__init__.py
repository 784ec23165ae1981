"""Other simulators on the same mechanisms: python benchmarks/peers/run.py writes benchmarks/peers/results.json."""
