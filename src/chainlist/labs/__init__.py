"""The laboratory: what the paper claims, measured; and exercises with checks a student can run."""
