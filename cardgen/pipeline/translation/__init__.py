"""Translating a set: exchange with translators, its state, review."""
