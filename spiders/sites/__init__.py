"""Bundled sample sites, shaped like the real sources, and the loopback server that serves them."""

from towbench.spiders.sites.server import sample_server

__all__ = ["sample_server"]
