"""`casebook lock`: keeps the texts that a mod was written against, so that a later mismatch can show them."""

from __future__ import annotations

import re
from pathlib import Path

from kernel.lang.diagnostics import Findings, RulesError
from kernel.lang.source import visible
from kernel.packages.change_positions import layered_position, read_change
from kernel.packages.layers import Layer, Layers
from kernel.packages.load import FOLDERS, examine
from kernel.packages.written import FILE_NAME, as_toml, texts_of
from tools.find import mod, shown_in_full, with_base
from tools.output import FINDINGS, OK, Stop, plural, say, show_findings, source_finder, warn, write_whole

LAST_OF_FORM = "P250"  # the codes of files that cannot be read, or not as what they should be
WAS = re.compile(r"\bwas\b[^\n]*?\b([0-9a-fx][0-9a-f]{5})\b")


def lock_command(name: str, mods: tuple[Path, ...]) -> int:
    """Write `was.toml` of a mod anew. Raises Stop and RulesError."""
    folder = mod(Path(name))
    base, on_top = with_base(folder, mods)
    findings = Findings()
    layers = examine(base, on_top, findings).layers
    lost = [each for each in findings.errors if each.code.startswith("S") or "P200" < each.code < LAST_OF_FORM]
    if lost:  # what cannot be read may name hashes
        raise shown_in_full(RulesError(*lost), layers.folders)
    for sub in FOLDERS:
        for position in layers.names(sub):
            layered_position(layers, sub, position)
    layer = next((each for each in layers.mods if each.folder.resolve() == folder.resolve()), None)
    if layer is None:
        show_findings(findings.errors, source_finder(layers.folders), warn)
        raise Stop(f"`{name}` is no mod that goes on top of `{base}`")
    wanted, texts = _hashes(layer), _texts(layers, layer)
    kept = {hash: texts[hash] for hash in wanted if hash in texts}
    write_whole(folder / FILE_NAME, as_toml(kept))
    say(f"{folder / FILE_NAME} keeps {plural(len(kept), 'text')}", "bold")
    unknown = sorted(wanted - kept.keys())
    for hash in unknown:
        say(f"{hash} is the hash of nothing that is there; `casebook check` says what it was for", "yellow")
    return FINDINGS if unknown else OK


def _texts(layers: Layers, layer: Layer) -> dict[str, str]:
    """The texts of now, and those that were kept before."""
    return {**texts_of(layer, Findings()), **layers.met.get(layer.name, {})}


def _hashes(layer: Layer) -> set[str]:
    """Every hash that a mod names after a `was`."""
    found: set[str] = set()
    paths = [
        *visible(layer.folder, "rules/**/*.rules"),
        *visible(layer.folder, "*/*.toml"),
        *visible(layer.folder, "tests/*/*.toml"),
    ]
    for path in paths:
        lines = path.read_text("utf-8").splitlines()
        text = "\n".join(line for line in lines if not line.lstrip().startswith(("#", "--")))
        found.update(WAS.findall(text))
        if path.suffix == ".toml":
            found.update(_under_was(text))
    return found | _in_sheets(layer)


def _in_sheets(layer: Layer) -> set[str]:
    """The hashes in the column `was` of a mod's sheets."""
    found: set[str] = set()
    for path in visible(layer.folder, "map/*.toml"):
        change = read_change(path, Findings())
        if change is not None:
            links = (link.fields for links in change.given.links.values() for link in links)
            every = (*(thing.fields for thing in change.given.things.values()), *links)
            found.update(str(fields["was"].data) for fields in every if "was" in fields)
    return found


def _under_was(text: str) -> set[str]:
    """The hashes below `[was]` of a position."""
    import tomli

    try:
        was = tomli.loads(text).get("was")
    except ValueError:
        return set()
    return {hash for hash in was.values() if isinstance(hash, str)} if isinstance(was, dict) else set()
