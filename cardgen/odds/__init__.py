"""Exact odds of a game's dice."""
