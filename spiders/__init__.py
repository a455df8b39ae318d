"""Fetches: one spider a site with its page class, polite settings, landing files, sample sites."""
