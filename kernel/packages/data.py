"""Tables and unit types, checked against what the rules declare of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kernel.check.check import Checked
from kernel.check.schema import Schema
from kernel.check.types import KindT, article, plain
from kernel.lang.diagnostics import Findings, did_you_mean
from kernel.packages.change_tables import layered_table
from kernel.packages.files import toml_of
from kernel.packages.layers import Layers
from kernel.packages.record import Said, table_cells
from kernel.packages.tables import fill, missing_file
from kernel.packages.typed import BAD, Typing
from kernel.packages.unit_file import UnitType

Cells = dict[str, Said]


def typed_fields(unit: UnitType) -> Any:
    """A unit type as the checker takes it: its kind, and its fields typed once the types are known."""

    def fields(schema: Any, kind: Any) -> dict[str, Any]:
        typing = _typed(schema, Findings())
        made = {
            name: typing.value(value, kind.fields[name].type, name)
            for name, value in unit.fields.items()
            if name in kind.fields
        }
        return {name: value for name, value in made.items() if value is not BAD}

    return str(unit.kind), fields


def _typed(schema: Schema, findings: Findings) -> Any:
    return Typing(
        {name: info.values for name, info in schema.enums.items()},
        {name: tuple(info.fields.items()) for name, info in schema.records.items()},
        {},
        findings,
    )


def check_tables(checked: Checked, layers: Layers) -> dict[str, dict[str, Said]]:
    """Fill in the tables; what each says, cell by cell."""
    findings, names = layers.findings, layers.names("tables")
    strangers = [name for name in names if name not in checked.schema.tables and name not in checked.unread]
    typing, said = _typed(checked.schema, findings), dict[str, Cells]()
    for name, info in checked.schema.tables.items():
        if name not in names:
            missing_file(info, strangers, findings)
            continue
        params = tuple(param for param, _, _ in info.params)
        data = layered_table(layers, name, params)
        if data is not None:
            fill(checked.schema, info, data, typing, findings)
            said[name] = table_cells(data, params)
    for name in strangers:
        helps = did_you_mean(name, checked.schema.tables) or f"`table {name}(...) -> TYPE` in a rule file does"
        for layer in layers.having(f"tables/{name}.toml"):
            file = toml_of(layer, f"tables/{name}.toml", findings)
            if file is not None:
                findings.add("B605", f"no rule declares the table `{name}`", file.span(("table",)), help=helps)
    return said


def check_units(checked: Checked, units: Mapping[str, UnitType], findings: Findings) -> None:
    """Check unit types against the kinds they fill in."""
    typing = _typed(checked.schema, findings)
    for unit in units.values():
        kind = checked.schema.kinds.get(str(unit.kind))
        if kind is None and str(unit.kind) in checked.unread:
            continue
        if kind is None:
            findings.add(
                "P253",
                f"there is no kind `{unit.kind}`",
                unit.kind.span,
                help=did_you_mean(unit.kind, checked.schema.kinds),
            )
            continue
        for name, value in unit.fields.items():
            if name not in kind.fields:
                findings.add(
                    "P256",
                    f"{article(kind.name)} has no field `{name}`",
                    unit.field_spans.get(name, value.span),
                    help=did_you_mean(name, kind.fields),
                )
            elif isinstance(plain(kind.fields[name].type), KindT):
                helps = "say it where a thing is made of the unit type"
                findings.add("P251", f"`{name}` names a thing, which no unit type can", value.span, help=helps)
            else:
                typing.value(value, kind.fields[name].type, f"`{name}`")
