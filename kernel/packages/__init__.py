"""Packages: the data files beside the rules, read into frozen values that remember where they were written.

No reader raises: what is wrong goes to `Findings`, and what could be read is in the result. The readers know nothing
of the rules' types, so every value keeps its span for whoever checks it against a kind or a parameter. What a file
calls by name (ids, kinds, keys of a table) is a `Word`, which has its span too.

| code | finding |
|---|---|
| P201 | a file that is missing or cannot be read |
| P202 | a file that is not UTF-8 text |
| P203 | a file that is too large |
| P204 | a syntax error in TOML or JSON |
| P205 | a key or a table that is written twice |
| P206 | tables and lists nested too deep |
| P211 | an unknown key |
| P212 | a missing key |
| P213 | the wrong sort of value, such as a text for a list |
| P214 | a value that no type of the rules has: a fraction, a date, a number out of range |
| P215 | a text that should be a name |
| P216 | a version that is not numbers with dots |
| P217 | a mod that does not say which package it is for |
| P221 | a table whose name is not its file's |
| P222 | a row of a table without a value, or with both `value` and `cells`; what is taken out and yet given |
| P223 | a row that leaves out other parameters than it should |
| P224 | a mark that speaks of no cell |
| P225 | a cell that is given twice |
| P226 | an unknown status |
| P227 | a status or a source that is missing |
| P231 | a unit type that is given twice |
| P241 | a key of a position that is neither known nor a kind with its things |
| P242 | an id that two things have |
| P243 | a link that does not name two places |
| P244 | a fact that is not a list of arguments, or an answer without a value |
"""
