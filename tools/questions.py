"""`casebook questions`: what a package can be asked, what can be done in it, and what it remembers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from kernel.run.ruleset import Ruleset
from tools.find import load, package
from tools.output import OK, plural, say

Item = dict[str, Any]
TITLES = {
    "question": "Questions",
    "external": "Questions to players and other packages",
    "table": "Tables",
    "action": "Actions",
    "procedure": "Procedures",
    "script": "Scripts",
    "relation": "Relations",
    "event": "Events",
}


def questions_command(name: str, as_json: bool, mods: tuple[Path, ...]) -> int:
    """List what a package declares."""
    items = list(declared(load(package(name), mods)))
    if as_json:
        click.echo(json.dumps(items, indent=2, ensure_ascii=False))
        return OK
    for what, title in TITLES.items():
        group = [item for item in items if item["what"] == what]
        if group:
            say(title, "bold")
            width = max(len(item["case"]) for item in group)
            for item in group:
                say(f"  {item['case']:<{width}}  {written(item)}" + (f'  "{item["title"]}"' if item["title"] else ""))
    return OK


def written(item: Item) -> str:
    """A declaration on one line."""
    params = ", ".join(f"{name}: {kind}" for name, kind in item["params"])
    gives = f" -> {item['type']}" if item["type"] else ""
    more = f"  ({item['note']})" if item["note"] else ""
    return f"{item['name']}({params}){gives}{more}"


def _item(what: str, info: Any, params: list[tuple[str, Any]], kind: Any, note: str = "") -> Item:
    return {
        "what": what,
        "name": info.name,
        "case": getattr(info, "case", ""),
        "title": getattr(info, "title", ""),
        "params": [[name, str(each)] for name, each in params],
        "type": str(kind) if kind is not None else "",
        "note": note,
        "place": info.span.place,
    }


def declared(ruleset: Ruleset) -> Iterator[Item]:
    """Everything that can be asked, done and noted, with types and cases."""
    schema = ruleset.package.checked.schema
    for question in schema.questions.values():
        params = [(var.name, var.type) for var in question.params]
        what = "external" if question.what == "external" else "question"
        note = {"section": f"combining {question.mode}, {plural(len(question.clauses), 'clause')}", "link": "link"}.get(
            question.what, ""
        )
        yield _item(what, question, params, question.type, note)
    for table in schema.tables.values():
        yield _item(
            "table",
            table,
            [(name, kind) for name, kind, _ in table.params],
            table.type,
            "partial" if table.partial else "",
        )
    for action in schema.actions.values():
        yield _item(
            "action",
            action,
            [(var.name, var.type) for var, _ in action.params],
            None,
            "standing" if action.standing else "",
        )
    for info in schema.procedures.values():
        if info.what in {"procedure", "script"}:
            yield _item(info.what, info, [(var.name, var.type) for var in info.params], info.type)
    for relation in schema.relations.values():
        yield _item(
            "relation", relation, list(relation.params), None, f"until {relation.until} ends" if relation.until else ""
        )
    for event in schema.events.values():
        yield _item("event", event, list(event.params), None)
