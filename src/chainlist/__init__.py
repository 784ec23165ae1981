"""chainlist: a netlist for mechanisms."""
