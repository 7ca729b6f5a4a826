"""Rebuilds the map of the Pacific Theater from public-domain geography; run at build time only, see docs/map.md."""
