"""One data file on its way to typed values that remember where they were written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, get_origin

import attrs
from attrs import field, frozen

from kernel.lang.diagnostics import Findings, Note, did_you_mean
from kernel.lang.source import NOWHERE, Span, Word
from kernel.packages.toml_file import MAX_DEPTH, KeyPath, TomlFile, dotted, show

if TYPE_CHECKING:
    from cattrs import Converter

STATUSES = ("printed", "derived", "reconstructed", "variant")
LARGEST = 2**63 - 1
T = TypeVar("T")


@frozen(slots=True)
class Value:
    """A value as written, not yet of any type: scalar, `none`, tuple of values, or dict from word to value."""

    data: bool | int | str | tuple[Value, ...] | dict[str, Value] | None
    span: Span = field(default=NOWHERE, eq=False, repr=False)

    @property
    def plain(self) -> Any:
        """The value as bare Python data, lists as tuples."""
        if isinstance(self.data, tuple):
            return tuple(part.plain for part in self.data)
        if isinstance(self.data, dict):
            return {key: part.plain for key, part in self.data.items()}
        return self.data


@frozen(slots=True)
class Cell(Value):
    """A cell of a sheet: a text, which the type that is wanted gives its meaning."""


@frozen(slots=True)
class Reader:
    """One file on its way to typed data: finds places, reports problems, structures tables."""

    file: TomlFile
    findings: Findings

    def problem(self, code: str, message: str, path: KeyPath, at_value: bool = False, **rest: Any) -> None:
        """Report a problem at a key, or at its value; what was written nowhere is told by its key path."""
        span = self.file.value_span(path) if at_value else self.file.span(path)
        if span is NOWHERE and path:
            rest["notes"] = (Note(f"at {dotted(path)}"), *rest.get("notes", ()))
        self.findings.add(code, message, span, **rest)

    def key(self, path: KeyPath) -> Word:
        """The last key of a path, with the place where it stands."""
        return Word(str(path[-1]), self.file.span(path))

    def word(self, text: str, path: KeyPath) -> Word:
        """A text, with the place where it stands."""
        return Word(text, self.file.value_span(path))

    def name(self, text: str, path: KeyPath, at_value: bool = True) -> bool:
        """Whether a text is a name as the rules write it; reported where it is not."""
        if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text):
            return True
        self.problem("P215", f"{show(text)} is not a name", path, at_value, help="a name is letters, digits and `_`")
        return False

    def status(self, text: str | None, path: KeyPath) -> None:
        """Check a status that was given."""
        if text is not None and text not in STATUSES:
            known = "`printed`, `derived`, `reconstructed` or `variant`"
            guess = did_you_mean(text[:60], STATUSES) or f"a status is {known}"
            self.problem("P226", f"unknown status {show(text)}", path, at_value=True, help=guess)

    def origin(self, status: str | None, source: str | None, path: KeyPath, help: str) -> bool:
        """Whether status and source are both there; reported where they are not."""
        lacking = [f"`{key}`" for key, text in (("status", status), ("source", source)) if not text]
        if lacking:
            message = f"{dotted(path)} does not give its {' and its '.join(lacking)}"
            self.problem("P227", message, path, help=help)
        return not lacking

    def value(self, data: object, path: KeyPath) -> Value | None:
        """Data with its places; what no type of the rules can hold is reported and left out."""
        span = self.file.value_span(path)
        if len(path) > MAX_DEPTH:
            self.problem("P206", f"tables and lists nested more than {MAX_DEPTH} deep", path)
        elif data is None or isinstance(data, bool | str):
            return Value(data, span)
        elif isinstance(data, int):
            if abs(data) <= LARGEST:
                return Value(data, span)
            self.problem("P214", "a number beyond 64 bits", path, at_value=True)
        elif isinstance(data, list | tuple | set | frozenset):
            items = sorted(data, key=repr) if isinstance(data, set | frozenset) else data
            parts = (self.value(item, (*path, index)) for index, item in enumerate(items))
            return Value(tuple(part for part in parts if part is not None), span)
        elif isinstance(data, dict):
            return Value(self.values(data, path), span)
        else:
            guess = "numbers are whole" if isinstance(data, float) else "write it as a text"
            self.problem("P214", f"{_sort(data)} is no value of the rules", path, at_value=True, help=guess)
        return None

    def values(self, data: dict[str, object], path: KeyPath) -> dict[str, Value]:
        """The values of a table by key; each key is a word with its place."""
        result: dict[str, Value] = {}
        for key, item in data.items():
            if not isinstance(key, str):
                self.problem("P213", f"a key should be a text, not {_sort(key)}", path)
                continue
            value = self.value(item, (*path, key))
            if value is not None:
                result[self.key((*path, key))] = value
        return result

    def structure(self, data: object, cls: type[T], path: KeyPath = ()) -> T | None:
        """Make a `cls` of a table, strictly; every problem is reported at its place."""
        from cattrs.errors import (
            BaseValidationError,  # here and below: it takes long to import
        )

        try:
            return _converter().structure(data, cls)
        except BaseValidationError as group:
            for where, error in _problems(group, path):
                self._explain(error, where)
        except _WrongSort as error:
            self._explain(error, path)
        return None

    def _explain(self, error: Exception, path: KeyPath) -> None:
        from cattrs.errors import ForbiddenExtraKeysError

        if isinstance(error, ForbiddenExtraKeysError):
            known = keys_of(error.cl)
            for key in sorted(error.extra_fields, key=lambda key: self.file.span((*path, key)).start):
                self.unknown_key(key, path, known)
        elif isinstance(error, KeyError):
            self.problem("P212", f"{dotted(path)} is missing", path)
        elif isinstance(error, _WrongSort):
            subject = dotted(path) if path else "this"
            self.problem("P213", f"{subject} should be {error.wanted}, not {_sort(error.got)}", path, at_value=True)
        else:
            self.problem("P213", f"{dotted(path)} cannot be read", path, at_value=True)

    def unknown_key(self, key: object, path: KeyPath, known: Iterable[str]) -> None:
        """Report a key that does not belong in a table."""
        if not isinstance(key, str):
            self.problem("P213", f"a key should be a text, not {_sort(key)}", path)
            return
        guess = did_you_mean(key[:60], known) or "the keys here are " + ", ".join(f"`{word}`" for word in known)
        self.problem("P211", f"unknown key {show(key)}", (*path, key), help=guess)


def keys_of(cls: type) -> list[str]:
    """The keys that a table of this class can have."""
    return [attribute.name.rstrip("_") for attribute in attrs.fields(cls)]


class _WrongSort(Exception):
    """A value of one sort where another is wanted."""

    def __init__(self, wanted: str, got: object) -> None:
        super().__init__(wanted)
        self.wanted, self.got = wanted, got


def _sort(value: object) -> str:
    if value is None:
        return "nothing"
    words: dict[type, str] = {
        bool: "a yes/no value",
        int: "a number",
        str: "a text",
        list: "a list",
        tuple: "a list",
        set: "a list",
        dict: "a table",
        float: "a fraction",
    }
    kinds = (word for cls, word in words.items() if isinstance(value, cls))
    return next(kinds, "a date or a time" if type(value).__module__ == "datetime" else show(type(value).__name__))


def _problems(group: Any, path: KeyPath) -> Iterator[tuple[KeyPath, Exception]]:
    """The single errors in a group of cattrs, each with its key path."""
    from cattrs.errors import (
        AttributeValidationNote,
        BaseValidationError,
        IterableValidationNote,
    )

    for error in group.exceptions:
        where = path
        for note in getattr(error, "__notes__", ()):
            if isinstance(note, AttributeValidationNote):
                where = (*path, note.name.rstrip("_"))
            elif isinstance(note, IterableValidationNote):
                where = (*path, note.index if isinstance(note.index, int) else str(note.index))
        if isinstance(error, BaseValidationError):
            yield from _problems(error, where)
        else:
            yield where, error


def _checked(sort: type | tuple[type, ...], wanted: str, inner: Callable[..., Any]) -> Callable[..., Any]:
    def hook(value: object, cls: Any) -> Any:
        if not isinstance(value, sort) or (isinstance(value, bool) and sort is not bool):
            raise _WrongSort(wanted, value)
        return inner(value, cls)

    return hook


def _is(*origins: type) -> Callable[[Any], bool]:
    return lambda cls: get_origin(cls) in origins


@cache
def _converter() -> Converter:
    """A converter that coerces nothing and lets no key pass that a class does not have."""
    from cattrs import Converter
    from cattrs.cols import (
        homogenous_tuple_structure_factory,
        list_structure_factory,
        mapping_structure_factory,
    )
    from cattrs.gen import make_dict_structure_fn, override

    converter = Converter(forbid_extra_keys=True, detailed_validation=True)
    for sort, wanted in ((str, "a text"), (int, "a number"), (bool, "`true` or `false`")):
        converter.register_structure_hook(sort, _checked(sort, wanted, lambda value, cls: value))

    def table(cls: Any) -> Any:
        renamed = {key: override(rename=key[:-1]) for key in (a.name for a in attrs.fields(cls)) if key.endswith("_")}
        return _checked(dict, "a table", make_dict_structure_fn(cls, converter, **renamed))  # type: ignore[arg-type]

    def listing(cls: Any) -> Any:
        factory = list_structure_factory if get_origin(cls) is list else homogenous_tuple_structure_factory
        return _checked((list, tuple), "a list", factory(cls, converter))

    def mapping(cls: Any) -> Any:
        return _checked(dict, "a table", mapping_structure_factory(cls, converter))

    converter.register_structure_hook_factory(attrs.has, table)
    converter.register_structure_hook_factory(_is(list, tuple), listing)
    converter.register_structure_hook_factory(_is(dict), mapping)
    return converter
