"""`python -m tools.bench`: measure everything side by side, print a table, write build/bench.json."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tools.bench import checking, loading, modifiers, odds, overlays, playouts, state, ways
from tools.bench.harness import benches, report, run

GROUPS = (modifiers, state, ways, loading, checking, overlays, playouts, odds)


@click.command()
@click.option("--only", default="", metavar="NAME", help="Measure only the rows with NAME in their name.")
@click.option("--strict", is_flag=True, help="Fail when a bar is missed.")
@click.option("--list", "listing", is_flag=True, help="List the rows and stop.")
@click.option("--quick", is_flag=True, help="For the odds rows, 4,000 games instead of 100,000, and 3 ships a side.")
@click.option("--out", default="build/bench.json", type=click.Path(path_type=Path), show_default=True)
def main(only: str, strict: bool, listing: bool, quick: bool, out: Path) -> None:
    """Measure Casebook side by side with hand-written code and other engines."""
    order = [group.__name__ for group in GROUPS]
    names = sorted((name for name in benches if only in name), key=lambda name: order.index(benches[name].__module__))
    if not names:
        raise click.BadParameter(f"no row has `{only}` in its name", param_hint="--only")
    if listing:
        click.echo("\n".join(names))
        return
    if quick:
        odds.limits.runs, odds.limits.ships = 4_000, 3
    result = run(names, lambda name: click.echo(f"measuring {name} ...", err=True))
    report(result, out)
    sys.exit(1 if result.crashed or (strict and result.missed) else 0)


if __name__ == "__main__":
    main()
