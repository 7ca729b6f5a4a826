"""The rows of table files into the cells of declared tables; gaps and overlaps."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from kernel.check.schema import Schema, TableInfo
from kernel.check.types import ANY, EnumT, NumberT, Type, YesNoT, plain
from kernel.lang.diagnostics import Diagnostic, Findings, Note, did_you_mean
from kernel.packages.table_file import TableData
from kernel.packages.typed import BAD, Typing

MOST_CELLS = 200_000


def axis(schema: Schema, kind: Type) -> Sequence[Any]:
    """Every value of a table's axis."""
    inner = plain(kind)
    if isinstance(inner, NumberT) and inner.low is not None and inner.high is not None:
        return range(inner.low, inner.high + 1)
    if isinstance(inner, EnumT):
        return range(len(schema.enums[inner.name].values))
    return (False, True) if isinstance(inner, YesNoT) else ()


def length(values: Sequence[Any]) -> int:
    """How many values an axis has, however many."""
    return values.stop - values.start if isinstance(values, range) else len(values)


def fill(schema: Schema, info: TableInfo, data: TableData, typing: Typing, findings: Findings) -> None:
    """Check the rows of a table against its declaration and keep its cells."""
    info.title = data.title
    kinds = {name: kind for name, kind, _ in info.params}
    before = len(findings.items)
    for row in data.rows:
        keys = []
        for name, kind in kinds.items():
            if name not in row.keys:
                break
            keys.append(typing.key(row.keys[name], kind, f"`{name}`"))
        value = typing.value(row.value, info.type, "the value")
        if len(keys) < len(kinds) or BAD in keys or value is BAD:
            continue
        key = tuple(keys)
        if key in info.cells:
            findings.items.append(
                Diagnostic(
                    "B601",
                    f"the table `{info.name}` has two rows for {_cell(schema, info, key)}",
                    row.span,
                    notes=(Note("the other is here", info.sources[key][2]),),
                    help="take one of them out",
                )
            )
            continue
        info.cells[key] = value
        info.sources[key] = (row.status, row.source, row.span)
    if not info.partial and len(findings.items) == before:
        _gaps(schema, info, data, findings)


def _cell(schema: Schema, info: TableInfo, key: tuple[Any, ...]) -> str:
    words = []
    for (name, kind, _), value in zip(info.params, key, strict=True):
        inner = plain(kind)
        word = schema.enums[inner.name].values[value] if isinstance(inner, EnumT) else str(value)
        words.append(f"{name} {word}")
    return ", ".join(words)


def _gaps(schema: Schema, info: TableInfo, data: TableData, findings: Findings) -> None:
    kinds = [kind for _, kind, _ in info.params]
    axes = [axis(schema, kind) for kind in kinds]
    size = 1
    for values in axes:
        size *= length(values)
    if size > MOST_CELLS:
        message = f"the table `{info.name}` would have {size:,} cells; the limit is {MOST_CELLS:,}"
        findings.add("B602", message, info.span, help="let its axes run over less, or make it a `partial table`")
        return
    missing = [key for key in product(*axes) if key not in info.cells] if ANY not in kinds else []
    if missing:
        named = "; ".join(_cell(schema, info, key) for key in missing[:3])
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        findings.items.append(
            Diagnostic(
                "B603",
                f"the table `{info.name}` has no row for {named}{more}",
                data.span if data.span.path else info.span,
                notes=(Note("it is declared here", info.span),),
                help="add the rows, or declare it as `partial table`",
            )
        )


def missing_file(info: TableInfo, files: list[str], findings: Findings) -> None:
    """Report a table without a file."""
    findings.add(
        "B604",
        f"the table `{info.name}` has no file tables/{info.name}.toml",
        info.span,
        help=did_you_mean(info.name, files) or "its rows stand there",
    )
