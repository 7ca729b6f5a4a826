"""Unit types as the mods of a package leave them, whole or field by field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import define, evolve

from kernel.packages.change_tables import PRINTED, value_text
from kernel.packages.changing import Change, Changes
from kernel.packages.files import toml_files
from kernel.packages.layers import Key, Layer, Layers
from kernel.packages.reader import Value
from kernel.packages.unit_file import UnitChange, UnitType, read_unit_changes, read_units, spans_of


def fields_text(fields: Mapping[str, Value], names: Iterable[str] | None = None) -> str:
    """The text of some fields, one a line, which their hash is made of; without names, of all."""
    wanted = sorted(fields if names is None else set(names))
    return "\n".join(
        f"{name} = {value_text(fields[name])}" if name in fields else f"{name} is not given" for name in wanted
    )


def unit_text(unit: UnitType) -> str:
    """The text of a whole unit type."""
    return f"kind = {unit.kind}\n{fields_text(unit.fields)}".rstrip()


@define(slots=True)
class _Units:
    units: dict[str, UnitType]
    changes: Changes

    def apply(self, layer: Layer, change: UnitChange) -> None:
        """Change, add or take out a unit type."""
        key: Key = ("unit", str(change.id))
        old = self.units.get(str(change.id))
        whole = change.removes or change.unit is not None
        now = None
        if old is not None:
            now = unit_text(old) if whole else fields_text(old.fields, change.fields)
        mine = None if change.removes else unit_text(change.unit) if change.unit else fields_text(change.fields)
        keys = (key,) if whole else tuple((*key, name) for name in change.fields)
        where = old.id.span if old is not None else change.id.span
        was = change.was
        if old is None and change.unit is None and was is None:
            was = change.id  # a unit type that is not there can only be changed
        status = change.unit.status if change.unit is not None else change.status
        free = old is not None and not change.removes and status == PRINTED != old.status
        said = Change(layer, str(change.id), keys, now, mine, was, change.id.span, where, free, tuple(self.units))
        if not self.changes.allow(said):
            return
        if change.removes:
            del self.units[str(change.id)]
        elif change.unit is not None:
            self.units[change.unit.id] = change.unit
        elif old is not None:
            self.units[old.id] = evolve(
                old,
                fields={**old.fields, **change.fields},
                status=change.status,
                source=change.source,
                field_spans={**old.field_spans, **spans_of(change.fields)},
            )


def layered_units(layers: Layers) -> dict[str, UnitType]:
    """The unit types as all layers together have them, by id."""
    made = _Units(read_units(toml_files(layers.base, "units", layers.findings), layers.findings), Changes(layers))
    for layer in layers.mods:
        for file in toml_files(layer, "units", layers.findings):
            for change in read_unit_changes(file, layers.findings):
                made.apply(layer, change)
    return made.units
