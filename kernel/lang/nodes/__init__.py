"""The nodes of the syntax tree, by topic; `kernel.lang.tree` has them all."""
