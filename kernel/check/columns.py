"""The columns that every world has, before those of a ruleset's own fields, relations and values."""

from __future__ import annotations

# What each thing is, where it is, what it holds; the living things of each kind; answers to external questions;
# rulings of the players; open gatherings; standing passes.
KIND, AT, CONTENTS, MEMBERS, ANSWERS, RULINGS, GATHERED, PASSES, FREE_COLUMN = range(9)
