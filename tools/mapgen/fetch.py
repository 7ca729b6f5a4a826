"""The two packages of geography that the generator reads, through npm and apt; see docs/map.md for what they are."""

from __future__ import annotations

import hashlib
import subprocess
import tarfile
from pathlib import Path

ATLAS, ATLAS_FILE = "world-atlas@2.0.2", "package/countries-10m.json"
HEIGHTS, HEIGHTS_FILE = "ferret-datasets", "usr/share/ferret-vis/data/etopo5.cdf"
DIGESTS = {
    ATLAS_FILE: "3bc6f1d367a9bcec479841bae0e76092f512838411d0cef124e92eec4db45f79",
    HEIGHTS_FILE: "1455d5e5feebd183d0bef5538a750ca8a44801e1503f964df900831c224459ce",
}


def fetched(cache: Path) -> tuple[Path, Path]:
    """The two files in the cache, fetched where they are missing. Raises OSError and CalledProcessError."""
    cache.mkdir(parents=True, exist_ok=True)
    atlas, heights = cache / ATLAS_FILE, cache / HEIGHTS_FILE
    if not atlas.is_file():
        subprocess.run(["npm", "pack", "--silent", ATLAS], cwd=cache, check=True, stdout=subprocess.DEVNULL)
        with tarfile.open(cache / "world-atlas-2.0.2.tgz") as archive:
            archive.extract(ATLAS_FILE, cache, filter="data")
    if not heights.is_file():
        subprocess.run(["apt-get", "download", HEIGHTS], cwd=cache, check=True, stdout=subprocess.DEVNULL)
        package = next(cache.glob("ferret-datasets_*.deb"))
        subprocess.run(["dpkg-deb", "-x", package.name, "."], cwd=cache, check=True)
    for name, digest in DIGESTS.items():
        found = hashlib.sha256((cache / name).read_bytes()).hexdigest()
        if found != digest:
            raise OSError(f"{cache / name} is not the file that the map was made from: sha256 {found}")
    return atlas, heights
