"""The texts that a mod was written against, kept beside it in `was.toml` by their hashes."""

from __future__ import annotations

import json
from collections.abc import Mapping

from kernel.lang.diagnostics import Findings
from kernel.packages.layers import Layer

FILE_NAME = "was.toml"
HEAD = "# What the texts said that this mod changes, by their hashes. `casebook lock` writes this file.\n"


def texts_of(layer: Layer, findings: Findings) -> dict[str, str]:
    """The kept texts of a mod, by hash; none where there is no file."""
    from kernel.packages.toml_file import read_toml

    path = layer.folder / FILE_NAME
    if not path.exists():
        return {}
    file = read_toml(path, f"{layer.folder.name}/{FILE_NAME}", findings)
    return {key: text for key, text in file.data.items() if isinstance(text, str)} if file is not None else {}


def text_then(layer: Layer, hash: str, findings: Findings) -> str | None:
    """What stood there when the mod was written; nothing where that was not kept."""
    return texts_of(layer, findings).get(hash)


def as_toml(texts: Mapping[str, str]) -> str:
    """The file that keeps some texts."""
    return HEAD + "".join(f"\n{key} = {_quoted(text)}\n" for key, text in sorted(texts.items()))


def _quoted(text: str) -> str:
    if "'" in text or "\\" in text or any(char < " " and char != "\n" for char in text):
        return json.dumps(text, ensure_ascii=False)
    return f"'''\n{text}'''" if "\n" in text or '"' in text else f'"{text}"'
