"""The equations of a mechanism, written once: which rows and forces its elements give, as arrays that kernels read.

Everything takes them from here: checks and `mechanism.equations` by interpreting the kernels, runs by compiling them.
"""
