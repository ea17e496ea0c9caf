"""The parts of a description: their types, plain data, and problems in them."""
