"""Side-by-side measurements: Casebook against hand-written code and against other engines."""
